"""The compiled value of an n-tuple network: a sum of weights, one for each pattern on the board.

Patterns are local: no sum of them sees that a side has three discs left on the whole board, and is about to
lose them all. So the moves, the discs and the filled squares may be counted too: each count has a table of
weights for every stage, behind those of the patterns.
"""

import math
from typing import Any

import numpy as np

from othello_lab.game.kernels.bitboard import legal_moves
from othello_lab.game.kernels.bits import Bits, Integer, count, lowest, occupied, without_lowest, word
from othello_lab.game.kernels.jit import array_at, at_address, compiled, scratch

MOST_INSTANCES = 128
MOST = 31
"""Moves or discs of a side that are told apart; more are taken for as many."""
FEW_STAGES = 2
"""The stages of positions in which a side has few discs."""
DEVELOPED = 12
"""Before this many squares are filled everybody has few."""
NETWORK = np.dtype(
    [
        # How many patterns there are; 0 is no network.
        ("instances", np.int64),
        # How many words hold the squares of a side.
        ("words", np.int64),
        # How many columns `Patterns.octets` has.
        ("lanes", np.int64),
        ("stages", np.int64),
        # A side has few discs up to this many. There are two stages more for that: where the other side has
        # few, and where the side to move has. 0: there are none.
        ("few", np.int64),
        # How many weights a stage has.
        ("configurations", np.int64),
        # Where those of the counts begin among them; 0 where nothing is counted.
        ("counts", np.int64),
        # Addresses of `Patterns.octets` and `offsets`, and of the weights, float32 [rows, configurations]:
        # arrays in the record itself would make its type depend on their lengths, and need compiling anew.
        ("octets", np.int64),
        ("offsets", np.int64),
        ("weights", np.int64),
    ],
    align=True,
)
"""A network, for compiled code. Whoever makes one keeps its arrays alive."""
# An item of NETWORK: compiled code reads its fields as attributes.
Network = Any


@compiled
def value(own: Bits, opponent: Bits, size: int, network: Network) -> float:
    """Return the expected result for the side to move, -1 to 1; where it must pass, from the other's view."""
    return math.tanh(unbounded(own, opponent, size, network))


@compiled
def unbounded(own: Bits, opponent: Bits, size: int, network: Network) -> float:
    """Return the area tangent of `value`."""
    moves = legal_moves(own, opponent, size)
    if occupied(moves):
        return total(own, opponent, moves, size, network)
    return -total(opponent, own, legal_moves(opponent, own, size), size, network)


@compiled
def total(own: Bits, opponent: Bits, moves: Bits, size: int, network: Network) -> float:
    """Return the sum of the weights of all patterns and counts, as the side to move sees them.

    `moves` are the squares where it may move.
    """
    found = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find(own, opponent, network, found)
    return sum_of(found, own, opponent, moves, legal_moves(opponent, own, size), size, network)


@compiled
def sum_of(
    found: Any,  # noqa: ANN401  numba's array
    own: Bits,
    opponent: Bits,
    moves: Bits,
    replies: Bits,
    size: int,
    network: Network,
) -> float:
    """Do the same as `total`, given the configurations of `find` and where the other side could move."""
    instances = network.instances
    offsets = array_at(at_address(network.offsets), instances, np.uint32)
    weights = weights_of(network)[stage(own, opponent, size, network)]
    # Four sums at a time: one would wait for each addition before the next. Unsigned, since an index that may
    # be negative takes another step.
    a = b = c = d = np.float32(0.0)
    for i in range(0, instances - 3, 4):
        a += weights[np.uint64(offsets[i]) + found[i]]
        b += weights[np.uint64(offsets[i + 1]) + found[i + 1]]
        c += weights[np.uint64(offsets[i + 2]) + found[i + 2]]
        d += weights[np.uint64(offsets[i + 3]) + found[i + 3]]
    for i in range(instances - instances % 4, instances):
        a += weights[np.uint64(offsets[i]) + found[i]]
    if network.counts > 0:
        moved, discs, filled = count_places(own, opponent, moves, replies)
        b += weights[network.counts + moved]
        c += weights[network.counts + discs]
        d += weights[network.counts + filled]
    return float((a + b) + (c + d))


@compiled
def find_after(
    before: Any,  # noqa: ANN401  numba's arrays
    disc: Integer,
    turned: Bits,
    network: Network,
    found: Any,  # noqa: ANN401
) -> None:
    """Write the configurations after a move on `disc`, from those before it as the other side sees them.

    An empty square becomes the mover's, and each of the discs that are `turned` was the other side's.
    """
    lanes = network.lanes
    table = array_at(at_address(network.octets), (8 * network.words, 256, lanes), np.uint16)
    row = table[disc >> 3, 1 << (disc & 7)]
    for i in range(lanes):
        found[i] = before[i] + np.uint16(2) * row[i]
    while occupied(turned):
        square = lowest(turned)
        turned = without_lowest(turned)
        row = table[square >> 3, 1 << (square & 7)]
        for i in range(lanes):
            found[i] += row[i]


@compiled
def weights_of(network: Network) -> Any:  # noqa: ANN401  numba's array
    """Return the weights, float32 [rows, configurations]: a row for each stage."""
    stages = network.stages + (FEW_STAGES if network.few > 0 else 0)
    return array_at(at_address(network.weights), (stages, network.configurations), np.float32)


@compiled
def find(own: Bits, opponent: Bits, network: Network, found: Any) -> None:  # noqa: ANN401  numba's array
    """Write the configuration of each pattern, uint16 [MOST_INSTANCES]."""
    lanes, words = network.lanes, network.words
    table = array_at(at_address(network.octets), (8 * words, 256, lanes), np.uint16)
    for i in range(lanes):
        found[i] = 0
    for number in range(words):
        _add_word(word(own, number), word(opponent, number), table[8 * number : 8 * number + 8], found)


@compiled
def _add_word(own: Integer, opponent: Integer, table: Any, found: Any) -> None:  # noqa: ANN401  numba's arrays
    """Add what 64 squares contribute. Written out, so that the sums stay in registers."""
    a0, b0 = table[0, octet(own, 0)], table[0, octet(opponent, 0)]
    a1, b1 = table[1, octet(own, 1)], table[1, octet(opponent, 1)]
    a2, b2 = table[2, octet(own, 2)], table[2, octet(opponent, 2)]
    a3, b3 = table[3, octet(own, 3)], table[3, octet(opponent, 3)]
    a4, b4 = table[4, octet(own, 4)], table[4, octet(opponent, 4)]
    a5, b5 = table[5, octet(own, 5)], table[5, octet(opponent, 5)]
    a6, b6 = table[6, octet(own, 6)], table[6, octet(opponent, 6)]
    a7, b7 = table[7, octet(own, 7)], table[7, octet(opponent, 7)]
    for i in range(table.shape[2]):
        mine = a0[i] + a1[i] + a2[i] + a3[i] + a4[i] + a5[i] + a6[i] + a7[i]
        theirs = b0[i] + b1[i] + b2[i] + b3[i] + b4[i] + b5[i] + b6[i] + b7[i]
        found[i] += mine + np.uint16(2) * theirs


@compiled
def octet(word: Integer, number: int) -> Integer:
    """Return eight squares of a word as the bits of a number."""
    return (word >> np.uint64(8 * number)) & np.uint64(255)


@compiled
def stage(own: Bits, opponent: Bits, size: int, network: Network) -> Integer:
    """Return the stage of a game: by the squares that are filled, or by who has few discs."""
    mine, theirs = count(own), count(opponent)
    if network.few > 0 and mine + theirs >= DEVELOPED:
        if theirs <= network.few:
            return network.stages
        if mine <= network.few:
            return network.stages + 1
    share = (mine + theirs - 4) * network.stages // (size * size - 4)
    return max(0, min(network.stages - 1, share))


_PAIRS = (MOST + 1) ** 2


@compiled
def count_places(own: Bits, opponent: Bits, moves: Bits, replies: Bits) -> tuple[Integer, Integer, Integer]:
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
