"""A set of squares in compiled code: one 64-bit word up to 8x8, a tuple of four words beyond.

Square s is bit s % 64 of word s // 64. Everything here works on both kinds, so that the rules in
`bitboard.py` are written once. `&`, `|` and `~` are given to the tuples as numba overloads; the named
functions exist in compiled code only.
"""

import operator
from typing import Any

import numpy as np
from numba import types

from game.compiled import compiled, overloads, popcount, trailing_zeros

# Two kinds of set, one name: compiled code picks the implementation by the argument's numba type.
Words = Any
# int64 or uint64 in compiled code, int outside.
Integer = Any
_FOUR = types.UniTuple(types.uint64, 4)  # type: ignore[no-untyped-call]  # numba types only parts of itself
_ONE = np.uint64(1)


def from_int(squares: int, size: int) -> Words:
    """Return the kernel form of a set of squares given as a Python integer (square s is bit s)."""
    if size <= 8:
        return np.uint64(squares)
    return tuple(np.frombuffer(squares.to_bytes(32, "little"), np.uint64))


def to_int(words: Words) -> int:
    """Return the Python integer of a set of squares that came from a kernel."""
    if isinstance(words, tuple):
        return int(words[0]) | int(words[1]) << 64 | int(words[2]) << 128 | int(words[3]) << 192
    return int(words)


@overloads(operator.and_)
def _and(a: Words, b: Words) -> object:
    if a == _FOUR and b == _FOUR:
        return lambda a, b: (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3])
    return None


@overloads(operator.or_)
def _or(a: Words, b: Words) -> object:
    if a == _FOUR and b == _FOUR:
        return lambda a, b: (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3])
    return None


@overloads(operator.invert)
def _invert(a: Words) -> object:
    return (lambda a: (~a[0], ~a[1], ~a[2], ~a[3])) if a == _FOUR else None


@compiled
def _at(words: Words, index: int) -> Words:
    """Return one word of four, 0 outside of them."""
    return words[index] if 0 <= index < 4 else np.uint64(0)


@compiled
def _left(high: Words, low: Words, bits: int) -> Words:
    """Return the upper word of (high, low) shifted left by 0 to 63 bits."""
    # Two shifts on `low`: a single one by 64, for bits = 0, means nothing to the processor.
    return (high << np.uint64(bits)) | ((low >> _ONE) >> np.uint64(63 - bits))


@compiled
def _right(high: Words, low: Words, bits: int) -> Words:
    """Return the lower word of (high, low) shifted right by 0 to 63 bits."""
    return (low >> np.uint64(bits)) | ((high << _ONE) << np.uint64(63 - bits))


def raised(squares: Words, by: int) -> Words:
    """Move every square up by `by` indices; what leaves the words is lost."""
    raise TypeError("compiled code only")


@overloads(raised)
def _raised(squares: Words, by: int) -> object:
    if squares != _FOUR:
        return lambda squares, by: squares << np.uint64(by)

    def four(squares: Words, by: int) -> Words:
        w, bits = by >> 6, by & 63
        return (
            _left(_at(squares, 0 - w), _at(squares, -1 - w), bits),
            _left(_at(squares, 1 - w), _at(squares, 0 - w), bits),
            _left(_at(squares, 2 - w), _at(squares, 1 - w), bits),
            _left(_at(squares, 3 - w), _at(squares, 2 - w), bits),
        )

    return four


def lowered(squares: Words, by: int) -> Words:
    """Move every square down by `by` indices; what falls below 0 is lost."""
    raise TypeError("compiled code only")


@overloads(lowered)
def _lowered(squares: Words, by: int) -> object:
    if squares != _FOUR:
        return lambda squares, by: squares >> np.uint64(by)

    def four(squares: Words, by: int) -> Words:
        w, bits = by >> 6, by & 63
        return (
            _right(_at(squares, 1 + w), _at(squares, 0 + w), bits),
            _right(_at(squares, 2 + w), _at(squares, 1 + w), bits),
            _right(_at(squares, 3 + w), _at(squares, 2 + w), bits),
            _right(_at(squares, 4 + w), _at(squares, 3 + w), bits),
        )

    return four


def from_row(like: Words, row: Words) -> Words:
    """Return the set in row `row` of an array [*, 4] of words, of the same kind as `like`."""
    raise TypeError("compiled code only")


@overloads(from_row)
def _from_row(like: Words, row: Words) -> object:
    if like == _FOUR:
        return lambda like, row: (row[0], row[1], row[2], row[3])
    return lambda like, row: row[0]


def single(like: Words, square: int) -> Words:
    """Return the set of one square, of the same kind as `like`."""
    raise TypeError("compiled code only")


@overloads(single)
def _single(like: Words, square: int) -> object:
    if like == _FOUR:
        return lambda like, square: raised((_ONE, _ONE ^ _ONE, _ONE ^ _ONE, _ONE ^ _ONE), square)
    return lambda like, square: _ONE << np.uint64(square)


def count(squares: Words) -> Integer:
    """Count the squares of a set."""
    raise TypeError("compiled code only")


@overloads(count)
def _count(squares: Words) -> object:
    if squares == _FOUR:
        return lambda squares: np.int64(
            popcount(squares[0]) + popcount(squares[1]) + popcount(squares[2]) + popcount(squares[3])
        )
    return lambda squares: np.int64(popcount(squares))


def occupied(squares: Words) -> bool:
    """Tell whether a set has any square."""
    raise TypeError("compiled code only")


@overloads(occupied)
def _occupied(squares: Words) -> object:
    if squares == _FOUR:
        return lambda squares: (squares[0] | squares[1] | squares[2] | squares[3]) != 0
    return lambda squares: squares != 0


def lowest(squares: Words) -> Integer:
    """Return the lowest square of a set that is not empty."""
    raise TypeError("compiled code only")


@overloads(lowest)
def _lowest(squares: Words) -> object:
    if squares != _FOUR:
        return lambda squares: np.int64(trailing_zeros(squares))

    def four(squares: Words) -> Integer:
        index = 0
        while squares[index] == 0:
            index += 1
        return np.int64(64 * index) + np.int64(trailing_zeros(squares[index]))

    return four


def without_lowest(squares: Words) -> Words:
    """Return a set that is not empty without its lowest square."""
    raise TypeError("compiled code only")


@overloads(without_lowest)
def _without_lowest(squares: Words) -> object:
    if squares == _FOUR:
        return lambda squares: squares & ~single(squares, lowest(squares))
    return lambda squares: squares & (squares - _ONE)
