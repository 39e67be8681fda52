"""A position as text: the squares, the legal moves, what the last move did. Nothing here prints."""

from dataclasses import dataclass

from rich.text import Text

from game import PASS, Board, Colour, Squares
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


@dataclass(frozen=True)
class Styles:
    """How squares are coloured, in rich's words."""

    black: str
    white: str
    legal: str
    empty: str
    mark: str
    """What is laid over a square for the brackets around its disc."""


CLOTH = Styles(
    black="bold #000000 on #2e8b57",
    white="bold #ffffff on #2e8b57",
    legal="bold #ffd75f on #2e8b57",
    empty="#1d5c39 on #2e8b57",
    mark="#ffd75f",
)
# A terminal chooses its 16 colours itself, and white on its green may be hard to see: so black discs stand on
# black and white discs on white, whatever is around them.
SIXTEEN = Styles(black="bright_white on black", white="black on white", legal="bold", empty="", mark="bold")


def symbols_for(encoding: str) -> Symbols:
    """Return round discs where an output's encoding has them, else letters."""
    try:
        "".join((ROUND.black, ROUND.white, ROUND.legal, ROUND.empty)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return ROUND


def styles_for(colour_system: str | None) -> Styles:
    """Return the styles for a terminal, by what rich calls its colours."""
    return CLOTH if colour_system in ("256", "truecolor") else SIXTEEN


def turned(before: Board, after: Board) -> Squares:
    """Return the squares of the discs that changed their colour between two positions."""
    return Squares(before.black & after.white | before.white & after.black)


@dataclass(frozen=True)
class Marks:
    """What is pointed out on a board."""

    last: int | None = None
    """The last move: its disc stands between square brackets."""
    turned: Squares = Squares(0)  # noqa: RUF009  nothing changes it
    """The discs that it turned over: between round ones."""
    legal: bool = True
    """Whether to show where the side to move may move."""

    def around(self, square: int) -> tuple[str, str]:
        """Return what stands to the left and to the right of a square's disc."""
        if square == self.last != PASS:
            return "[", "]"
        return ("(", ")") if square in self.turned else (" ", " ")


def draw(board: Board, symbols: Symbols, marks: Marks, styles: Styles = CLOTH) -> Text:
    """Return the board as text, a row a line."""
    letters = "".join(f" {square_name(column, board.size)[0]} " for column in range(board.size))
    lines = [Text(f"   {letters}", "bold")]
    lines += [_draw_row(board, symbols, marks, styles, row) for row in range(board.size)]
    return Text("\n").join(lines)


def _draw_row(board: Board, symbols: Symbols, marks: Marks, styles: Styles, row: int) -> Text:
    text = Text.assemble((f"{row + 1:2} ", "bold"))  # so that only this is bold: bold black may be grey
    for square in range(row * board.size, (row + 1) * board.size):
        what = _what(board, square, marks.legal)
        style, (left, right) = getattr(styles, what), marks.around(square)
        text.append(left, f"{style} {styles.mark}")
        text.append(getattr(symbols, what), style)
        text.append(right, f"{style} {styles.mark}")
    return text


def _what(board: Board, square: int, legal: bool) -> str:
    if board.black >> square & 1:
        return "black"
    if board.white >> square & 1:
        return "white"
    return "legal" if legal and square in board.legal_moves else "empty"
