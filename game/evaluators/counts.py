"""Counts of an n-tuple network beside its patterns: the moves, the discs and the filled squares.

Patterns are local: no sum of them sees that a side has three discs left on the whole board, and is about to
lose them all. Each count has a table of weights for every stage, behind those of the patterns.
"""

from game.evaluators.patterns import MOST
from game.kernels.jit import compiled
from game.kernels.words import Integer, Words, count

_PAIRS = (MOST + 1) ** 2


@compiled
def places(own: Words, opponent: Words, moves: Words, replies: Words) -> tuple[Integer, Integer, Integer]:
    """Return the places of the weights for moves, discs and filled squares.

    `moves` are where the side to move may move, `replies` where the other side could, were it to move.
    """
    of_moves = _pair(count(moves), count(replies))
    of_discs = _PAIRS + _pair(count(own), count(opponent))
    return of_moves, of_discs, 2 * _PAIRS + count(own | opponent)


@compiled
def _pair(own: Integer, opponent: Integer) -> Integer:
    """Number two counts; those above MOST are taken for MOST."""
    return min(own, MOST) * (MOST + 1) + min(opponent, MOST)
