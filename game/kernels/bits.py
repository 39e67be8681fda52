"""Sets of squares in compiled code: one 64-bit word up to 8x8, and a tuple of four words beyond 8x8."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from othello_lab.game.kernels.jit import compiled_helper, overloads, popcount, trailing_zeros

# A set of either kind. `&`, `|` and `~` are overloaded: the numba type selects the implementation.
Bits = Any
Rows = NDArray[np.uint64]  # Many sets, [n, words]. Square s of row i is bit s % 64 of rows[i, s // 64].
Integer = Any  # int64 or uint64 in compiled code, int outside.
# The numba type of a set for boards larger than 8x8.
FOUR = types.UniTuple(types.uint64, 4)  # type: ignore[no-untyped-call]  # numba types only parts of itself
_ONE = np.uint64(1)
ONE_WORD = 8  # The maximum board size for sets of one word.


def words_of(size: int) -> int:
    """Return the number of 64-bit words in a set of squares, which is 1 up to 8x8 and 4 for larger boards."""
    return 1 if size <= ONE_WORD else 4


def from_int(squares: int, size: int) -> Bits:
    """Convert a Python integer, in which square s is bit s, to a set of squares for compiled code."""
    if size <= ONE_WORD:
        return np.uint64(squares)
    return tuple(np.frombuffer(squares.to_bytes(32, "little"), np.uint64))


def to_int(words: Bits) -> int:
    """Convert a set of squares from compiled code to a Python integer, in which square s is bit s."""
    if isinstance(words, tuple):
        return int(words[0]) | int(words[1]) << 64 | int(words[2]) << 128 | int(words[3]) << 192
    return int(words)


def by_kind(one: Callable[..., Any], four: Callable[..., Any], inlined: bool = False) -> Callable[..., Any]:
    """Return an overload for compiled code: `one` for sets of one word, and `four` for sets of four words."""

    def function(*arguments: Any) -> Any:  # noqa: ANN401  both kinds
        raise TypeError("compiled code only")

    @overloads(function, inlined)
    def _implementation(*kinds: Any) -> object:  # noqa: ANN401  numba's own types
        return four if kinds[0] == FOUR else one

    return function


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


# Return the set in one row of an array of words. The call is from_row(kind, row). `kind` gives the type.
from_row = by_kind(lambda kind, row: row[0], lambda kind, row: (row[0], row[1], row[2], row[3]))
# A view of a row would prevent the compiler from vectorising a loop.
# Return the set in row `i` of an array [n, words]. The call is nth_row(kind, rows, i).
nth_row = by_kind(
    lambda kind, rows, i: rows[i, 0], lambda kind, rows, i: (rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3])
)


def _write_one(squares: Bits, rows: Rows, i: int) -> None:
    rows[i, 0] = squares


def _write_four(squares: Bits, rows: Rows, i: int) -> None:
    for word in range(4):
        rows[i, word] = squares[word]


# Write a set into row `i` of an array [n, words]. The call is write_nth_row(squares, rows, i).
write_nth_row = by_kind(_write_one, _write_four)


@compiled_helper
def _bit(square: int) -> Bits:
    """Return a word with the bit of one square. The word is 0 for a square that is not from 0 to 63."""
    return _ONE << np.uint64(square) if 0 <= square < 64 else np.uint64(0)


def _in_four_words(kind: Bits, square: int) -> object:
    return (_bit(square), _bit(square - 64), _bit(square - 128), _bit(square - 192))


# Return the set with one square. The call is single(kind, square). `kind` gives the type of the set.
single = by_kind(lambda kind, square: _ONE << np.uint64(square), _in_four_words)
# Do the same as `single`, but return the empty set for a negative square.
single_or_none = by_kind(
    lambda kind, square: (_ONE << np.uint64(square & 63)) if square >= 0 else np.uint64(0), _in_four_words
)
# Return one word of a set. The call is word(squares, index).
word = by_kind(lambda squares, index: squares, lambda squares, index: squares[index])
# Return the number of squares in a set.
count = by_kind(
    lambda squares: np.int64(popcount(squares)),
    lambda squares: np.int64(
        popcount(squares[0]) + popcount(squares[1]) + popcount(squares[2]) + popcount(squares[3])
    ),
)
# Return whether a set is not empty.
occupied = by_kind(
    lambda squares: squares != 0, lambda squares: (squares[0] | squares[1] | squares[2] | squares[3]) != 0
)


def _lowest_of_four(squares: Bits) -> Integer:
    index = 0
    while squares[index] == 0:
        index += 1
    return np.int64(64 * index) + np.int64(trailing_zeros(squares[index]))


# Return the lowest square of a non-empty set.
lowest = by_kind(lambda squares: np.int64(trailing_zeros(squares)), _lowest_of_four)
# Return a non-empty set without its lowest square.
without_lowest = by_kind(
    lambda squares: squares & (squares - _ONE), lambda squares: squares & ~single(squares, lowest(squares))
)


@compiled_helper
def _left(high: Bits, low: Bits, bits: int) -> Bits:
    """Return the upper word of (high, low) shifted left by 1 to 63 bits."""
    return (high << np.uint64(bits)) | (low >> np.uint64(64 - bits))


def _raised_four(squares: Bits, by: int) -> Bits:
    return (
        squares[0] << np.uint64(by),
        _left(squares[1], squares[0], by),
        _left(squares[2], squares[1], by),
        _left(squares[3], squares[2], by),
    )


def _lowered_four(squares: Bits, by: int) -> Bits:
    # The lower word of (high, low) >> n is the upper word of (high, low) << (64 - n).
    return (
        _left(squares[1], squares[0], 64 - by),
        _left(squares[2], squares[1], 64 - by),
        _left(squares[3], squares[2], 64 - by),
        squares[3] >> np.uint64(by),
    )


# Add `by` (1 to 63) to every square, and drop squares beyond the last. The call is raised(squares, by).
raised = by_kind(lambda squares, by: squares << np.uint64(by), _raised_four)
# Subtract `by` (1 to 63) from every square, and drop negative squares. The call is lowered(squares, by).
lowered = by_kind(lambda squares, by: squares >> np.uint64(by), _lowered_four)
