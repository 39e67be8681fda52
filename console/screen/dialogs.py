"""Questions and pages that stand before the board until they are answered."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from othello_lab.console.entry import Command
from othello_lab.console.table import Settings, Wish, offered
from othello_lab.game import Colour, Game
from othello_lab.game.notation import SIZES

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


class PastedLine(Input):
    """A line that takes all lines of what is pasted, as one."""

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.split()), *self.selection)


class Line(Dialog[str]):
    """Asks for one line of text."""

    def __init__(self, title: str, explanation: str) -> None:
        super().__init__()
        self._title, self._explanation = title, explanation

    def compose(self) -> ComposeResult:
        """Lay the line between title and explanation."""
        with VerticalScroll(id="box", can_focus=False):
            yield Label(self._title, classes="title", markup=False)
            yield PastedLine(compact=True)
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
        ("d3, 2,3 or 2 3", "the same, typed: column letter and row number, or row and column from 0"),
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
        ("F5", Command.SETUP),
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


OTHER = "other"
Choice = TypeVar("Choice", str, int)
_EXPLANATION = "Another player: a name of `othello players` such as search:time=1, a run or a checkpoint."


class NewGame(Dialog[Wish]):
    """Asks who is to play on which board; another size always begins a new game."""

    DEFAULT_CSS = """
    NewGame {
        & .row { height: auto; }
        & .row Label { width: 8; }
        & Select { width: 1fr; }
        & Input { display: none; margin-left: 8; }
        & Input.-needed { display: block; }
    }
    """

    def __init__(self, settings: Settings, new_game: Callable[[int], Game], complaint: str = "") -> None:
        """`settings` are what stands there at first, `complaint` is what was wrong with them."""
        super().__init__()
        self._settings, self._new_game, self._complaint = settings, new_game, complaint

    def compose(self) -> ComposeResult:
        """Lay out a row for the board, each side and the adviser."""
        with VerticalScroll(id="box", can_focus=False):
            yield Label("New game", classes="title")
            sizes = [(f"{size}x{size}", size) for size in SIZES]
            yield _row("Board", _select(sizes, self._settings.size, "size"))
            for colour, text in self._settings.players.items():
                yield from _player(colour.value.capitalize(), colour.value, text, people=True)
            yield from _player("Hints", "adviser", self._settings.adviser, people=False)
            yield Static(self._complaint or _EXPLANATION, markup=False)
            with Horizontal(classes="buttons"):
                yield Button("New game", id="new", compact=True, variant="primary")
                yield Button("Go on with these", id="change", compact=True)
                yield Button("Back", id="back", compact=True)

    def on_select_changed(self, event: Select.Changed) -> None:
        """Show the line for a player's name where it is needed."""
        if event.select.id != "size":
            self.query_one(f"#{event.select.id}-text").set_class(event.value == OTHER, "-needed")

    def on_input_submitted(self) -> None:
        """Begin."""
        self._answer(is_new=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer as the button says."""
        if event.button.id == "back":
            self.dismiss(None)
        else:
            self._answer(is_new=event.button.id == "new")

    def _answer(self, is_new: bool) -> None:
        size = int(str(self.query_one("#size", Select).value))
        begins = is_new or size != self._settings.size
        players = {colour: self._text(colour.value) for colour in Colour}
        settings = Settings(size, players, self._text("adviser"))
        self.dismiss(Wish(settings, self._new_game(size) if begins else None))

    def _text(self, name: str) -> str:
        chosen = str(self.query_one(f"#{name}", Select).value)
        return self.query_one(f"#{name}-text", Input).value if chosen == OTHER else chosen


def _select(options: list[tuple[str, Choice]], value: Choice, name: str) -> Select[Choice]:
    return Select(options, value=value, allow_blank=False, id=name, compact=True)


def _row(label: str, field: Widget) -> Horizontal:
    return Horizontal(Label(label), field, classes="row")


def _player(label: str, name: str, text: str, people: bool) -> Iterator[Widget]:
    """Yield a row with the known players, and the line for any other."""
    options = [(label, player) for player, label in offered(people).items()]
    options += [("another player ...", OTHER)]
    known = text in offered(people)
    yield _row(label, _select(options, text if known else OTHER, name))
    line = Input("" if known else text, placeholder="search:time=1", id=f"{name}-text", compact=True)
    yield line.add_class("-needed") if not known else line
