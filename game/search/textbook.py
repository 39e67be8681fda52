"""Textbook searches of fixed depth: eight algorithms, any evaluator, one function."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, Evaluator
from othello_lab.game.kernels.bits import Bits, from_int
from othello_lab.game.notation import PASS
from othello_lab.game.search import batched
from othello_lab.game.search import textbook_kernels as kernels
from othello_lab.game.search.textbook_kernels import DEEPEST

ALGORITHMS = (
    "minimax",
    "alphabeta",
    "negamax",
    "negamax-ab",
    "negascout",
    "alphabeta-sorted",
    "negamax-ab-sorted",
    "negascout-sorted",
)
"""The sorted ones try moves in the order of the evaluation after them, the others in ascending order. At the
root the order is random for all, or equal moves would not be equally likely.
"""


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
    """Search `depth` plies.

    The algorithms differ in their nodes alone: of moves of equal value each is equally likely, and the same
    state of `rng` gives the same move. The search is compiled for a CompiledEvaluator; for any other the tree
    is not pruned and its leaves come in batches.
    Raises ValueError for an algorithm that is not in ALGORITHMS, a depth outside of 1 to 60, or an evaluator
    for another size of board.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"there is no search {algorithm!r}; there are: {', '.join(ALGORITHMS)}")
    if not 1 <= depth <= DEEPEST:
        raise ValueError(f"a search of depth {depth} is not possible: expected 1 to {DEEPEST}")
    moves = rng.permutation(np.array(list(board.legal_moves) or [PASS] * board.must_pass, np.int64))
    if not isinstance(evaluator, CompiledEvaluator):
        return _batched(board, moves, depth, evaluator)
    task = _task(board.size, depth, evaluator, algorithm.endswith("-sorted"))
    task["choices"][depth] = len(moves)
    task["moves"][depth, : len(moves)] = moves
    own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
    value = _run(algorithm.removesuffix("-sorted"), own, opponent, task)
    # Adding 0 makes -0.0, a zero that came through a change of sides, 0.0.
    return Result(value + 0.0, int(task["best"][depth]) if len(moves) else None, int(task["nodes"]))


def _run(algorithm: str, own: Bits, opponent: Bits, task: kernels.Task) -> float:
    """Run a kernel on the root and return its value."""
    depth, infinity = int(task["depth"]), np.inf
    if algorithm == "minimax":
        return kernels.minimax(own, opponent, depth, True, task)
    if algorithm == "alphabeta":
        return kernels.alphabeta(own, opponent, depth, -infinity, infinity, True, task)
    if algorithm == "negamax":
        return kernels.negamax(own, opponent, depth, task)
    kernel = {"negamax-ab": kernels.negamax_ab, "negascout": kernels.negascout}[algorithm]
    return kernel(own, opponent, depth, -infinity, infinity, task)


def _task(size: int, depth: int, evaluator: CompiledEvaluator, sort: bool) -> kernels.Task:
    evaluator.check_size(size)
    task = np.zeros(1, kernels.TASK)[0]
    task["size"], task["depth"], task["sort"] = size, depth, sort
    task["parameters"] = evaluator.parameters
    return task


def _batched(board: Board, moves: NDArray[np.int64], depth: int, evaluator: Evaluator) -> Result:
    root = Positions.of([board])
    if not len(moves):
        value, nodes = batched.values(root, 0, evaluator)
        return Result(float(value[0]), None, nodes)
    below, nodes = batched.values(batched.children(root), depth - 1, evaluator)
    # The children lie in the order of ascending moves.
    values = -below[np.argsort(np.argsort(moves))]
    best = int(np.argmax(values))
    return Result(float(values[best]) + 0.0, int(moves[best]), nodes + 1)
