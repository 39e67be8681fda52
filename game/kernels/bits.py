"""A set of squares in compiled code: one 64-bit word up to 8x8, a tuple of four words beyond.

Square s is bit s % 64 of word s // 64. Everything here works on both kinds, so that the rules in
`bitboard.py` are written once. `&`, `|` and `~` are given to the tuples as numba overloads; the named
functions exist in compiled code only.
"""

import operator
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from othello_lab.game.kernels.jit import compiled, overloads, popcount, trailing_zeros

# Two kinds of set, one name: compiled code picks the implementation by the argument's numba type.
Bits = Any
# Many sets, [n, words]: square s of row i is bit s % 64 of rows[i, s // 64].
Rows = NDArray[np.uint64]
# int64 or uint64 in compiled code, int outside.
Integer = Any
FOUR = types.UniTuple(types.uint64, 4)  # type: ignore[no-untyped-call]  # numba types only parts of itself
"""The numba type of a set beyond 8x8."""
_ONE = np.uint64(1)
ONE_WORD = 8
"""The largest board whose squares fit one word."""


def words_of(size: int) -> int:
    """Return how many 64-bit words hold the squares of one side: 1 up to 8x8, else 4."""
    return 1 if size <= ONE_WORD else 4


def from_int(squares: int, size: int) -> Bits:
    """Return the kernel form of a set of squares given as a Python integer (square s is bit s)."""
    if size <= ONE_WORD:
        return np.uint64(squares)
    return tuple(np.frombuffer(squares.to_bytes(32, "little"), np.uint64))


def to_int(words: Bits) -> int:
    """Return the Python integer of a set of squares that came from a kernel."""
    if isinstance(words, tuple):
        return int(words[0]) | int(words[1]) << 64 | int(words[2]) << 128 | int(words[3]) << 192
    return int(words)


@overloads(operator.and_)
def _and(a: Bits, b: Bits) -> object:
    if a == FOUR and b == FOUR:
        return lambda a, b: (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3])
    return None


@overloads(operator.or_)
def _or(a: Bits, b: Bits) -> object:
    if a == FOUR and b == FOUR:
        return lambda a, b: (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3])
    return None


@overloads(operator.invert)
def _invert(a: Bits) -> object:
    return (lambda a: (~a[0], ~a[1], ~a[2], ~a[3])) if a == FOUR else None


@compiled
def _bit(square: int) -> Bits:
    """Return the word of one square, 0 for a square that is not from 0 to 63."""
    return _ONE << np.uint64(square) if 0 <= square < 64 else np.uint64(0)


def from_row(kind: Bits, row: Bits) -> Bits:
    """Return the set in row `row` of an array [*, 4] of words, of the type of `kind`."""
    raise TypeError("compiled code only")


@overloads(from_row)
def _from_row(kind: Bits, row: Bits) -> object:
    if kind == FOUR:
        return lambda kind, row: (row[0], row[1], row[2], row[3])
    return lambda kind, row: row[0]


def nth_row(kind: Bits, rows: Rows, i: int) -> Bits:
    """Return the set in row `i` of an array [n, *] of words.

    There is no view of the row, which would keep a loop from being vectorised.
    """
    raise TypeError("compiled code only")


@overloads(nth_row)
def _nth_row(kind: Bits, rows: Rows, i: int) -> object:
    if kind == FOUR:
        return lambda kind, rows, i: (rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3])
    return lambda kind, rows, i: rows[i, 0]


def write_nth_row(squares: Bits, rows: Rows, i: int) -> None:
    """Write a set into row `i` of an array [n, *] of words, likewise."""
    raise TypeError("compiled code only")


@overloads(write_nth_row)
def _write_nth_row(squares: Bits, rows: Rows, i: int) -> object:
    def one(squares: Bits, rows: Rows, i: int) -> None:
        rows[i, 0] = squares

    def four(squares: Bits, rows: Rows, i: int) -> None:
        for word in range(4):
            rows[i, word] = squares[word]

    return four if squares == FOUR else one


def _in_four_words(kind: Bits, square: int) -> object:
    return (_bit(square), _bit(square - 64), _bit(square - 128), _bit(square - 192))


def single(kind: Bits, square: int) -> Bits:
    """Return the set of one square, of the type of `kind`."""
    raise TypeError("compiled code only")


@overloads(single)
def _single(kind: Bits, square: int) -> object:
    if kind == FOUR:
        return _in_four_words
    return lambda kind, square: _ONE << np.uint64(square)


def single_or_none(kind: Bits, square: int) -> Bits:
    """Return the set of one square, the empty set for a negative one, of the type of `kind`."""
    raise TypeError("compiled code only")


@overloads(single_or_none)
def _single_or_none(kind: Bits, square: int) -> object:
    if kind == FOUR:
        return _in_four_words
    return lambda kind, square: (_ONE << np.uint64(square & 63)) if square >= 0 else np.uint64(0)


def word(squares: Bits, number: int) -> Integer:
    """Return one of the words of a set."""
    raise TypeError("compiled code only")


@overloads(word)
def _word(squares: Bits, number: int) -> object:
    return (lambda squares, number: squares[number]) if squares == FOUR else (lambda squares, number: squares)


def count(squares: Bits) -> Integer:
    """Count the squares of a set."""
    raise TypeError("compiled code only")


@overloads(count)
def _count(squares: Bits) -> object:
    if squares == FOUR:
        return lambda squares: np.int64(
            popcount(squares[0]) + popcount(squares[1]) + popcount(squares[2]) + popcount(squares[3])
        )
    return lambda squares: np.int64(popcount(squares))


def occupied(squares: Bits) -> bool:
    """Tell whether a set has any square."""
    raise TypeError("compiled code only")


@overloads(occupied)
def _occupied(squares: Bits) -> object:
    if squares == FOUR:
        return lambda squares: (squares[0] | squares[1] | squares[2] | squares[3]) != 0
    return lambda squares: squares != 0


def may_go_on(front: Bits, turn: int) -> bool:
    """Tell whether a fill by pairs of squares, `front` being the last pairs, may go on after `turn` turns."""
    raise TypeError("compiled code only")


@overloads(may_go_on)
def _may_go_on(front: Bits, turn: int) -> object:
    if front == FOUR:
        return lambda front, turn: occupied(front)
    # A line of 8 has at most 6 discs between two others. A fixed number of turns is unrolled, which beats
    # stopping early: that branch is hard to predict.
    return lambda front, turn: turn < 2


def lowest(squares: Bits) -> Integer:
    """Return the lowest square of a set that is not empty."""
    raise TypeError("compiled code only")


@overloads(lowest)
def _lowest(squares: Bits) -> object:
    if squares != FOUR:
        return lambda squares: np.int64(trailing_zeros(squares))

    def four(squares: Bits) -> Integer:
        index = 0
        while squares[index] == 0:
            index += 1
        return np.int64(64 * index) + np.int64(trailing_zeros(squares[index]))

    return four


def without_lowest(squares: Bits) -> Bits:
    """Return a set that is not empty without its lowest square."""
    raise TypeError("compiled code only")


@overloads(without_lowest)
def _without_lowest(squares: Bits) -> object:
    if squares == FOUR:
        return lambda squares: squares & ~single(squares, lowest(squares))
    return lambda squares: squares & (squares - _ONE)


@compiled
def _left(high: Bits, low: Bits, bits: int) -> Bits:
    """Return the upper word of (high, low) shifted left by 1 to 63 bits."""
    return (high << np.uint64(bits)) | (low >> np.uint64(64 - bits))


def raised(squares: Bits, by: int) -> Bits:
    """Move every square up by 1 to 63 indices; what leaves the words is lost."""
    raise TypeError("compiled code only")


@overloads(raised)
def _raised(squares: Bits, by: int) -> object:
    if squares != FOUR:
        return lambda squares, by: squares << np.uint64(by)

    def four(squares: Bits, by: int) -> Bits:
        return (
            squares[0] << np.uint64(by),
            _left(squares[1], squares[0], by),
            _left(squares[2], squares[1], by),
            _left(squares[3], squares[2], by),
        )

    return four


def lowered(squares: Bits, by: int) -> Bits:
    """Move every square down by 1 to 63 indices; what falls below 0 is lost."""
    raise TypeError("compiled code only")


@overloads(lowered)
def _lowered(squares: Bits, by: int) -> object:
    if squares != FOUR:
        return lambda squares, by: squares >> np.uint64(by)

    def four(squares: Bits, by: int) -> Bits:
        # (high, low) shifted right by n: its lower word is the upper one after a shift left by 64 - n.
        return (
            _left(squares[1], squares[0], 64 - by),
            _left(squares[2], squares[1], 64 - by),
            _left(squares[3], squares[2], 64 - by),
            squares[3] >> np.uint64(by),
        )

    return four
