"""The values of many positions, each by an alpha-beta search of the same depth, compiled."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.evaluator import CompiledEvaluator
from othello_lab.game.evaluators.probcut import by_depth
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.words import Rows, Words, from_int, nth_row
from othello_lab.game.search.deepening_kernels import DEEPEST, STATE, State, search
from othello_lab.game.search.leaf_kernels import UNKNOWN
from othello_lab.game.solver.table import Table, new_table

_TABLE_MIB = 16


def searched(positions: Positions, depth: int, evaluator: CompiledEvaluator) -> NDArray[np.float64]:
    """Return the value of each position for its side to move, float64 [n].

    Of an n-tuple network that is the artanh of its values, as searches compare them; a won game is WON and
    the discs that it is won by. With an evaluator that has predictions, shallow searches cut deep ones.
    """
    state: State = np.zeros(1, STATE)[0]
    state["size"], state["limit"] = positions.size, np.iinfo(np.int64).max
    state["parameters"] = evaluator.parameters
    if evaluator.predictions is not None:
        state["predictions"] = by_depth(evaluator.predictions, DEEPEST)
    found, table = np.empty(len(positions)), new_table(_TABLE_MIB, np.float64)
    _search(from_int(0, positions.size), positions.own, positions.opponent, depth, state, table, found)
    return found


@compiled
def _search(
    like: Words,
    own: Rows,
    opponent: Rows,
    depth: int,
    state: State,
    table: Table,
    found: NDArray[np.float64],
) -> None:
    for i in range(len(found)):
        mine, theirs = nth_row(like, own, i), nth_row(like, opponent, i)
        found[i] = search(mine, theirs, depth, -np.inf, np.inf, UNKNOWN, state, table)
