"""Drawings of a board: the contents and marks of squares, plain text, and colours."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Self

from othello_lab.game.board import Board, Colour, Squares
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, square_name


class Cell(Enum):
    """The contents of a square."""

    BLACK = "black"
    WHITE = "white"
    LEGAL = "legal"
    EMPTY = "empty"


class Mark(Enum):
    """A mark on a disc. The value holds the characters to the left and the right of the disc."""

    NONE = "  "
    LAST = "[]"
    TURNED = "()"


@dataclass(frozen=True, slots=True)
class Look:
    """The appearance of a square in every output: contents, mark and value."""

    cell: Cell
    mark: Mark = Mark.NONE
    text: str = ""  # The displayed value of the move to this square, or "".
    share: float | None = None  # The value from 0 (worst move) to 1 (best move), which sets the colour.
    is_best: bool = False

    @property
    def is_disc(self) -> bool:
        """Whether the square has a disc."""
        return self.cell in (Cell.BLACK, Cell.WHITE)


@dataclass(frozen=True)
class Symbols:
    """The characters for the contents of squares, which differ even without colours."""

    black: str
    white: str
    legal: str
    empty: str

    def of(self, cell: Cell) -> str:
        """Return the character for the contents of a square."""
        return str(getattr(self, cell.value))

    def disc(self, colour: Colour) -> str:
        """Return the character for a side's disc."""
        return self.black if colour is Colour.BLACK else self.white


ROUND = Symbols(black="●", white="○", legal="+", empty="·")
PLAIN = Symbols(black="X", white="O", legal="+", empty=".")


def symbols_for(encoding: str) -> Symbols:
    """Return ROUND if the encoding supports its characters, else PLAIN."""
    try:
        "".join((ROUND.black, ROUND.white, ROUND.legal, ROUND.empty)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return ROUND


def cells_of(board: Board, legal: bool = True) -> list[Cell]:
    """Return the contents of each square, row by row from a1. If `legal` is False, omit legal moves."""
    moves = board.legal_moves.bits if legal else 0
    sets = ((board.black, Cell.BLACK), (board.white, Cell.WHITE), (moves, Cell.LEGAL))
    squares = range(board.size**2)
    return [next((cell for bits, cell in sets if bits >> square & 1), Cell.EMPTY) for square in squares]


def turned(before: Board, after: Board) -> Squares:
    """Return the squares whose disc changed colour between two positions."""
    return Squares(before.black & after.white | before.white & after.black)


@dataclass(frozen=True)
class Marks:
    """The marks that are drawn on a board."""

    last: int | None = None  # The square of the last move, whose disc gets a dot.
    turned: Squares = field(default_factory=lambda: Squares(0))  # The flipped discs, which get rings.
    legal: bool = False  # Whether each legal square gets a small ring.
    chosen: int | None = None  # The square of the next move, which gets a frame.

    @classmethod
    def of(cls, game: Game, legal: bool = False) -> Self:
        """Return the marks for the last move of a game. A pass does not count as a move."""
        placed = [ply for ply, move in enumerate(game.moves) if move != PASS]
        if not placed:
            return cls(legal=legal)
        ply = placed[-1]
        return cls(game.moves[ply], turned(game.boards[ply], game.boards[ply + 1]), legal)


def as_data(board: Board, marks: Marks) -> dict[str, Any]:
    """Return a position and its marks as JSON data. `board.js` draws this data."""
    return {
        "size": board.size,
        "cells": str(board).split()[0],
        "legal": [*board.legal_moves] if marks.legal else [],
        "values": None,
        "last": marks.last,
        "flips": [*marks.turned],
        "next": -1 if marks.chosen is None else marks.chosen,
    }


def looks_of(board: Board, marks: Marks) -> list[Look]:
    """Return the looks of all squares of a position, row by row from a1."""
    mark_of = dict.fromkeys(marks.turned, Mark.TURNED)
    if marks.last is not None:
        mark_of[marks.last] = Mark.LAST
    cells = enumerate(cells_of(board, marks.legal))
    return [Look(cell, mark_of.get(square, Mark.NONE)) for square, cell in cells]


def letters(size: int) -> list[str]:
    """Return the column letters."""
    return [square_name(column, size)[0] for column in range(size)]


def as_text(game: Game) -> str:
    """Return the position as plain text. The last line has the discs, the last move and the side to move."""
    board, size = game.board, game.size
    signs = [PLAIN.of(cell) for cell in cells_of(board)]
    rows = (f"{row + 1:2} {' '.join(signs[row * size : (row + 1) * size])}" for row in range(size))
    black, white = board.counts()
    last = f"after {square_name(game.moves[-1], size)}, " if game.moves else ""
    turn = "game over" if board.is_over else f"{board.turn.value} to move"
    return "\n".join([f"   {' '.join(letters(size))}", *rows, f"X {black}  O {white}  {last}{turn}"])


# Colours in pictures, pages and terminals. Colour is never the only source of information.
CLOTH: Final = "#4f8a6c"  # The squares, with enough contrast to black discs, white discs and dark rings.
CLOTH_BESIDE: Final = "#457c60"  # Every second square if there are no lines between squares.
LINES: Final = "#2f5a45"
BLACK: Final = "#111111"
WHITE: Final = "#fdfdfd"
LEGAL: Final = "#12251c"  # The ring on a legal square.
MARK: Final = "#d55e00"  # The marks on the last move, on flipped discs and around the next move.
# The colour map cividis, dark blue to light yellow, which also works in greyscale (Nuñez et al. 2018).
_VALUES: Final = ("#00224e", "#2a3f6d", "#575c6d", "#7c7b78", "#a59c74", "#d2c060", "#fee838")
_LIGHT: Final = 0.45  # The lightness threshold, from 0 to 1. Text on a lighter background is black.


def value_colour(share: float) -> str:
    """Return the colour of a value from 0 (worst) to 1 (best)."""
    place = min(max(share, 0.0), 1.0) * (len(_VALUES) - 1)
    index = min(int(place), len(_VALUES) - 2)
    low, high = channels(_VALUES[index]), channels(_VALUES[index + 1])
    mixed = (round(a + (b - a) * (place - index)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def ink(colour: str) -> str:
    """Return the text colour, black or white, with more contrast to the background `colour`."""
    red, green, blue = channels(colour)
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 255 * _LIGHT else "#ffffff"


def channels(colour: str) -> tuple[int, ...]:
    """Return the red, green and blue channels of a colour, from 0 to 255."""
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
