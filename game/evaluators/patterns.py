"""N-tuple networks (Lucas 2007, "Learning to Play Othello with N-Tuple Systems").

A class is a set of squares with weights. The 8 symmetries of the board map this set to other sets, which are
the instances of the class. All instances share the weights. A configuration is a number in base 3 with a
digit for each square. The digit is 0 for an empty square, 1 for a disc of the side to move, and 2 for a disc
of the other side. The first square of the class is the last digit. The value of a position is the sum of
one weight for each instance. The numbers of moves, discs and filled squares may also have weights, because a
pattern covers only a part of the board.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bitboard import legal_moves
from othello_lab.game.kernels.bits import (
    Bits,
    Integer,
    count,
    lowest,
    occupied,
    without_lowest,
    word,
    words_of,
)
from othello_lab.game.kernels.jit import array_at, at_address, compiled_helper, scratch
from othello_lab.game.notation import SIZES
from othello_lab.game.symmetry import permutations

LARGEST = 10  # Maximum number of squares in a class. A configuration must fit into 16 bits.
LANES = 16  # The number of 16-bit lanes in a SIMD register.
MOST_INSTANCES = 128
# The maximum number of moves or discs with its own weight. Larger numbers use the weight of MOST.
MOST = 31
_PAIRS = (MOST + 1) ** 2
# The number of weights in a stage for the counts of moves, discs and filled squares.
COUNTED = 2 * _PAIRS + (SIZES[-1] ** 2 + 1)
FEW_STAGES = 2  # The number of extra stages, which are for positions in which a side has few discs.
# The minimum number of discs for the extra stages. With fewer discs on the board, both sides have few.
DEVELOPED = 12
# A network for compiled code, with addresses of arrays that the creator must keep alive.
NETWORK = np.dtype(
    [
        # The number of instances of patterns. 0 means no network.
        ("instances", np.int64),
        # The number of words that hold the squares of a side.
        ("words", np.int64),
        # The number of columns of `Patterns.octets`.
        ("lanes", np.int64),
        ("stages", np.int64),
        # The maximum number of discs that counts as few. 0 means no extra stages.
        ("few", np.int64),
        # The number of weights in a stage.
        ("configurations", np.int64),
        # The index of the first weight of the counts in a stage, or 0 without counts.
        ("counts", np.int64),
        # Addresses of `Patterns.octets`, of `Patterns.offsets`, and of the weights, float32
        # [rows, configurations]. If the record held arrays, code would be compiled again for each length.
        ("octets", np.int64),
        ("offsets", np.int64),
        ("weights", np.int64),
    ],
    align=True,
)
# An item of NETWORK. Compiled code reads its fields as attributes.
Network = Any
SquareSet = tuple[int, ...]


@dataclass(frozen=True)
class Patterns:
    """The sets of squares of a network, for one board size."""

    size: int
    classes: tuple[SquareSet, ...]
    counts: bool = False  # Whether the numbers of moves, discs and filled squares also have weights.

    def __post_init__(self) -> None:
        for squares in self.classes:
            if not 1 <= len(set(squares)) == len(squares) <= LARGEST:
                raise ValueError(f"a pattern has {len(squares)} squares, expected 1 to {LARGEST}, none twice")
            if not 0 <= min(squares) <= max(squares) < self.size**2:
                raise ValueError(f"a pattern has a square that is not on a board of {self.size}x{self.size}")
        if not 1 <= len(self.instances) <= MOST_INSTANCES:
            raise ValueError(
                f"the patterns have {len(self.instances)} instances, expected 1 to {MOST_INSTANCES}"
            )

    @cached_property
    def instances(self) -> tuple[tuple[int, SquareSet], ...]:
        """The instances of all classes, as (class index, squares in the order of the class)."""
        places: dict[tuple[int, frozenset[int]], SquareSet] = {}
        for index, squares in enumerate(self.classes):
            for moved in self._moved(squares):
                places.setdefault((index, frozenset(moved)), moved)
        return tuple((index, moved) for (index, _), moved in places.items())

    def _moved(self, squares: SquareSet) -> list[SquareSet]:
        return [tuple(row) for row in permutations(self.size)[:, list(squares)].tolist()]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """For each class, the index of the first weight in a stage. The last index belongs to the counts."""
        return tuple(np.cumsum([0, *(3 ** len(squares) for squares in self.classes)]).tolist())

    @property
    def configurations(self) -> int:
        """The number of weights in a stage."""
        return self.starts[-1] + (COUNTED if self.counts else 0)

    @cached_property
    def offsets(self) -> NDArray[np.int32]:
        """For each instance, the index of the first weight of the class, int32 [instances]."""
        return np.array([self.starts[number] for number, _ in self.instances], np.int32)

    @property
    def lanes(self) -> int:
        """The length of a row of `octets`: the number of instances, rounded up to a multiple of LANES."""
        return -(-len(self.instances) // LANES) * LANES

    @cached_property
    def octets(self) -> NDArray[np.uint16]:
        """A lookup table from discs to configurations, uint16 [octets, 256, lanes].

        Octet b is the squares 8b to 8b + 7. The bits of d are discs of one side on octet b. Discs of the side
        to move add `octets[b, d, i]` to the configuration of instance i. Discs of the other side add twice
        this number.
        """
        worth = np.zeros((64 * words_of(self.size), self.lanes), np.uint16)
        for column, (_, squares) in enumerate(self.instances):
            worth[list(squares), column] = 3 ** np.arange(len(squares))
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        # A matrix product would be slower, because numpy has no fast product of integers.
        table = np.zeros((len(worth) // 8, 256, self.lanes), np.uint16)
        for bit in range(8):
            table += bits[None, :, bit, None] * worth[bit::8, None, :]
        return table

    @cached_property
    def twins(self) -> NDArray[np.int32]:
        """The indices of weights that are equal because of symmetry, int32 [k, configurations].

        Some symmetries move a set of squares to itself, so a configuration and its mirror image have equal
        weights. Column c holds the mirror images of weight c. If there are fewer than k images, the other
        rows hold c.
        """
        columns = [self._class_twins(squares) for squares in self.classes]
        most = max(len(rows) for rows in columns)
        own = [np.arange(3 ** len(squares))[None] for squares in self.classes]
        padded = [
            np.concatenate([rows, identity.repeat(most - len(rows), axis=0)]) + start
            for rows, identity, start in zip(columns, own, self.starts[:-1], strict=True)
        ]
        counts = np.arange(self.starts[-1], self.configurations)[None].repeat(most, axis=0)
        return np.concatenate([*padded, counts], axis=1).astype(np.int32)

    def _class_twins(self, squares: SquareSet) -> NDArray[np.int64]:
        """Return the mirror images of all configurations of a class, int64 [k, 3 ** squares]."""
        digits = np.arange(3 ** len(squares))[:, None] // 3 ** np.arange(len(squares)) % 3
        orders = {
            tuple(squares.index(square) for square in moved)
            for moved in self._moved(squares)
            if set(moved) == set(squares)
        } - {tuple(range(len(squares)))}
        rows = [digits[:, list(order)] @ 3 ** np.arange(len(squares)) for order in sorted(orders)]
        return np.array(rows, np.int64).reshape(-1, 3 ** len(squares))


def standard(size: int) -> Patterns:
    """Return eleven classes for 8x8, or the nearest equivalents for other boards.

    The classes are the edge with both X-squares, the corners of 3x3 and 2x5 squares, the rows 2 to 4, and the
    diagonals of 4 to 8 squares (Buro 1997, "Experiments with Multi-ProbCut and a New High-Quality Evaluation
    Function for Othello").
    """
    return Patterns(size, (*_edge_and_corners(size), *_rows(size), *_diagonals(size)))


def large(size: int) -> Patterns:
    """Return fifteen classes for 8x8, seven of ten squares, or the nearest equivalents for other boards.

    The classes are the classes of `standard`, with two corners added to row 2, and four classes at a corner.
    The first two of these four classes are two edges with the X-square, and an edge with the middle of row 2.
    The last two classes are a triangle of four rows, and the long diagonal with its neighbours.
    """
    near, last = range(1, min(5, size)), min(size, 8) - 1
    middle = range(2, last - 1)
    edges = [*((row, 0) for row in reversed(near)), (0, 0), (1, 1), *((0, column) for column in near)]
    without_c = [(0, 0), *((0, column) for column in middle), (0, last), *((1, column) for column in middle)]
    triangle = [(row, column) for row in range(4) for column in range(4 - row)]
    diagonals = [
        (step + down, step + right)
        for down, right in ((0, 0), (0, 1), (1, 0))
        for step in range(4 - down - right)
    ]
    corners = tuple(
        tuple(size * row + column for row, column in squares)
        for squares in (edges, without_c, triangle, diagonals)
    )
    second, *rows = _rows(size)
    second = (0, *second, last) if size <= 8 else (0, *second)
    return Patterns(size, (*_edge_and_corners(size), *corners, second, *rows, *_diagonals(size)))


def _edge_and_corners(size: int) -> tuple[SquareSet, ...]:
    edge = tuple(range(min(size, 8))) + ((size + 1, 2 * size - 2) if size <= 8 else (size + 1,))
    corner = tuple(size * row + column for row in range(3) for column in range(3))
    block = tuple(size * row + column for row in range(2) for column in range(min(5, size)))
    return edge, corner, block


def _rows(size: int) -> tuple[SquareSet, ...]:
    """Return the rows from row 2 to the middle of the board, but at most to row 4."""
    line = range(min(size, 8))
    return tuple(tuple(size * row + column for column in line) for row in range(1, min(size // 2, 4)))


def _diagonals(size: int) -> tuple[SquareSet, ...]:
    return tuple(
        tuple(size * step + (length - 1 - step) for step in range(length))
        for length in range(4, min(size, 8) + 1)
    )


# A dictionary from names of patterns to functions that return the classes.
NAMED = {"standard": standard, "large": large}


@compiled_helper
def value(own: Bits, opponent: Bits, size: int, network: Network) -> float:
    """Return the expected result for the side to move, from -1 to 1."""
    return math.tanh(unbounded(own, opponent, size, network))


@compiled_helper
def unbounded(own: Bits, opponent: Bits, size: int, network: Network) -> float:
    """Return the artanh of `value`, which is unbounded."""
    moves = legal_moves(own, opponent, size)
    if occupied(moves):
        return total(own, opponent, moves, size, network)
    return -total(opponent, own, legal_moves(opponent, own, size), size, network)


@compiled_helper
def total(own: Bits, opponent: Bits, moves: Bits, size: int, network: Network) -> float:
    """Return the sum of the weights for the side to move, whose legal squares are `moves`."""
    configurations = array_at(scratch(), MOST_INSTANCES, np.uint16)
    find(own, opponent, network, configurations)
    return sum_of(configurations, own, opponent, moves, legal_moves(opponent, own, size), size, network)


@compiled_helper
def sum_of(
    configurations: Any,  # noqa: ANN401  numba's array
    own: Bits,
    opponent: Bits,
    moves: Bits,
    replies: Bits,
    size: int,
    network: Network,
) -> float:
    """Do the same as `total` for known configurations. `replies` are the opponent's legal squares."""
    instances = network.instances
    offsets = array_at(at_address(network.offsets), instances, np.uint32)
    weights = weights_of(network)[stage(own, opponent, size, network)]
    # Four independent sums avoid a chain of dependent additions. The indices are unsigned, because numba
    # adds a check for negative values to each signed index.
    a = b = c = d = np.float32(0.0)
    for i in range(0, instances - 3, 4):
        a += weights[np.uint64(offsets[i]) + configurations[i]]
        b += weights[np.uint64(offsets[i + 1]) + configurations[i + 1]]
        c += weights[np.uint64(offsets[i + 2]) + configurations[i + 2]]
        d += weights[np.uint64(offsets[i + 3]) + configurations[i + 3]]
    for i in range(instances - instances % 4, instances):
        a += weights[np.uint64(offsets[i]) + configurations[i]]
    if network.counts > 0:
        moved, discs, filled = count_places(own, opponent, moves, replies)
        b += weights[network.counts + moved]
        c += weights[network.counts + discs]
        d += weights[network.counts + filled]
    return float((a + b) + (c + d))


@compiled_helper
def find_after(
    before: Any,  # noqa: ANN401  numba's arrays
    disc: Integer,
    turned: Bits,
    network: Network,
    configurations: Any,  # noqa: ANN401
) -> None:
    """Write the configurations after a move on `disc`, from the view of the side that did not move.

    `before` holds the configurations before the move. The digit of `disc` changes from 0 to 2, and the digits
    of the `turned` discs change from 1 to 2.
    """
    lanes = network.lanes
    table = array_at(at_address(network.octets), (8 * network.words, 256, lanes), np.uint16)
    row = table[disc >> 3, 1 << (disc & 7)]
    for i in range(lanes):
        configurations[i] = before[i] + np.uint16(2) * row[i]
    while occupied(turned):
        square = lowest(turned)
        turned = without_lowest(turned)
        row = table[square >> 3, 1 << (square & 7)]
        for i in range(lanes):
            configurations[i] += row[i]


@compiled_helper
def weights_of(network: Network) -> Any:  # noqa: ANN401  numba's array
    """Return the weights, float32 [rows, configurations]. Each stage has a row."""
    stages = network.stages + (FEW_STAGES if network.few > 0 else 0)
    return array_at(at_address(network.weights), (stages, network.configurations), np.float32)


@compiled_helper
def find(own: Bits, opponent: Bits, network: Network, configurations: Any) -> None:  # noqa: ANN401  numba's array
    """Write the configurations of all instances to `configurations`, uint16 [MOST_INSTANCES]."""
    lanes, words = network.lanes, network.words
    table = array_at(at_address(network.octets), (8 * words, 256, lanes), np.uint16)
    for i in range(lanes):
        configurations[i] = 0
    for number in range(words):
        _add_word(
            word(own, number), word(opponent, number), table[8 * number : 8 * number + 8], configurations
        )


@compiled_helper
def _add_word(own: Integer, opponent: Integer, table: Any, configurations: Any) -> None:  # noqa: ANN401  numba's arrays
    """Add the contributions of 64 squares. The loop over octets is unrolled to keep the sums in registers."""
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
        configurations[i] += mine + np.uint16(2) * theirs


@compiled_helper
def octet(word: Integer, number: int) -> Integer:
    """Return octet `number` of a word: the bits of eight squares."""
    return (word >> np.uint64(8 * number)) & np.uint64(255)


@compiled_helper
def stage(own: Bits, opponent: Bits, size: int, network: Network) -> Integer:
    """Return the stage of a position: an extra stage if a side has few discs, else by the number of discs."""
    mine, theirs = count(own), count(opponent)
    if network.few > 0 and mine + theirs >= DEVELOPED:
        if theirs <= network.few:
            return network.stages
        if mine <= network.few:
            return network.stages + 1
    share = (mine + theirs - 4) * network.stages // (size * size - 4)
    return max(0, min(network.stages - 1, share))


@compiled_helper
def count_places(own: Bits, opponent: Bits, moves: Bits, replies: Bits) -> tuple[Integer, Integer, Integer]:
    """Return the indices of the weights for the numbers of moves, discs and filled squares."""
    of_moves = _pair(count(moves), count(replies))
    of_discs = _PAIRS + _pair(count(own), count(opponent))
    return of_moves, of_discs, 2 * _PAIRS + count(own | opponent)


@compiled_helper
def _pair(own: Integer, opponent: Integer) -> Integer:
    """Return the index of a pair of numbers, which are clipped to MOST."""
    return min(own, MOST) * (MOST + 1) + min(opponent, MOST)
