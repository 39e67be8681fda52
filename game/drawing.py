"""The drawing of a board: the contents of each square, the board as lines of text, and the colours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import isqrt
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
    """A mark on the disc of a square: the characters to its left and right."""

    NONE = "  "
    LAST = "[]"
    TURNED = "()"


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a square, for every kind of output."""

    cell: Cell
    mark: Mark = Mark.NONE
    text: str = ""
    """The value of a move to the square; empty if it is not shown."""
    share: float | None = None
    """The value as a colour, 0 for the worst to 1 for the best."""
    is_best: bool = False

    @property
    def is_disc(self) -> bool:
        """Whether there is a disc."""
        return self.cell in (Cell.BLACK, Cell.WHITE)


@dataclass(frozen=True)
class Symbols:
    """The characters of the four kinds of squares, which differ without colour too."""

    black: str
    white: str
    legal: str
    empty: str

    def of(self, cell: Cell) -> str:
        """Return the character of a square."""
        return str(getattr(self, cell.value))

    def disc(self, colour: Colour) -> str:
        """Return the disc of a side."""
        return self.black if colour is Colour.BLACK else self.white


ROUND = Symbols(black="●", white="○", legal="+", empty="·")
PLAIN = Symbols(black="X", white="O", legal="+", empty=".")


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of a line that are drawn in the same way."""

    text: str
    cell: Cell | None = None
    """The contents of the square; None for the letters and numbers at the border."""
    is_mark: bool = False
    """Whether the text is a mark next to the square's character."""


def symbols_for(encoding: str) -> Symbols:
    """Return round discs if the encoding of the output has them, else letters."""
    try:
        "".join((ROUND.black, ROUND.white, ROUND.legal, ROUND.empty)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return ROUND


def cells_of(board: Board, legal: bool = True) -> list[Cell]:
    """Return the contents of each square, row by row from a1; without `legal`, legal moves are empty."""
    moves = board.legal_moves if legal else ()
    return [_cell(board, square, square in moves) for square in range(board.size**2)]


def _cell(board: Board, square: int, legal: bool) -> Cell:
    if board.black >> square & 1:
        return Cell.BLACK
    if board.white >> square & 1:
        return Cell.WHITE
    return Cell.LEGAL if legal else Cell.EMPTY


def turned(before: Board, after: Board) -> Squares:
    """Return the squares of the discs that changed their colour between two positions."""
    return Squares(before.black & after.white | before.white & after.black)


@dataclass(frozen=True)
class Marks:
    """The marks of a drawing of a board."""

    last: int | None = None
    """The last move: a dot on its disc."""
    turned: Squares = field(default_factory=lambda: Squares(0))
    """The discs that the last move flipped: a ring on each."""
    legal: bool = False
    """Whether to show the legal moves: a small ring on each square."""
    chosen: int | None = None
    """The next move: a frame around the square."""

    @classmethod
    def of(cls, game: Game, legal: bool = False) -> Self:
        """Return the marks of the last disc placed in a game, if there was one; passes do not count."""
        placed = [ply for ply, move in enumerate(game.moves) if move != PASS]
        if not placed:
            return cls(legal=legal)
        ply = placed[-1]
        return cls(game.moves[ply], turned(game.boards[ply], game.boards[ply + 1]), legal)


def as_data(board: Board, marks: Marks) -> dict[str, Any]:
    """Return a position with its marks, for JSON, as board.js of our pages draws it."""
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
    """Return the look of each square of a position, row by row from a1."""
    mark_of = dict.fromkeys(marks.turned, Mark.TURNED)
    if marks.last is not None:
        mark_of[marks.last] = Mark.LAST
    cells = enumerate(cells_of(board, marks.legal))
    return [Look(cell, mark_of.get(square, Mark.NONE)) for square, cell in cells]


def draw(looks: Sequence[Look], symbols: Symbols, marks: bool = False) -> list[list[Piece]]:
    """Return the lines of a board of size * size squares: the column letters, then each row with its number.

    With `marks` there is room for marks on both sides of the character of a square.
    """
    size = isqrt(len(looks))
    left, right = (" " if marks else ""), " "
    letters = "".join(f"{left}{square_name(column, size)[0]}{right}" for column in range(size))
    lines = [[Piece(f"   {letters}")]]
    for row in range(size):
        pieces = (
            piece for look in looks[row * size : (row + 1) * size] for piece in _pieces(look, symbols, marks)
        )
        lines.append([Piece(f"{row + 1:2} "), *pieces])
    return lines


def _pieces(look: Look, symbols: Symbols, marks: bool) -> Iterator[Piece]:
    left, right = look.mark.value if marks else ("", " ")
    yield Piece(left, look.cell, is_mark=True)
    yield Piece(symbols.of(look.cell), look.cell)
    yield Piece(right, look.cell, is_mark=True)


def as_text(game: Game) -> str:
    """Return the position as plain text: X black, O white, + legal moves.

    Below it are the counts of discs, the last move and the side to move.
    """
    board = game.board
    lines = draw([Look(cell) for cell in cells_of(board)], PLAIN)
    black, white = board.counts()
    last = f"after {square_name(game.moves[-1], game.size)}, " if game.moves else ""
    turn = "game over" if board.is_over else f"{board.turn.value} to move"
    rows = ["".join(piece.text for piece in line).rstrip() for line in lines]
    return "\n".join([*rows, f"X {black}  O {white}  {last}{turn}"])


# The colours of boards and of values: one set for pictures, pages and terminals, as texts such as `#4f8a6c`.
# A shape, a sign or a word always has the same information as a colour.
CLOTH: Final = "#4f8a6c"
"""The colour of a square: black and white discs and dark rings are easy to see on it."""
CLOTH_BESIDE: Final = "#457c60"
"""The colour of every second square if there are no lines between squares."""
LINES: Final = "#2f5a45"
BLACK: Final = "#111111"
WHITE: Final = "#fdfdfd"
LEGAL: Final = "#12251c"
"""A legal move of the side to move."""
MARK: Final = "#d55e00"
"""The colour of the last move, of flipped discs, and of a frame: visible on both kinds of discs."""
_VALUES: Final = ("#00224e", "#2a3f6d", "#575c6d", "#7c7b78", "#a59c74", "#d2c060", "#fee838")
"""Blue to yellow, from dark to light: readable for colour-blind people and in grey (Nuñez et al. 2018)."""
_LIGHT: Final = 0.45
"""The lightness from which on a colour takes black text."""


def value_colour(share: float) -> str:
    """Return the colour of a value, 0 for the worst to 1 for the best."""
    place = min(max(share, 0.0), 1.0) * (len(_VALUES) - 1)
    index = min(int(place), len(_VALUES) - 2)
    low, high = channels(_VALUES[index]), channels(_VALUES[index + 1])
    mixed = (round(a + (b - a) * (place - index)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def ink(colour: str) -> str:
    """Return the colour of text on a background: black or white."""
    red, green, blue = channels(colour)
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 255 * _LIGHT else "#ffffff"


def channels(colour: str) -> tuple[int, ...]:
    """Return red, green and blue of a colour, 0 to 255."""
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
