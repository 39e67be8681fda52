"""A board as lines of text: the one drawing, which whoever shows a board puts into its own colours."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import isqrt

from game.board import Board, Colour, Squares
from game.game import Game
from game.notation import square_name


class Cell(Enum):
    """What a square shows."""

    BLACK = "black"
    WHITE = "white"
    LEGAL = "legal"
    EMPTY = "empty"


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


def _nothing_around(square: int) -> tuple[str, str]:
    return "", " "


def draw(
    cells: Sequence[Cell], symbols: Symbols, around: Callable[[int], tuple[str, str]] = _nothing_around
) -> list[list[Piece]]:
    """Return the lines of a board of size * size cells: the column letters, then each row with its number.

    `around(square)` is what stands left and right of a square's character, equally long for all squares.
    """
    size = isqrt(len(cells))
    left, right = (" " * len(text) for text in around(0))
    letters = "".join(f"{left}{square_name(column, size)[0]}{right}" for column in range(size))
    lines = [[Piece(f"   {letters}")]]
    for row in range(size):
        line = [Piece(f"{row + 1:2} ")]
        for square in range(row * size, (row + 1) * size):
            line += _around(symbols.of(cells[square]), cells[square], around(square))
        lines.append(line)
    return lines


def _around(character: str, cell: Cell, marks: tuple[str, str]) -> Iterable[Piece]:
    left, right = (Piece(mark, cell, is_mark=True) for mark in marks)
    return left, Piece(character, cell), right


def as_text(game: Game) -> str:
    """Return the position now as plain text: X black, O white, + where the side to move may play.

    Below it stand the counts of discs, the last move and who is to move.
    """
    board = game.board
    lines = draw(cells_of(board), PLAIN)
    black, white = board.counts()
    last = f"after {square_name(game.moves[-1], game.size)}, " if game.moves else ""
    turn = "game over" if board.is_over else f"{board.turn.value} to move"
    rows = ["".join(piece.text for piece in line).rstrip() for line in lines]
    return "\n".join([*rows, f"X {black}  O {white}  {last}{turn}"])
