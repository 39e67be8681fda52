"""Lines in, lines out. The only module of the plain mode that prints and asks."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from io import UnsupportedOperation
from typing import TypeVar

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from othello_lab.console.wording import complaint
from othello_lab.console.work import interruptible
from othello_lab.game import Game
from othello_lab.game.drawing import (
    BLACK,
    CLOTH,
    LEGAL,
    LINES,
    WHITE,
    Cell,
    Look,
    Marks,
    Piece,
    Symbols,
    draw,
    looks_of,
    symbols_for,
)

with suppress(ImportError):  # not on Windows
    import readline  # noqa: F401  its mere presence gives input() arrows, history and editing

Result = TypeVar("Result")
Styles = Mapping[Cell | None, str]
"""How squares are coloured, in rich's words; None is the border."""
COLOURED: Styles = {
    Cell.BLACK: f"bold {BLACK} on {CLOTH}",
    Cell.WHITE: f"bold {WHITE} on {CLOTH}",
    Cell.LEGAL: f"bold {LEGAL} on {CLOTH}",
    Cell.EMPTY: f"{LINES} on {CLOTH}",
    None: "bold",
}
# A terminal chooses its 16 colours itself, and white on its green may be hard to see: so black discs stand on
# black and white discs on white, whatever is around them.
SIXTEEN: Styles = {
    Cell.BLACK: "bright_white on black",
    Cell.WHITE: "black on white",
    Cell.LEGAL: "bold",
    Cell.EMPTY: "",
    None: "bold",
}


class Left(Exception):  # noqa: N818  no error: the person chose to leave
    """Raised where the person leaves; the text says how."""


class Terminal:
    """Where the game is shown and what is typed comes from."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self.symbols = symbols_for(screen.encoding)

    def ask(self, prompt: str, farewell: str = "\nEnd of input: you have left.") -> str:
        """Return the next line that is typed; raise Left, with the farewell, at the end of input."""
        try:
            # Not rich's own: readline must know the prompt, or it draws over it.
            entry = input(self._encodable(prompt))
        except EOFError:
            raise Left(farewell) from None
        if not at_terminal():
            # Nobody saw it typed: written out, the record of a piped game can be read.
            self.say(complaint(entry))
        return entry

    def complain(self, why: object) -> None:
        """Print what was wrong; what was typed may stand in it."""
        self.say(complaint(why))

    def say(self, text: str) -> None:
        """Print lines as they are: not wrapped and not read as markup, so that a `[` stays a `[`."""
        self._screen.print(self._encodable(text), soft_wrap=True, markup=False, highlight=False)

    def show(self, game: Game, legal: bool) -> None:
        """Draw the board, with or without the squares where the side to move may move."""
        looks = looks_of(game.board, Marks.of(game, legal))
        self._screen.print()
        self._screen.print(board_text(looks, self.symbols, self._screen.color_system))

    def wait_for(self, what: str, work: Callable[[], Result], stop: Callable[[], None]) -> Result:
        """Return what comes of work; a terminal shows what one waits for, and Ctrl-C calls `stop`."""
        is_shown = self._screen.is_terminal
        with self._screen.status(escape(what), spinner="line") if is_shown else nullcontext():
            return interruptible(work, stop, lambda _: None)

    def _encodable(self, text: str) -> str:
        """Return a text with escapes for characters that somebody typed and the output cannot encode."""
        encoding = self._screen.encoding
        return text.encode(encoding, "backslashreplace").decode(encoding)


def board_text(looks: Sequence[Look], symbols: Symbols, colour_system: str | None) -> Text:
    """Return a board in the colours of a terminal, by what rich calls them."""
    styles, mark = (COLOURED, BLACK) if colour_system in ("256", "truecolor") else (SIXTEEN, "bold")

    def styled(piece: Piece) -> tuple[str, str]:
        return piece.text, f"{styles[piece.cell]} {mark}" if piece.is_mark else styles[piece.cell]

    lines = draw(looks, symbols, marks=True)
    return Text("\n").join(Text.assemble(*map(styled, line)) for line in lines)


def at_terminal() -> bool:
    """Tell whether a person types, and sees what is typed."""
    return sys.stdin.isatty()


def standard_terminal() -> Terminal:
    r"""Return the terminal, or pipe, of this process.

    Input that is no text of this system's encoding comes as escapes such as \xff, not as an error.
    """
    with suppress(AttributeError, UnsupportedOperation):  # a stand-in, or read from already
        sys.stdin.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # hence the line above
    return Terminal(Console(highlight=False))
