"""Questions and pages that stand before the board until they are answered."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from console.entry import Command

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """A box before the board, which Escape closes without an answer."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        & > #box {
            width: 64; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
            background: $surface; border: round $primary;
        }
        & .title { text-style: bold; }
        & .buttons { height: auto; margin-top: 1; }
        & Button { margin-right: 1; min-width: 8; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]


class Question(Dialog[str]):
    """A question with a few answers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, text: str, answers: Mapping[str, str]) -> None:
        """`answers` are labels by what they are called in the result; the first is the one for Enter."""
        super().__init__()
        self._text, self._answers = text, answers

    def compose(self) -> ComposeResult:
        """Lay the text above its answers."""
        with VerticalScroll(id="box", can_focus=False):
            yield Static(self._text, markup=False)
            with Horizontal(classes="buttons"):
                for name, label in self._answers.items():
                    yield Button(label, id=name, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id or "")


class Line(Dialog[str]):
    """Asks for one line of text."""

    def __init__(self, title: str, explanation: str, text: str = "") -> None:
        """`text` is what stands there at first."""
        super().__init__()
        self._title, self._explanation, self._text = title, explanation, text

    def compose(self) -> ComposeResult:
        """Lay the line between title and explanation."""
        with VerticalScroll(id="box", can_focus=False):
            yield Label(self._title, classes="title", markup=False)
            yield Input(self._text, compact=True)
            yield Static(self._explanation, markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was typed."""
        self.dismiss(event.value.strip())


class Page(Dialog[None]):
    """Something to be read."""

    DEFAULT_CSS = "Page > #box { width: 76; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space,q,f1", "dismiss(None)", "Back")]

    def __init__(self, page: RenderableType) -> None:
        super().__init__()
        self._page = page

    def compose(self) -> ComposeResult:
        """Show it; the arrow keys scroll it."""
        with VerticalScroll(id="box"):
            yield Static(self._page)


_PARTS: dict[str, Sequence[tuple[str, Command | str]]] = {
    "Play": (
        ("arrows, Enter", "place a disc; or click the square"),
        ("d3 or 2,3", "the same, typed: column letter and row number, or row,col counted from 0"),
        ("Ctrl+Z", Command.UNDO),
        ("Ctrl+Y", Command.REDO),
        ("F9", Command.RESIGN),
        ("F10", Command.QUIT),
        ("Ctrl+C", "leave, and go on another day"),
    ),
    "Look": (
        ("F3", Command.HINT),
        ("F4", "the same in every position, from blue, the worst, to yellow, the best"),
        ("F6", Command.REVIEW),
        ("", Command.MOVES),
        ("PgUp, PgDn", "the position before, after"),
        ("Home, End", "the start, the last position"),
        ("", Command.GOTO),
        ("Ctrl+G", Command.GO),
        ("Tab", "to the list of moves, where Enter goes to one, and back"),
        ("", Command.BOARD),
    ),
    "Other games": (
        ("F2", "another board, other players, another adviser"),
        ("", Command.OPPONENT),
        ("", Command.NEW),
        ("", Command.SWAP),
        ("", Command.HARDER),
        ("", Command.EASIER),
        ("F7", Command.SAVE),
        ("F8", Command.LOAD),
        ("F1", Command.HELP),
    ),
}
"""Keys with what they do, which is a word to be typed, too, or has none."""


def help_page() -> RenderableType:
    """Return the page; it fits any width."""
    table = Table.grid(padding=(0, 2))
    table.add_row(*(Text(head, style="bold") for head in ("key", "or type", "Esc closes this page")))
    for title, lines in _PARTS.items():
        table.add_row()
        table.add_row(Text(title, style="bold"))
        for keys, what in lines:
            word, does = (what.usage, what.value[1]) if isinstance(what, Command) else ("", what)
            table.add_row(Text(keys), Text(word, no_wrap=True), Text(does))
    return table
