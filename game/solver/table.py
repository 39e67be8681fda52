"""The transposition table, which stores bounds and best moves of positions in a fixed amount of memory."""

from typing import Any

import numpy as np

from othello_lab.game.kernels.bits import Bits, Integer, by_kind
from othello_lab.game.kernels.jit import compiled, compiled_helper

# An array of records. numba reads their fields as attributes, which numpy arrays do not have.
Table = Any  # An array [buckets, 2] with two entries in each bucket.
NOTHING = -2  # The sentinel for an entry without a move. A pass is -1.
# The number of times that `age` halves `work`, so that unused entries are replaced within a few moves.
_AGEING = 3
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SEED = np.uint64(0xD6E8FEB86659FD93)


def new_table(mebibytes: float, bound: type[np.generic]) -> Table:
    """Return an empty table. `bound` is the dtype of the bounds. The number of buckets is a power of two."""
    entry = np.dtype(
        [
            ("own", np.uint64),
            ("opponent", np.uint64),
            ("lower", bound),
            ("upper", bound),
            ("work", np.uint32),
            ("depth", np.int16),
            ("move", np.int16),
        ],
        align=True,
    )
    buckets = max(1, int(mebibytes * 2**20) // (2 * entry.itemsize))
    return np.zeros((1 << buckets.bit_length() - 1, 2), entry)


def clear(table: Table) -> None:
    """Clear the table."""
    # Fill bytes, because numpy fills records one by one, which takes twenty times as long.
    table.view(np.uint8).fill(0)


def age(table: Table) -> None:
    """Reduce the work of all entries, so that new entries replace old entries sooner."""
    table["work"] >>= _AGEING


# Return a key of two words for a position. Up to 8x8 the words are the discs, and beyond 8x8 hashes.
key = by_kind(
    lambda own, opponent: (own, opponent),
    lambda own, opponent: (_fold(own, opponent, _MIX), _fold(own, opponent, _SEED)),
)


@compiled_helper
def _fold(own: Bits, opponent: Bits, factor: Integer) -> Integer:
    folded = factor
    for word in own + opponent:
        folded = (folded ^ word) * factor
        folded ^= folded >> np.uint64(29)
    return folded


@compiled_helper
def _find(table: Table, own: Bits, opponent: Bits) -> tuple[Integer, Integer, Any, Any, Integer, Integer]:
    """Return (bucket, index, lower bound, upper bound, depth, move). Index -1 means that no entry exists."""
    first, second = key(own, opponent)
    mixed = (first * _MIX) ^ (second + (second << np.uint64(31)))
    mixed = (mixed ^ (mixed >> np.uint64(32))) * _SEED
    bucket = np.int64((mixed >> np.uint64(24)) & np.uint64(len(table) - 1))
    for place in range(2):
        entry = table[bucket, place]
        lower, upper, depth, move = entry.lower, entry.upper, np.int64(entry.depth), np.int64(entry.move)
        if entry.own == first and entry.opponent == second:
            return bucket, place, lower, upper, depth, move
    return bucket, -1, lower, upper, -1, NOTHING


@compiled
def store(
    table: Table,
    own: Bits,
    opponent: Bits,
    lower: Any,  # noqa: ANN401  an integer or a float, as the table holds
    upper: Any,  # noqa: ANN401
    depth: int,
    move: int,
    work: int,
) -> None:
    """Write the result of a search for a position into the table.

    A new position replaces the first entry of a bucket if `work` is at least the work of this entry. A new
    position with less work replaces the second entry.
    """
    bucket, place, _, _, _, _ = _find(table, own, opponent)
    if place < 0:
        place = 0 if work >= np.int64(table[bucket, 0].work) else 1
    first, second = key(own, opponent)
    entry = table[bucket, place]
    entry.own, entry.opponent = first, second
    entry.lower, entry.upper = lower, upper
    entry.depth, entry.move = depth, move
    entry.work = min(work, 0xFFFFFFFF)


@compiled
def known(
    table: Table,
    own: Bits,
    opponent: Bits,
    depth: int,
    infinity: Any,  # noqa: ANN401  likewise
) -> tuple[Any, Any, Integer]:
    """Return (lower bound, upper bound, best move) of a position, from a search of at least `depth`.

    Unknown bounds are -infinity and infinity, and an unknown move is NOTHING.
    """
    _, place, lower, upper, reached, move = _find(table, own, opponent)
    if place < 0 or reached < depth:
        return -infinity, infinity, move
    return lower, upper, move


@compiled
def remembered_move(table: Table, own: Bits, opponent: Bits) -> Integer:
    """Return the best move of a position in the table, or NOTHING if there is none."""
    return _find(table, own, opponent)[5]
