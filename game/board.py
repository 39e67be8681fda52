"""`Board`: an immutable position. Read this file first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from operator import getitem, index
from typing import SupportsIndex, overload

from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.bits import Bits, from_int, to_int
from othello_lab.game.notation import PASS, check_size, square_name


class IllegalMoveError(ValueError):
    """A move that the rules do not allow in this position."""


class Colour(Enum):
    """A side. Black moves first."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> "Colour":
        """The opponent."""
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK


class Squares(Sequence[int]):
    """A set of squares, stored as an integer bitboard. Iteration is in ascending order."""

    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __contains__(self, square: object) -> bool:
        try:
            # index() also accepts numpy's integers, so a square from an array works.
            place = index(square)  # type: ignore[arg-type]  # any object is allowed
        except TypeError:
            return False
        return place >= 0 and bool(self.bits >> place & 1)

    def __iter__(self) -> Iterator[int]:
        return iter(_squares_of(self.bits))

    def __len__(self) -> int:
        return self.bits.bit_count()

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[int]: ...
    def __getitem__(self, place: int | slice) -> int | Sequence[int]:
        return _squares_of(self.bits)[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Squares) and self.bits == other.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __repr__(self) -> str:
        return f"Squares({list(self)})"


_new = object.__new__
_BLACK, _WHITE = Colour  # the lookup of an enum member takes as long as a move
# A lookup table: if byte i of a set equals `value`, _ROWS[i][value] has the squares of this byte.
_ROWS = [[tuple(8 * row + i for i in range(8) if byte >> i & 1) for byte in range(256)] for row in range(8)]


def _squares_of(bits: int) -> Sequence[int]:
    if not bits >> 64:
        a, b, c, d, e, f, g, h = map(getitem, _ROWS, bits.to_bytes(8, "little"))
        return a + b + c + d + e + f + g + h
    squares = []
    while bits:
        lowest = bits & -bits
        squares.append(lowest.bit_length() - 1)
        bits ^= lowest
    return squares


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a finished game."""

    winner: Colour | None  # None means a draw.
    disc_diff: int  # Black's discs minus white's.
    final_score: int  # Black's discs minus white's, where the empty squares count for the winner.


@dataclass(frozen=True)
class Board:
    """An immutable position. Raises ValueError for an unsupported size or impossible discs."""

    size: int
    black: int  # Square s is bit s. a1 is square 0. On 8x8, d3 is square 19.
    white: int
    turn: Colour

    def __post_init__(self) -> None:
        check_size(self.size)
        if (self.black | self.white) >> self.size * self.size:
            raise ValueError(f"there are discs off the board of {self.size}x{self.size}")
        if both := self.black & self.white:
            square = square_name(next(iter(Squares(both))), self.size)
            raise ValueError(f"{square} holds a black and a white disc: a square holds one at most")

    @staticmethod
    def start(size: int = 8) -> "Board":
        """Return the standard start. Raises ValueError if the size is not even or not from 4 to 16."""
        check_size(size)
        low, high = size // 2 - 1, size // 2
        white = 1 << low * size + low | 1 << high * size + high
        black = 1 << low * size + high | 1 << high * size + low
        return Board(size, black, white, Colour.BLACK)

    @staticmethod
    def parse(text: str) -> "Board":
        """Parse a position in the format of `game.transcripts.parse_cells`. Raises ValueError."""
        from othello_lab.game.transcripts import parse_cells  # lazy import: agents parse no text

        size, black, white, black_to_move = parse_cells(text)
        return Board(size, black, white, Colour.BLACK if black_to_move else Colour.WHITE)

    def __hash__(self) -> int:
        # Hashing an enum member is slow.
        return hash((self.black, self.white, self.turn is _BLACK))

    def __str__(self) -> str:
        from othello_lab.game.transcripts import format_cells

        return format_cells(self.size, self.black, self.white, self.turn is Colour.BLACK)

    @property
    def own(self) -> int:
        """The discs of the side to move."""
        return self.black if self.turn is _BLACK else self.white

    @property
    def opponent(self) -> int:
        """The discs of the opponent of the side to move."""
        return self.white if self.turn is _BLACK else self.black

    @property
    def for_kernels(self) -> tuple[Bits, Bits]:
        """The sets `own` and `opponent` for compiled code."""
        return from_int(self.own, self.size), from_int(self.opponent, self.size)

    @property
    def empties(self) -> int:
        """The number of empty squares."""
        return self.size * self.size - (self.black | self.white).bit_count()

    @cached_property  # most code reads the legal moves several times
    def legal_moves(self) -> Squares:
        """The legal squares of the side to move. Empty before a pass and after the end of the game."""
        return Squares(moves_of(self.own, self.opponent, self.size))

    @property
    def must_pass(self) -> bool:
        """Whether the side to move must pass, because only the opponent has a legal square."""
        return not self.legal_moves.bits and self.opponent_moves.bits != 0

    @cached_property
    def opponent_moves(self) -> Squares:
        """The squares that would be legal if the opponent were to move."""
        return Squares(moves_of(self.opponent, self.own, self.size))

    def play(self, move: SupportsIndex) -> "Board":
        """Play a square or PASS, and return the new position. Raises IllegalMoveError."""
        move = index(move)  # a numpy integer would overflow in the shifts below
        if move == PASS:
            if not self.must_pass:
                why = "the game is over" if self.is_over else f"{self.turn.value} has a move"
                raise IllegalMoveError(f"a pass is not legal here: {why}")
            return known_board(self.size, self.black, self.white, self.turn.other, self.opponent_moves.bits)
        if move < 0 or not self.legal_moves.bits >> move & 1:
            raise IllegalMoveError(self._why_illegal(move))
        if self.turn is _BLACK:
            white, black, moves = bitboard.step_of(self.black, self.white, move, self.size)
            return known_board(self.size, black, white, _WHITE, moves)
        black, white, moves = bitboard.step_of(self.white, self.black, move, self.size)
        return known_board(self.size, black, white, _BLACK, moves)

    def _why_illegal(self, move: int) -> str:
        if not 0 <= move < self.size * self.size:
            return f"{move} is no square of a board of {self.size}x{self.size}"
        name = square_name(move, self.size)
        if (self.black | self.white) >> move & 1:
            return f"{name} is not legal here: it is occupied"
        return f"{name} is not legal here: it turns over no disc for {self.turn.value}"

    @property
    def is_over(self) -> bool:
        """Whether neither side can move."""
        return not (self.legal_moves.bits or self.opponent_moves.bits)

    def outcome(self) -> Outcome | None:
        """Return the outcome of a finished game, or None before the end."""
        if not self.is_over:
            return None
        black, white = self.counts()
        difference = black - white
        empties = self.size * self.size - black - white
        bonus = empties if difference > 0 else -empties if difference < 0 else 0
        winner = Colour.BLACK if difference > 0 else Colour.WHITE if difference < 0 else None
        return Outcome(winner, difference, difference + bonus)

    def counts(self) -> tuple[int, int]:
        """Return the number of black discs and the number of white discs."""
        return self.black.bit_count(), self.white.bit_count()


def known_board(size: int, black: int, white: int, turn: Colour, moves: int) -> Board:
    """Return a board with known legal moves. The call is fast because it validates nothing."""
    board: Board = _new(Board)
    values = {"size": size, "black": black, "white": white, "turn": turn, "legal_moves": Squares(moves)}
    board.__dict__.update(values)
    return board


def moves_of(own: int, opponent: int, size: int) -> int:
    """Return the legal squares of the side with the discs `own`, as bits."""
    return to_int(bitboard.legal_moves(from_int(own, size), from_int(opponent, size), size))


@cache
def corners(size: int) -> Squares:
    """Return the four corners."""
    return Squares(to_int(tuple(bitboard.CORNERS[size])))
