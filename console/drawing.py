"""A position in colours: the squares, the legal moves, what the last move did. Nothing here prints."""

from dataclasses import dataclass
from typing import Self

from rich.text import Text

from game import PASS, Board, Game, Squares
from game.colours import BLACK, CLOTH, LEGAL, LINES, WHITE
from game.drawing import Piece, Symbols, cells_of, turned
from game.drawing import draw as draw_lines


@dataclass(frozen=True)
class Styles:
    """How squares are coloured, in rich's words."""

    black: str
    white: str
    legal: str
    empty: str
    mark: str
    """What is laid over a square for the brackets around its disc."""

    def of(self, piece: Piece) -> str:
        """Return the style of a piece of the drawing."""
        if piece.cell is None:
            return "bold"
        style = str(getattr(self, piece.cell.value))
        return f"{style} {self.mark}" if piece.is_mark else style


COLOURED = Styles(
    black=f"bold {BLACK} on {CLOTH}",
    white=f"bold {WHITE} on {CLOTH}",
    legal=f"bold {LEGAL} on {CLOTH}",
    empty=f"{LINES} on {CLOTH}",
    mark=BLACK,
)
# A terminal chooses its 16 colours itself, and white on its green may be hard to see: so black discs stand on
# black and white discs on white, whatever is around them.
SIXTEEN = Styles(black="bright_white on black", white="black on white", legal="bold", empty="", mark="bold")


def styles_for(colour_system: str | None) -> Styles:
    """Return the styles for a terminal, by what rich calls its colours."""
    return COLOURED if colour_system in ("256", "truecolor") else SIXTEEN


@dataclass(frozen=True)
class Marks:
    """What is pointed out on a board."""

    last: int | None = None
    """The last move: its disc stands between square brackets."""
    turned: Squares = Squares(0)  # noqa: RUF009  nothing changes it
    """The discs that it turned over: between round ones."""
    legal: bool = True
    """Whether to show where the side to move may move."""

    @classmethod
    def of(cls, game: Game, legal: bool = True) -> Self:
        """Return what is pointed out in a game: the last disc placed, also before a pass."""
        placed = [ply for ply, move in enumerate(game.moves) if move != PASS]
        if not placed:
            return cls(legal=legal)
        ply = placed[-1]
        return cls(game.moves[ply], turned(game.boards[ply], game.boards[ply + 1]), legal)

    def around(self, square: int) -> tuple[str, str]:
        """Return what stands to the left and to the right of a square's disc."""
        if square == self.last:
            return "[", "]"
        return ("(", ")") if square in self.turned else (" ", " ")


def draw(board: Board, symbols: Symbols, marks: Marks, styles: Styles = COLOURED) -> Text:
    """Return the board as text, a row a line."""
    lines = draw_lines(cells_of(board, marks.legal), symbols, marks.around)
    return Text("\n").join(
        Text.assemble(*((piece.text, styles.of(piece)) for piece in line)) for line in lines
    )
