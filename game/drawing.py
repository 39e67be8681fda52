"""A board described square by square, and its one drawing as lines of text, which others put into colours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import isqrt
from typing import Any, Self

from othello_lab.game.board import Board, Colour, Squares
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, square_name


class Cell(Enum):
    """What a square shows."""

    BLACK = "black"
    WHITE = "white"
    LEGAL = "legal"
    EMPTY = "empty"


class Mark(Enum):
    """What is said of the disc on a square, by what stands to its left and right."""

    NONE = "  "
    LAST = "[]"
    TURNED = "()"


@dataclass(frozen=True, slots=True)
class Look:
    """All that a square shows, in whatever way it is drawn."""

    cell: Cell
    mark: Mark = Mark.NONE
    text: str = ""
    """What its move is worth, if that is shown."""
    share: float | None = None
    """The same for its colour, 0 for the worst to 1 for the best."""
    is_best: bool = False

    @property
    def is_disc(self) -> bool:
        """Whether a disc lies there."""
        return self.cell in (Cell.BLACK, Cell.WHITE)


@dataclass(frozen=True)
class Symbols:
    """The characters of the four kinds of squares. They differ without colour too."""

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
    """A few characters of a line that have one look."""

    text: str
    cell: Cell | None = None
    """What the square shows; None for the letters and numbers at the border."""
    is_mark: bool = False
    """Whether it stands beside the square's character."""


def symbols_for(encoding: str) -> Symbols:
    """Return round discs where an output's encoding has them, else letters."""
    try:
        "".join((ROUND.black, ROUND.white, ROUND.legal, ROUND.empty)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return ROUND


def cells_of(board: Board, legal: bool = True) -> list[Cell]:
    """Return what each square shows, row by row from a1; without `legal` legal moves show as empty."""
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
    """What is pointed out on a board."""

    last: int | None = None
    """The last move: a dot on its disc."""
    turned: Squares = field(default_factory=lambda: Squares(0))
    """The discs that it turned over: a ring on each."""
    legal: bool = False
    """Whether to show where the side to move may move: a small ring on each square."""
    values: Mapping[int, float] = field(default_factory=dict)
    """What squares are worth, more is better: a colour and a number on each."""
    chosen: int | None = None
    """A square with a frame: the move that is made from here."""

    @classmethod
    def of(cls, game: Game, legal: bool = False) -> Self:
        """Return the marks of the last disc placed in a game, also before a pass, if there was one."""
        placed = [ply for ply, move in enumerate(game.moves) if move != PASS]
        if not placed:
            return cls(legal=legal)
        ply = placed[-1]
        return cls(game.moves[ply], turned(game.boards[ply], game.boards[ply + 1]), legal)


def as_data(board: Board, marks: Marks) -> dict[str, Any]:
    """Return a position with its marks, but for values, as board.js of our pages draws it: for JSON."""
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
    """Return what each square of a position shows, row by row from a1."""
    found = dict.fromkeys(marks.turned, Mark.TURNED)
    if marks.last is not None:
        found[marks.last] = Mark.LAST
    cells = enumerate(cells_of(board, marks.legal))
    return [Look(cell, found.get(square, Mark.NONE)) for square, cell in cells]


def draw(looks: Sequence[Look], symbols: Symbols, marks: bool = False) -> list[list[Piece]]:
    """Return the lines of a board of size * size squares: the column letters, then each row with its number.

    With `marks` there is room for them on both sides of a square's character.
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
    """Return the position now as plain text: X black, O white, + where the side to move may play.

    Below it stand the counts of discs, the last move and who is to move.
    """
    board = game.board
    lines = draw([Look(cell) for cell in cells_of(board)], PLAIN)
    black, white = board.counts()
    last = f"after {square_name(game.moves[-1], game.size)}, " if game.moves else ""
    turn = "game over" if board.is_over else f"{board.turn.value} to move"
    rows = ["".join(piece.text for piece in line).rstrip() for line in lines]
    return "\n".join([*rows, f"X {black}  O {white}  {last}{turn}"])
