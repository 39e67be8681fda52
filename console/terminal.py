"""A plain terminal that reads lines, prints lines, and draws boards in colour."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from io import UnsupportedOperation
from math import isqrt
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
    Symbols,
    letters,
    looks_of,
    symbols_for,
)

with suppress(ImportError):  # Windows has no readline
    import readline  # noqa: F401  the import gives input() arrow keys, history and editing

Result = TypeVar("Result")
# The styles of the squares, in the syntax of rich.
_STYLES: Mapping[Cell, str] = {
    Cell.BLACK: f"bold {BLACK} on {CLOTH}",
    Cell.WHITE: f"bold {WHITE} on {CLOTH}",
    Cell.LEGAL: f"bold {LEGAL} on {CLOTH}",
    Cell.EMPTY: f"{LINES} on {CLOTH}",
}


class Left(Exception):  # noqa: N818  no error: the person chose to leave
    """Raised when the person leaves the program. The message is the last line to print."""


class Terminal:
    """Prints games and messages, and reads lines."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self.symbols = symbols_for(screen.encoding)

    def ask(self, prompt: str, farewell: str = "") -> str:
        """Return the next typed line. At the end of the input, raise Left with the text `farewell`."""
        try:
            entry = input(self._encodable(prompt))  # `Console.input` would make readline overwrite the prompt
        except EOFError:
            raise Left(farewell) from None
        if not at_terminal():
            self.say(complaint(entry))  # echo piped input, so that the output is complete
        return entry

    def say(self, text: str) -> None:
        """Print text without wrapping and without rich markup."""
        self._screen.print(self._encodable(text), soft_wrap=True, markup=False, highlight=False)

    def show(self, game: Game, legal: bool) -> None:
        """Draw the board. With `legal`, mark the legal moves."""
        looks = looks_of(game.board, Marks.of(game, legal))
        self._screen.print()
        self._screen.print(board_text(looks, self.symbols))

    def wait_for(self, label: str, work: Callable[[], Result], stop: Callable[[], None]) -> Result:
        """Run `work` and return its result. Meanwhile, a terminal shows `label`, and Ctrl-C calls `stop`."""
        with (
            self._screen.status(escape(label), spinner="line") if self._screen.is_terminal else nullcontext()
        ):
            return interruptible(work, stop, lambda _: None)

    def _encodable(self, text: str) -> str:
        encoding = self._screen.encoding
        return text.encode(encoding, "backslashreplace").decode(encoding)


def board_text(looks: Sequence[Look], symbols: Symbols) -> Text:
    """Return a board as coloured text."""
    size = isqrt(len(looks))
    text = Text().append("   " + "".join(f" {letter} " for letter in letters(size)), "bold")
    for square, look in enumerate(looks):
        if square % size == 0:
            text.append("\n").append(f"{square // size + 1:2} ", "bold")
        (left, right), style = look.mark.value, _STYLES[look.cell]
        text.append(left, f"{style} {BLACK}").append(symbols.of(look.cell), style)
        text.append(right, f"{style} {BLACK}")
    return text


def at_terminal() -> bool:
    """Return whether stdin is a terminal."""
    return sys.stdin.isatty()


def standard_terminal() -> Terminal:
    r"""Return a `Terminal` on stdin and stdout. Undecodable bytes become escapes such as \xff."""
    with suppress(AttributeError, UnsupportedOperation):  # stdin is replaced (StringIO) or was already read
        sys.stdin.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # not in every stream
    return Terminal(Console(highlight=False))
