"""The textbook searches as compiled recursions: minimax, alpha-beta, negamax, with alpha-beta, negascout.

All of them search `depth` plies, where a pass is a ply like any other, and take a finished game for won, lost
or drawn. minimax and alpha-beta hold values from the view of the side that moves at the root and take turns
between the most and the least; the negamax family holds them from the view of the side to move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from game.bitboard import after, legal_moves
from game.compiled import compiled
from game.evaluators.compiled import Parameters, evaluate, finished
from game.notation import PASS
from game.words import Words, lowest, occupied, without_lowest

MINIMAX, ALPHABETA, NEGAMAX, NEGAMAX_AB, NEGASCOUT = range(5)


class Task(NamedTuple):
    """What stays the same throughout a search, and its scratch paper."""

    size: int
    parameters: Parameters
    sort: bool
    """Whether moves are tried in the order of the evaluation after them, the best first."""
    nodes: NDArray[np.int64]
    """[1]: how many positions were visited, the root included."""
    moves: NDArray[np.int64]
    """[depth + 1, size * size]: the moves to try where so many plies remain."""
    keys: NDArray[np.float64]
    """[size * size]: what they are sorted by."""


@compiled
def search_root(
    algorithm: int, own: Words, opponent: Words, depth: int, choices: int, task: Task
) -> tuple[float, int]:
    """Return the value of a position and its best move: the first that is strictly better than those before.

    The first `choices` of `task.moves[depth]` are the moves, in the order in which equals are preferred: one
    PASS where the side must pass, none where the game is over.
    """
    task.nodes[0] += 1
    if choices == 0:
        return finished(own, opponent), task.moves[depth, 0]
    if task.sort:
        _sort(own, opponent, depth, choices, task)
    best, move = -np.inf, task.moves[depth, 0]
    for i in range(choices):
        mine, theirs = _played(own, opponent, task.moves[depth, i], task.size)
        value = _child(algorithm, mine, theirs, depth - 1, best, task)
        # A move that only failed low against `best` is no better, and no tie either.
        if value > best:
            best, move = value, task.moves[depth, i]
    return best, move


@compiled
def _child(algorithm: int, own: Words, opponent: Words, depth: int, best: float, task: Task) -> float:
    """Return what a position after a root move is worth to the root; at most `best` is as good as exact."""
    if algorithm == MINIMAX:
        return _minimax(own, opponent, depth, False, task)
    if algorithm == ALPHABETA:
        return _alphabeta(own, opponent, depth, best, np.inf, False, task)
    if algorithm == NEGAMAX:
        return -_negamax(own, opponent, depth, task)
    if algorithm == NEGAMAX_AB:
        return -_negamax_ab(own, opponent, depth, -np.inf, -best, task)
    if best > -np.inf:
        # As within the tree: first ask whether the move is better at all.
        value = -_negascout(own, opponent, depth, -np.nextafter(best, np.inf), -best, task)
        if value <= best:
            return value
    return -_negascout(own, opponent, depth, -np.inf, -best, task)


@compiled
def _minimax(own: Words, opponent: Words, depth: int, maximising: bool, task: Task) -> float:
    choices = _visit(own, opponent, depth, task)
    if choices == 0:
        return _leaf(own, opponent, task) if maximising else -_leaf(own, opponent, task)
    best = -np.inf if maximising else np.inf
    for i in range(choices):
        mine, theirs = _played(own, opponent, task.moves[depth, i], task.size)
        value = _minimax(mine, theirs, depth - 1, not maximising, task)
        best = max(best, value) if maximising else min(best, value)
    return best


@compiled
def _alphabeta(
    own: Words, opponent: Words, depth: int, alpha: float, beta: float, maximising: bool, task: Task
) -> float:
    choices = _visit(own, opponent, depth, task)
    if choices == 0:
        return _leaf(own, opponent, task) if maximising else -_leaf(own, opponent, task)
    best = -np.inf if maximising else np.inf
    for i in range(choices):
        mine, theirs = _played(own, opponent, task.moves[depth, i], task.size)
        value = _alphabeta(mine, theirs, depth - 1, alpha, beta, not maximising, task)
        if maximising:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


@compiled
def _negamax(own: Words, opponent: Words, depth: int, task: Task) -> float:
    choices = _visit(own, opponent, depth, task)
    if choices == 0:
        return _leaf(own, opponent, task)
    best = -np.inf
    for i in range(choices):
        mine, theirs = _played(own, opponent, task.moves[depth, i], task.size)
        best = max(best, -_negamax(mine, theirs, depth - 1, task))
    return best


@compiled
def _negamax_ab(own: Words, opponent: Words, depth: int, alpha: float, beta: float, task: Task) -> float:
    choices = _visit(own, opponent, depth, task)
    if choices == 0:
        return _leaf(own, opponent, task)
    best = -np.inf
    for i in range(choices):
        mine, theirs = _played(own, opponent, task.moves[depth, i], task.size)
        best = max(best, -_negamax_ab(mine, theirs, depth - 1, -beta, -max(alpha, best), task))
        if best >= beta:
            break
    return best


@compiled
def _negascout(own: Words, opponent: Words, depth: int, alpha: float, beta: float, task: Task) -> float:
    """Reinefeld 1983: the first move with the full window, the others with an empty one that only asks
    whether they are better; one that is, is searched again.
    """
    choices = _visit(own, opponent, depth, task)
    if choices == 0:
        return _leaf(own, opponent, task)
    best = -np.inf
    for i in range(choices):
        mine, theirs = _played(own, opponent, task.moves[depth, i], task.size)
        floor = max(alpha, best)
        ceiling = beta if i == 0 else np.nextafter(floor, np.inf)
        value = -_negascout(mine, theirs, depth - 1, -ceiling, -floor, task)
        if ceiling <= value < beta:
            value = -_negascout(mine, theirs, depth - 1, -beta, -floor, task)
        best = max(best, value)
        if best >= beta:
            break
    return best


@compiled
def _visit(own: Words, opponent: Words, depth: int, task: Task) -> int:
    """Count a position and list its moves, or the pass; return how many, 0 where the search ends."""
    task.nodes[0] += 1
    if depth == 0:
        return 0
    choices = 0
    moves = legal_moves(own, opponent, task.size)
    while occupied(moves):
        task.moves[depth, choices] = lowest(moves)
        moves = without_lowest(moves)
        choices += 1
    if choices == 0 and occupied(legal_moves(opponent, own, task.size)):
        task.moves[depth, 0] = PASS
        return 1
    if task.sort:
        _sort(own, opponent, depth, choices, task)
    return choices


@compiled
def _sort(own: Words, opponent: Words, depth: int, choices: int, task: Task) -> None:
    """Put the moves in the order of the evaluation after them, the best first; equals stay as they were."""
    moves, keys = task.moves[depth], task.keys
    for i in range(choices):
        move = moves[i]
        mine, theirs = _played(own, opponent, move, task.size)
        key = evaluate(mine, theirs, task.size, task.parameters)
        place = i
        while place > 0 and keys[place - 1] > key:
            moves[place], keys[place] = moves[place - 1], keys[place - 1]
            place -= 1
        moves[place], keys[place] = move, key


@compiled
def _played(own: Words, opponent: Words, move: int, size: int) -> tuple[Words, Words]:
    """Return (own, opponent) after a move or PASS, from the view of the side that is then to move."""
    if move == PASS:
        return opponent, own
    mine, theirs = after(own, opponent, move, size)
    return theirs, mine


@compiled
def _leaf(own: Words, opponent: Words, task: Task) -> float:
    """Return how good a position is for its side to move, without looking further."""
    if occupied(legal_moves(own, opponent, task.size)) or occupied(legal_moves(opponent, own, task.size)):
        return evaluate(own, opponent, task.size, task.parameters)
    return finished(own, opponent)
