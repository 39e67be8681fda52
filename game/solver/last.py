"""The last squares of a game: scores, and positions with at most three empty squares, without move lists."""

from othello_lab.game.kernels.bitboard import flips
from othello_lab.game.kernels.bits import Bits, Integer, count, lowest, occupied, single, without_lowest
from othello_lab.game.kernels.jit import compiled


@compiled
def final_value(own: Bits, opponent: Bits, size: int, bonus: bool) -> Integer:
    """Return the value of a finished game for the side `own`; with `bonus` the empties go to the winner."""
    mine, theirs = count(own), count(opponent)
    if not bonus or mine == theirs:
        return mine - theirs
    return size * size - 2 * theirs if mine > theirs else 2 * mine - size * size


@compiled
def _value_of_one(own: Bits, opponent: Bits, square: int, size: int, bonus: bool) -> Integer:
    """Return the value of a position whose only empty square is `square`."""
    # Both are found in any case: whether the first will do is hard for the processor to predict.
    gain, loss = count(flips(own, opponent, square, size)), count(flips(opponent, own, square, size))
    difference = 2 * count(own) - size * size + 1  # the opponent has what is left of all squares but one
    nobody = difference
    if bonus:
        nobody += 1 if difference > 0 else -1
    otherwise = difference - 2 * loss - 1 if loss > 0 else nobody
    return difference + 2 * gain + 1 if gain > 0 else otherwise


_NONE = -(1 << 20)


@compiled
def _first_then(own: Bits, opponent: Bits, first: int, second: int, size: int, bonus: bool) -> Integer:
    """Return the value of playing `first` when only `second` is empty besides, _NONE if it is not legal."""
    gain = flips(own, opponent, first, size)
    if not occupied(gain):
        return _NONE
    return -_value_of_one(opponent & ~gain, own | gain | single(own, first), second, size, bonus)


@compiled
def _value_of_two(own: Bits, opponent: Bits, empties: Bits, beta: int, size: int, bonus: bool) -> Integer:
    """Return the value of a position with two empty squares; a value from `beta` on may be too low."""
    a = lowest(empties)
    b = lowest(without_lowest(empties))
    best = _first_then(own, opponent, a, b, size, bonus)
    if best >= beta:
        return best
    best = max(best, _first_then(own, opponent, b, a, size, bonus))
    if best > _NONE:
        return best
    worst = max(_first_then(opponent, own, a, b, size, bonus), _first_then(opponent, own, b, a, size, bonus))
    return -worst if worst > _NONE else final_value(own, opponent, size, bonus)


@compiled
def _best_of_three(
    own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, size: int, bonus: bool
) -> Integer:
    """Return the value of the best move, or of the first that is worth `beta`; _NONE if none is legal."""
    best = _NONE
    for part in (empties & odd, empties & ~odd):
        rest = part
        while occupied(rest) and best < beta:
            square = lowest(rest)
            rest = without_lowest(rest)
            gain = flips(own, opponent, square, size)
            if occupied(gain):
                disc = single(own, square)
                value = -_value_of_two(
                    opponent & ~gain, own | gain | disc, empties & ~disc, 1 - beta, size, bonus
                )
                best = max(best, value)
    return best


@compiled
def _value_of_three(
    own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, size: int, bonus: bool
) -> Integer:
    best = _best_of_three(own, opponent, empties, odd, beta, size, bonus)
    if best > _NONE:
        return best
    worst = _best_of_three(opponent, own, empties, odd, 1 - beta, size, bonus)
    return -worst if worst > _NONE else final_value(own, opponent, size, bonus)


FEW = 3
"""This many empty squares need no list of moves; measured, four do."""


@compiled
def value_of_few(
    own: Bits, opponent: Bits, empties: Bits, odd: Bits, beta: int, size: int, bonus: bool
) -> Integer:
    """Return the value of a position with up to FEW empty squares; one from `beta` on may be too low, any
    other too high.
    """
    left = count(empties)
    if left == 3:
        return _value_of_three(own, opponent, empties, odd, beta, size, bonus)
    if left == 2:
        return _value_of_two(own, opponent, empties, beta, size, bonus)
    if left == 1:
        return _value_of_one(own, opponent, lowest(empties), size, bonus)
    return final_value(own, opponent, size, bonus)
