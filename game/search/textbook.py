"""Textbook searches of fixed depth: eight algorithms, any evaluator, one function."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.board import Board
from game.evaluators import CompiledEvaluator, Evaluator
from game.notation import PASS
from game.positions import Positions
from game.search import batched, kernels
from game.words import from_int

ALGORITHMS = {
    "minimax": (kernels.MINIMAX, False),
    "alphabeta": (kernels.ALPHABETA, False),
    "negamax": (kernels.NEGAMAX, False),
    "negamax-ab": (kernels.NEGAMAX_AB, False),
    "negascout": (kernels.NEGASCOUT, False),
    "alphabeta-sorted": (kernels.ALPHABETA, True),
    "negamax-ab-sorted": (kernels.NEGAMAX_AB, True),
    "negascout-sorted": (kernels.NEGASCOUT, True),
}
"""Each name: the number in the kernels, and whether moves are sorted by the evaluation after them."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found."""

    value: float
    """Of the position for its side to move: an evaluation, or 1e9 for a win, -1e9 for a loss, 0 for a draw
    that is certain.
    """
    move: int | None
    """A best move, PASS where the side must pass, None where the game is over."""
    nodes: int
    """Positions visited, the root included, each as often as it was."""


def search(
    board: Board, algorithm: str, depth: int, evaluator: Evaluator, rng: np.random.Generator
) -> Result:
    """Search `depth` plies, at least one.

    The algorithms differ in their nodes alone; of moves of equal value each is equally likely. The search is
    compiled for a CompiledEvaluator; for any other the tree is not pruned and its leaves come in batches.
    Raises KeyError for an algorithm that does not exist, ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"a search of depth {depth} chooses no move: expected 1 or more")
    number, sort = ALGORITHMS[algorithm]
    moves = np.array(list(board.legal_moves) or [PASS] * board.must_pass, np.int64)
    if not isinstance(evaluator, CompiledEvaluator):
        return _batched(board, moves, depth, evaluator, rng)
    task = _task(board.size, depth, evaluator, sort)
    task.moves[depth, : len(moves)] = rng.permutation(moves)
    own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
    value, move = kernels.search_root(number, own, opponent, depth, len(moves), task)
    return Result(value, move if len(moves) else None, int(task.nodes[0]))


def _task(size: int, depth: int, evaluator: CompiledEvaluator, sort: bool) -> kernels.Task:
    evaluator.check_size(size)
    cells = size * size
    moves, keys = np.zeros((depth + 1, cells), np.int64), np.zeros(cells)
    return kernels.Task(size, evaluator.parameters, sort, np.zeros(1, np.int64), moves, keys)


def _batched(
    board: Board, moves: NDArray[np.int64], depth: int, evaluator: Evaluator, rng: np.random.Generator
) -> Result:
    root = Positions.of([board])
    if not len(moves):
        value, nodes = batched.values(root, 0, evaluator)
        return Result(float(value[0]), None, nodes)
    below, nodes = batched.values(batched.children(root), depth - 1, evaluator)
    order = rng.permutation(len(moves))
    best = order[np.argmax(-below[order])]
    return Result(float(-below[best]), int(moves[best]), nodes + 1)
