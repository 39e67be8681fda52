"""Targets of the afterstates of one game, from its transitions."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agent.afterstates import move_values
from agent.memory.positions import positions_of
from agent.memory.transitions import Transition
from game.batch.games import legal_moves, to_mask
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.search.batched import children


class Lesson(NamedTuple):
    """Positions, each for a side that can move there, and the values they should have."""

    positions: Positions
    targets: NDArray[np.float64]
    """[n]"""


def lesson(game: Sequence[Transition], size: int, evaluator: Evaluator, lambda_: float) -> Lesson:
    """Return what a whole game teaches, by the lambda-return of each decision's afterstate.

    G(t) = r(t) + d(t) ((1 - lambda) B(t+1) + lambda G(t+1)), where B is the worth of the best move and d the
    signed discount; where another move was played next, G(t) = r(t) + d(t) B(t+1). See `selfplay.returns`.
    """
    positions = positions_of(np.stack([transition.state for transition in game]), size)
    owner, squares = np.nonzero(to_mask(legal_moves(positions), size))
    values, played = move_values(positions, evaluator), np.array([t.action for t in game])
    first = np.searchsorted(owner, np.arange(len(game)))
    best, taken = np.maximum.reduceat(values, first), np.flatnonzero(squares == played[owner])
    greedy = values[taken] == best
    returns, ahead = np.zeros(len(game)), 0.0
    for t in range(len(game) - 1, -1, -1):
        returns[t] = game[t].reward + game[t].discount * ahead
        ahead = (1 - lambda_) * best[t] + lambda_ * returns[t] if greedy[t] else best[t]
    return _to_move(children(positions).take(taken), -returns)


def _to_move(after: Positions, targets: NDArray[np.float64]) -> Lesson:
    """Turn positions whose side must pass, and leave finished games out: their worth is known."""
    other = Positions(after.size, after.opponent, after.own)
    stays, turns = _can_move(after), _can_move(other)
    own = np.where(stays, after.own, other.own)
    opponent = np.where(stays, after.opponent, other.opponent)
    going_on = np.flatnonzero(stays | turns)
    kept = Positions(after.size, own, opponent).take(going_on)
    return Lesson(kept, np.where(stays[:, 0], targets, -targets)[going_on])


def _can_move(positions: Positions) -> NDArray[np.bool_]:
    """Tell where the side to move has a legal move, bool [n, 1]."""
    found: NDArray[np.bool_] = to_mask(legal_moves(positions), positions.size)
    return np.logical_or.reduce(found, axis=1, keepdims=True)
