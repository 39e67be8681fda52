"""What an n-tuple network counts beside its patterns: the moves, the discs and the filled squares.

Patterns are local: no sum of them sees that a side has three discs left on the whole board, and is about to
lose them all. Each count has a table of weights for every stage, behind those of the patterns.
"""

from game.evaluators.patterns import MOST
from game.kernels.jit import compiled
from game.kernels.words import Integer, Words, count

_PAIRS = (MOST + 1) ** 2


@compiled
def of_moves(own: Words, opponent: Words) -> Integer:
    """Return the place of a weight: by where the side to move has a move, and where the other side would."""
    return _pair(count(own), count(opponent))


@compiled
def of_discs(own: Words, opponent: Words) -> Integer:
    """Return the place of a weight: by how many discs each side has."""
    return _PAIRS + _pair(count(own), count(opponent))


@compiled
def of_filled(own: Words, opponent: Words) -> Integer:
    """Return the place of a weight: by how many squares are filled."""
    return 2 * _PAIRS + count(own | opponent)


@compiled
def _pair(own: Integer, opponent: Integer) -> Integer:
    """Number two counts; those above MOST are taken for MOST."""
    return min(own, MOST) * (MOST + 1) + min(opponent, MOST)
