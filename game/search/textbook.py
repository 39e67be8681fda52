"""Textbook searches of fixed depth: minimax, alpha-beta, negamax, the same with alpha-beta, negascout.

All algorithms search `depth` plies; a pass is a ply. A finished game has the value of a win, loss or draw.
minimax and alpha-beta compute values for the side that moves at the root, and alternate between maximum and
minimum. The negamax family computes values for the side to move.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import (
    PARAMETERS,
    CompiledEvaluator,
    Evaluator,
    evaluate,
    finished,
)
from othello_lab.game.kernels.bitboard import is_over, legal_moves, played
from othello_lab.game.kernels.bits import Bits, from_int, lowest, occupied, without_lowest
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import PASS
from othello_lab.game.search import batched

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
"""The names of the algorithms. Names with "sorted" try moves in the order of the evaluation after each move,
other algorithms in ascending order. At the root the order is always random: equal moves are equally likely.
"""
DEEPEST = 60
"""The largest depth in plies: a deeper search has no room for its moves."""
TASK = np.dtype(
    [
        ("size", np.int64),
        ("parameters", PARAMETERS),
        # At the root, in plies. Its moves are listed before, in the order in which equals are preferred.
        ("depth", np.int64),
        # Whether moves below the root are sorted by the evaluation after each move, the best first.
        ("sort", np.bool_),
        # The number of positions visited, including the root.
        ("nodes", np.int64),
        # The moves to try if this many plies remain; their number: 1 for a pass, 0 if the search ends.
        ("moves", np.int16, (DEEPEST + 1, 256)),
        ("choices", np.int64, DEEPEST + 1),
        # The first of the best moves; at the root, the result.
        ("best", np.int16, DEEPEST + 1),
        # The sort keys of the moves.
        ("keys", np.float64, 256),
    ],
    align=True,
)
"""The constants of a search and its working memory. An item is passed as a pointer. A tuple of arrays would
be copied at every step of the recursion, and take three times as long.
"""
# An item of TASK: compiled code reads and writes its fields as attributes.
Task = Any


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search."""

    value: float
    """For the side to move: an evaluation; 1e9 for a certain win, -1e9 for a certain loss, 0 for a draw."""
    move: int | None
    """A best move, PASS if the side to move must pass, None if the game is over."""
    nodes: int
    """The number of positions visited, including the root and repeated visits."""


def search(
    board: Board, algorithm: str, depth: int, evaluator: Evaluator, rng: np.random.Generator
) -> Result:
    """Return the result of a search of `depth` plies.

    The algorithms differ only in the number of nodes. Moves of equal value are equally likely; the same state
    of `rng` gives the same move. The search is compiled for a CompiledEvaluator. For other evaluators the
    tree is not pruned, and the leaves are valued in batches.
    Raises ValueError for an algorithm that is not in ALGORITHMS, a depth outside of 1 to 60, or an evaluator
    for another board size.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"there is no search {algorithm!r}; there are: {', '.join(ALGORITHMS)}")
    if not 1 <= depth <= DEEPEST:
        raise ValueError(f"a search of depth {depth} is not possible: expected 1 to {DEEPEST}")
    moves = rng.permutation(np.array(list(board.legal_moves) or [PASS] * board.must_pass, np.int64))
    if not isinstance(evaluator, CompiledEvaluator):
        return _batched(board, moves, depth, evaluator)
    evaluator.check_size(board.size)
    task: Task = np.zeros(1, TASK)[0]
    task["size"], task["depth"], task["sort"] = board.size, depth, algorithm.endswith("-sorted")
    task["parameters"] = evaluator.parameters
    task["choices"][depth] = len(moves)
    task["moves"][depth, : len(moves)] = moves
    own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
    value = _run(algorithm.removesuffix("-sorted"), own, opponent, task)
    # A change of sides can turn 0.0 into -0.0; adding 0 turns it back.
    return Result(value + 0.0, int(task["best"][depth]) if len(moves) else None, int(task["nodes"]))


def _run(algorithm: str, own: Bits, opponent: Bits, task: Task) -> float:
    """Run a kernel on the root and return its value.

    Python calls each kernel directly: numba cannot load a recursive function from its cache on behalf of
    another compiled one.
    """
    depth, infinity = int(task["depth"]), np.inf
    if algorithm == "minimax":
        return minimax(own, opponent, depth, True, task)
    if algorithm == "alphabeta":
        return alphabeta(own, opponent, depth, -infinity, infinity, True, task)
    if algorithm == "negamax":
        return negamax(own, opponent, depth, task)
    kernel = negamax_ab if algorithm == "negamax-ab" else negascout
    return kernel(own, opponent, depth, -infinity, infinity, task)


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


@compiled
def minimax(own: Bits, opponent: Bits, depth: int, maximising: bool, task: Task) -> float:
    """Return the value for the side to move at the root."""
    if not _visit(own, opponent, depth, task):
        return _leaf(own, opponent, task) if maximising else -_leaf(own, opponent, task)
    best = -np.inf if maximising else np.inf
    for i in range(task.choices[depth]):
        mine, theirs = played(own, opponent, task.moves[depth, i], task.size)
        value = minimax(mine, theirs, depth - 1, not maximising, task)
        if (value > best) if maximising else (value < best):
            best, task.best[depth] = value, task.moves[depth, i]
    return best


@compiled
def alphabeta(
    own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, maximising: bool, task: Task
) -> float:
    """Return the value of `minimax`; a bound if the value is not between alpha and beta."""
    if not _visit(own, opponent, depth, task):
        return _leaf(own, opponent, task) if maximising else -_leaf(own, opponent, task)
    best = -np.inf if maximising else np.inf
    for i in range(task.choices[depth]):
        mine, theirs = played(own, opponent, task.moves[depth, i], task.size)
        value = alphabeta(mine, theirs, depth - 1, alpha, beta, not maximising, task)
        if (value > best) if maximising else (value < best):
            best, task.best[depth] = value, task.moves[depth, i]
        if maximising:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


@compiled
def negamax(own: Bits, opponent: Bits, depth: int, task: Task) -> float:
    """Return the value for the side to move."""
    if not _visit(own, opponent, depth, task):
        return _leaf(own, opponent, task)
    best = -np.inf
    for i in range(task.choices[depth]):
        mine, theirs = played(own, opponent, task.moves[depth, i], task.size)
        value = -negamax(mine, theirs, depth - 1, task)
        if value > best:
            best, task.best[depth] = value, task.moves[depth, i]
    return best


@compiled
def negamax_ab(own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, task: Task) -> float:
    """Return the value of `negamax`; a bound if the value is not between alpha and beta."""
    if not _visit(own, opponent, depth, task):
        return _leaf(own, opponent, task)
    best = -np.inf
    for i in range(task.choices[depth]):
        mine, theirs = played(own, opponent, task.moves[depth, i], task.size)
        value = -negamax_ab(mine, theirs, depth - 1, -beta, -max(alpha, best), task)
        if value > best:
            best, task.best[depth] = value, task.moves[depth, i]
        if best >= beta:
            break
    return best


@compiled
def negascout(own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, task: Task) -> float:
    """Return the same as `negamax_ab` (Reinefeld 1983).

    The first move is searched with the full window. The other moves are searched with an empty window, which
    only finds out whether a move is better. A better move is searched again.
    """
    if not _visit(own, opponent, depth, task):
        return _leaf(own, opponent, task)
    best = -np.inf
    for i in range(task.choices[depth]):
        mine, theirs = played(own, opponent, task.moves[depth, i], task.size)
        floor = max(alpha, best)
        ceiling = beta if i == 0 else np.nextafter(floor, np.inf)
        value = -negascout(mine, theirs, depth - 1, -ceiling, -floor, task)
        if ceiling <= value < beta:
            value = -negascout(mine, theirs, depth - 1, -beta, -floor, task)
        if value > best:
            best, task.best[depth] = value, task.moves[depth, i]
        if best >= beta:
            break
    return best


@compiled
def _visit(own: Bits, opponent: Bits, depth: int, task: Task) -> bool:
    """Count a position and list its moves, or the pass; return False if the search ends here."""
    task.nodes += 1
    if depth == 0:
        return False
    if depth < task.depth:
        task.choices[depth] = _list_moves(own, opponent, task.moves[depth], task.size)
        if task.sort and task.choices[depth] > 1:
            _sort(own, opponent, task.moves[depth], task.choices[depth], task)
    return bool(task.choices[depth] > 0)


@compiled
def _list_moves(own: Bits, opponent: Bits, listed: NDArray[np.int16], size: int) -> int:
    """List the legal moves in ascending order, or one PASS; return their number."""
    choices = 0
    moves = legal_moves(own, opponent, size)
    while occupied(moves):
        listed[choices] = lowest(moves)
        moves = without_lowest(moves)
        choices += 1
    if choices == 0 and occupied(legal_moves(opponent, own, size)):
        listed[0] = PASS
        return 1
    return choices


@compiled
def _sort(own: Bits, opponent: Bits, moves: NDArray[np.int16], choices: int, task: Task) -> None:
    """Sort the moves by the evaluation after each move, the best first; the sort is stable."""
    keys = task.keys
    for i in range(choices):
        move = moves[i]
        mine, theirs = played(own, opponent, move, task.size)
        key = evaluate(mine, theirs, task.size, task.parameters)
        place = i
        while place > 0 and keys[place - 1] > key:
            moves[place], keys[place] = moves[place - 1], keys[place - 1]
            place -= 1
        moves[place], keys[place] = move, key


@compiled
def _leaf(own: Bits, opponent: Bits, task: Task) -> float:
    """Return the value of a position for its side to move, without a search."""
    if is_over(own, opponent, task.size):
        return finished(own, opponent)
    return evaluate(own, opponent, task.size, task.parameters)
