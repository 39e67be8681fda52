"""Textbook searches of fixed depth, such as minimax, alpha-beta, negamax and negascout.

A pass is a ply. A finished game has the value of a win, loss or draw. Minimax and negamax visit the same
positions and find the same moves, so all algorithms share the compiled function `negamax`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import PARAMETERS, CompiledEvaluator, Evaluator, evaluate, finished
from othello_lab.game.kernels.bitboard import after, is_over, legal_moves, played
from othello_lab.game.kernels.bits import (
    Bits,
    Rows,
    count,
    lowest,
    nth_row,
    occupied,
    without_lowest,
    write_nth_row,
)
from othello_lab.game.kernels.jit import compiled, compiled_helper
from othello_lab.game.notation import PASS

# The names and descriptions of the algorithms.
ALGORITHMS = {
    "minimax": "minimax search of all moves to a fixed depth",
    "alphabeta": "minimax with alpha-beta pruning",
    "negamax": "minimax, written with one rule for both sides",
    "negamax-ab": "alphabeta, written with one rule for both sides",
    "negascout": "negamax-ab that first tests only whether a move is better",
    "alphabeta-sorted": "alphabeta that tries the moves in the order of their evaluations",
    "negamax-ab-sorted": "negamax-ab that tries the moves in the order of their evaluations",
    "negascout-sorted": "negascout that tries the moves in the order of their evaluations",
}
DEEPEST = 60  # The maximum depth in plies, because TASK has no room for the moves of a deeper search.
# The constants and the working memory of a search, which compiled code passes by reference.
TASK = np.dtype(
    [
        ("size", np.int64),
        ("parameters", PARAMETERS),
        # The depth at the root in plies. The moves of the root are in `moves` before the search begins.
        ("depth", np.int64),
        # Whether moves below the root are sorted by the evaluation after each move, the best first.
        ("sort", np.bool_),
        # Whether to use alpha-beta pruning, and whether to use null-window searches.
        ("prune", np.bool_),
        ("scout", np.bool_),
        # The number of visited positions, including the root.
        ("nodes", np.int64),
        # The moves for each number of remaining plies. A pass is one move.
        ("moves", np.int16, (DEEPEST + 1, 256)),
        # The number of root moves, and the first best move.
        ("choices", np.int64),
        ("best", np.int16),
        # The sort keys of the moves.
        ("keys", np.float64, 256),
    ],
    align=True,
)
Task = Any  # An item of TASK. Compiled code reads and writes its fields as attributes.


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search."""

    # An evaluation for the side to move. A certain win is 1e9, a certain loss -1e9, and a draw 0.
    value: float
    move: int | None  # A best move, PASS if the side to move must pass, or None if the game is over.
    nodes: int  # The number of positions visited, including the root and repeated visits.


def search(
    board: Board, algorithm: str, depth: int, evaluator: Evaluator, rng: np.random.Generator
) -> Result:
    """Return the result of a search of `depth` plies. Moves of equal value are equally likely.

    With an evaluator that is not compiled, the search evaluates leaves in batches and does not prune.
    """
    moves = rng.permutation(np.array(list(board.legal_moves) or [PASS] * board.must_pass, np.int64))
    if not isinstance(evaluator, CompiledEvaluator):
        return _batched(board, moves, depth, evaluator)
    evaluator.check_size(board.size)
    task: Task = np.zeros(1, TASK)[0]
    task["size"], task["depth"], task["sort"] = board.size, depth, algorithm.endswith("-sorted")
    task["prune"], task["scout"] = algorithm not in ("minimax", "negamax"), algorithm.startswith("negascout")
    task["parameters"] = evaluator.parameters
    task["choices"] = len(moves)
    task["moves"][depth, : len(moves)] = moves
    value = negamax(*board.for_kernels, depth, -np.inf, np.inf, task)
    # Negation can turn 0.0 into -0.0, and the addition of 0.0 turns -0.0 into 0.0.
    return Result(value + 0.0, int(task["best"]) if len(moves) else None, int(task["nodes"]))


def _batched(board: Board, moves: NDArray[np.int64], depth: int, evaluator: Evaluator) -> Result:
    root = Positions.of([board])
    if not len(moves):
        value, nodes = batched_values(root, 0, evaluator)
        return Result(float(value[0]), None, nodes)
    below, nodes = batched_values(children(root), depth - 1, evaluator)
    # The children are in the order of ascending moves.
    values = -below[np.argsort(np.argsort(moves))]
    best = int(np.argmax(values))
    return Result(float(values[best]) + 0.0, int(moves[best]), nodes + 1)


@compiled
def negamax(own: Bits, opponent: Bits, depth: int, alpha: float, beta: float, task: Task) -> float:
    """Return the value for the side to move. With `prune`, a value outside of the window is only a bound.

    With `scout`, a null-window search first tests whether a later move is better (Reinefeld 1983).
    """
    task.nodes += 1
    moves, end = task.moves[depth], task.choices if depth == task.depth else 0
    if 0 < depth < task.depth:
        end = _list_moves(own, opponent, moves, task)
    if end == 0:
        over = is_over(own, opponent, task.size)
        return finished(own, opponent) if over else evaluate(own, opponent, task.size, task.parameters)
    best = -np.inf
    for i in range(end):
        mine, theirs = played(own, opponent, moves[i], task.size)
        floor = max(alpha, best) if task.prune else alpha
        ceiling = np.nextafter(floor, np.inf) if task.scout and i > 0 else beta
        value = -negamax(mine, theirs, depth - 1, -ceiling, -floor, task)
        if ceiling <= value < beta:
            value = -negamax(mine, theirs, depth - 1, -beta, -floor, task)
        if value > best:
            best = value
            if depth == task.depth:
                task.best = moves[i]
        if best >= beta:
            break
    return best


@compiled_helper
def _list_moves(own: Bits, opponent: Bits, listed: NDArray[np.int16], task: Task) -> int:
    """List the legal moves, or a forced PASS, and return their number.

    The order is ascending, or with `sort` by the evaluation after each move. The sort is stable.
    """
    size, choices = task.size, 0
    moves = legal_moves(own, opponent, size)
    if not occupied(moves) and occupied(legal_moves(opponent, own, size)):
        listed[0] = PASS
        return 1
    while occupied(moves):
        move, place = lowest(moves), choices
        moves = without_lowest(moves)
        choices += 1
        if task.sort:
            mine, theirs = played(own, opponent, move, size)
            key = evaluate(mine, theirs, size, task.parameters)
            while place > 0 and task.keys[place - 1] > key:
                listed[place], task.keys[place] = listed[place - 1], task.keys[place - 1]
                place -= 1
            task.keys[place] = key
        listed[place] = move
    return choices


# The search with any evaluator, which does not prune and evaluates leaves in large batches. A network
# evaluates a batch of a thousand leaves faster than a hundred single leaves.
BATCH = 1 << 14  # The maximum number of positions in one batch, which limits the memory.


def batched_values(positions: Positions, depth: int, evaluator: Evaluator) -> tuple[NDArray[np.float64], int]:
    """Return values of searches for the side to move, float64 [n], and the number of visited positions."""
    if len(positions) > BATCH:
        starts = range(0, len(positions), BATCH)
        parts = [batched_values(positions.take(slice(i, i + BATCH)), depth, evaluator) for i in starts]
        return np.concatenate([part for part, _ in parts]), sum(nodes for _, nodes in parts)
    choices, results = _look(positions)
    going = choices > 0
    visited = len(positions)
    if not going.any():
        return results, visited
    if depth == 0:
        results[going] = evaluator.values(positions.take(going))
        return results, visited
    below, nodes = batched_values(children(positions, choices), depth - 1, evaluator)
    # The index of the first child of each position. The children of a position are consecutive.
    first = (np.cumsum(choices) - choices)[going]
    results[going] = np.maximum.reduceat(-below, first)
    return results, visited + nodes


def move_values(positions: Positions, evaluator: Evaluator, plies: int = 1) -> NDArray[np.float64]:
    """Return the values of all legal moves in the order of `children`, float64 [moves].

    The search depth is `plies`, including the move.
    """
    if plies == 1 and isinstance(evaluator, CompiledEvaluator):
        return evaluator.move_values(positions)
    return -batched_values(children(positions), plies - 1, evaluator)[0]


def _look(positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the number of moves or passes, int64 [n], and the results of the finished games, [n]."""
    choices, results = np.zeros(len(positions), np.int64), np.zeros(len(positions))
    _look_at_all(*positions.for_kernels, choices, results)
    return choices, results


def children(positions: Positions, choices: NDArray[np.int64] | None = None) -> Positions:
    """Return the children of each position, in ascending order of moves."""
    if choices is None:
        choices, _ = _look(positions)
    shape = (int(choices.sum()), positions.own.shape[1])
    below = Positions(positions.size, np.empty(shape, np.uint64), np.empty(shape, np.uint64))
    _write_children(*positions.for_kernels, below.own, below.opponent)
    return below


@compiled
def _look_at_all(
    own: Rows, opponent: Rows, kind: Bits, size: int, choices: NDArray[np.int64], results: NDArray[np.float64]
) -> None:
    for i in range(len(choices)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        choices[i] = count(legal_moves(mine, theirs, size))
        if choices[i] == 0:
            if occupied(legal_moves(theirs, mine, size)):
                choices[i] = 1
            else:
                results[i] = finished(mine, theirs)


@compiled
def _write_children(
    own: Rows, opponent: Rows, kind: Bits, size: int, children_own: Rows, children_opponent: Rows
) -> None:
    place = 0
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        moves = legal_moves(mine, theirs, size)
        if not occupied(moves) and occupied(legal_moves(theirs, mine, size)):
            write_nth_row(theirs, children_own, place)
            write_nth_row(mine, children_opponent, place)
            place += 1
        while occupied(moves):
            moved, left = after(mine, theirs, lowest(moves), size)
            write_nth_row(left, children_own, place)
            write_nth_row(moved, children_opponent, place)
            place += 1
            moves = without_lowest(moves)
