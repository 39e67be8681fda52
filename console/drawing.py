"""A position as text: the squares, the legal moves, the last move. Nothing here prints."""

from dataclasses import dataclass

from rich.text import Text

from game import PASS, Board, Colour
from game.notation import square_name


@dataclass(frozen=True)
class Symbols:
    """The four things a square shows. They differ without colour too."""

    black: str
    white: str
    legal: str
    empty: str

    def disc(self, colour: Colour) -> str:
        """Return the disc of a side."""
        return self.black if colour is Colour.BLACK else self.white


ROUND = Symbols(black="●", white="○", legal="+", empty="·")
PLAIN = Symbols(black="X", white="O", legal="+", empty=".")

_CLOTH = "on #2e8b57"
_STYLES = {"black": "bold #000000", "white": "bold #ffffff", "legal": "bold #ffd75f", "empty": "#1d5c39"}
_LAST = "bold #ffd75f"


def symbols_for(encoding: str) -> Symbols:
    """Return round discs where an output's encoding has them, else letters."""
    try:
        "".join((ROUND.black, ROUND.white, ROUND.legal, ROUND.empty)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return ROUND


def draw(board: Board, symbols: Symbols, last: int | None = None) -> Text:
    """Return the board with legal squares marked and the last move between brackets."""
    letters = "".join(f" {square_name(column, board.size)[0]} " for column in range(board.size))
    lines = [Text(f"   {letters}", "bold")]
    lines += [_draw_row(board, symbols, last, row) for row in range(board.size)]
    return Text("\n").join(lines)


def _draw_row(board: Board, symbols: Symbols, last: int | None, row: int) -> Text:
    text = Text(f"{row + 1:2} ", "bold")
    for square in range(row * board.size, (row + 1) * board.size):
        what = _what(board, square)
        left, right = "[]" if square == last and last != PASS else "  "
        text.append(left, f"{_LAST} {_CLOTH}")
        text.append(getattr(symbols, what), f"{_STYLES[what]} {_CLOTH}")
        text.append(right, f"{_LAST} {_CLOTH}")
    return text


def _what(board: Board, square: int) -> str:
    if board.black >> square & 1:
        return "black"
    if board.white >> square & 1:
        return "white"
    return "legal" if square in board.legal_moves else "empty"
