"""Patterns of an n-tuple network: sets of squares, each wherever a symmetry of the board puts it.

A class is one set with the weights of its configurations; its instances are the places that the 8
symmetries put it in, which share them (Lucas 2007, "Learning to Play Othello with N-Tuple Systems"). A
configuration is a number in base 3: each square is empty (0), of the side to move (1) or of the other (2),
the class's first square the lowest digit.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.evaluators.pattern_kernels import MOST, MOST_INSTANCES
from othello_lab.game.files import read_text
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.notation import SIZES, parse_square
from othello_lab.game.registry import RegistryError
from othello_lab.game.symmetry import permutations

LARGEST = 10
"""Squares of a class at most: its configurations are numbered in 16 bits."""
LANES = 16
COUNTED = 2 * (MOST + 1) ** 2 + (SIZES[-1] ** 2 + 1)
"""The weights of the counts (`pattern_kernels.py`) in a stage: for moves, discs, and filled squares."""
SquareSet = tuple[int, ...]


@dataclass(frozen=True)
class Patterns:
    """The square sets of a network on boards of one size."""

    size: int
    classes: tuple[SquareSet, ...]
    counts: bool = False
    """Whether moves, discs and filled squares are counted too; see `pattern_kernels.py`."""

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
        """Every place of every class: the number of the class and its squares there, in the class's order."""
        found: dict[tuple[int, frozenset[int]], SquareSet] = {}
        for number, squares in enumerate(self.classes):
            for moved in self._moved(squares):
                found.setdefault((number, frozenset(moved)), moved)
        return tuple((number, moved) for (number, _), moved in found.items())

    def _moved(self, squares: SquareSet) -> list[SquareSet]:
        return [tuple(row) for row in permutations(self.size)[:, list(squares)].tolist()]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where the weights of each class begin in those of a stage, and where those of the counts do."""
        return tuple(np.cumsum([0, *(3 ** len(squares) for squares in self.classes)]).tolist())

    @property
    def configurations(self) -> int:
        """How many weights a stage has."""
        return self.starts[-1] + (COUNTED if self.counts else 0)

    @cached_property
    def offsets(self) -> NDArray[np.int32]:
        """Where the weights of each instance's class begin, int32 [instances]."""
        return np.array([self.starts[number] for number, _ in self.instances], np.int32)

    @property
    def lanes(self) -> int:
        """How wide a row of `octets` is: the instances, and what fills the registers that add them up."""
        return -(-len(self.instances) // LANES) * LANES

    @cached_property
    def octets(self) -> NDArray[np.uint16]:
        """What eight squares of the side to move add to each configuration, uint16 [octets, 256, lanes].

        Octet b is the squares 8b to 8b + 7 as the bits of a number. The other side's discs add twice that.
        """
        worth = np.zeros((64 * words_of(self.size), self.lanes), np.uint16)
        for column, (_, squares) in enumerate(self.instances):
            worth[list(squares), column] = 3 ** np.arange(len(squares))
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        # Not as a matrix product: numpy's is slow for whole numbers.
        table = np.zeros((len(worth) // 8, 256, self.lanes), np.uint16)
        for bit in range(8):
            table += bits[None, :, bit, None] * worth[bit::8, None, :]
        return table

    @cached_property
    def twins(self) -> NDArray[np.int32]:
        """The weights that mean the same by symmetry, int32 [k, configurations].

        Where a symmetry moves a set onto itself, such as an edge read from its other end, a configuration and
        its mirror image have one value. Row by row another of them, or the weight itself.
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
        """Return the twins of each configuration of a class, int64 [k, 3 ** squares]."""
        digits = np.arange(3 ** len(squares))[:, None] // 3 ** np.arange(len(squares)) % 3
        orders = {
            tuple(squares.index(square) for square in moved)
            for moved in self._moved(squares)
            if set(moved) == set(squares)
        } - {tuple(range(len(squares)))}
        rows = [digits[:, list(order)] @ 3 ** np.arange(len(squares)) for order in sorted(orders)]
        return np.array(rows, np.int64).reshape(-1, 3 ** len(squares))


def standard(size: int) -> Patterns:
    """Return the eleven classes of 8x8, and what comes nearest to them on other boards.

    The edge with both X-squares, 3x3 and 2x5 corners, the rows 2 to 4, and the diagonals of 4 to 8 squares:
    those of Logistello (Buro 1997, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function
    for Othello"). Lines of more than eight squares are cut to the first eight.
    """
    return Patterns(size, (*_edge_and_corners(size), *_rows(size), *_diagonals(size)))


def large(size: int) -> Patterns:
    """Return fifteen classes of 8x8, seven of them of ten squares, and what comes nearest on other boards.

    Those of `standard`, row 2 with the corners beside it, and four more at a corner: two edges with the
    X-square, and an edge without C-squares with the middle of row 2, as in the program Edax; four rows of a
    triangle; the long diagonal with its neighbours.
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
    beside = (0, *second, last) if size <= 8 else (0, *second)
    return Patterns(size, (*_edge_and_corners(size), *corners, beside, *rows, *_diagonals(size)))


def _edge_and_corners(size: int) -> tuple[SquareSet, ...]:
    edge = tuple(range(min(size, 8))) + ((size + 1, 2 * size - 2) if size <= 8 else (size + 1,))
    corner = tuple(size * row + column for row in range(3) for column in range(3))
    block = tuple(size * row + column for row in range(2) for column in range(min(5, size)))
    return edge, corner, block


def _rows(size: int) -> tuple[SquareSet, ...]:
    """Return row 2 and those up to the middle, row 4 at most."""
    line = range(min(size, 8))
    return tuple(tuple(size * row + column for column in line) for row in range(1, min(size // 2, 4)))


def _diagonals(size: int) -> tuple[SquareSet, ...]:
    return tuple(
        tuple(size * step + (length - 1 - step) for step in range(length))
        for length in range(4, min(size, 8) + 1)
    )


NAMED = {"standard": standard, "large": large}
"""Square sets that have a name."""


def load(path: str, size: int) -> Patterns:
    """Read a file with a class a line, its squares by name (`a1 b1 c1 b2`); raise RegistryError."""
    try:
        lines = read_text(Path(path)).splitlines()
        sets = [line.split("#")[0].split() for line in lines]
        return Patterns(
            size, tuple(tuple(parse_square(name, size) for name in names) for names in sets if names)
        )
    except (OSError, UnicodeDecodeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise RegistryError(
            f"patterns: {path!r}: {why}; a line is a set of squares such as a1 b1 c1"
        ) from None
