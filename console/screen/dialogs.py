"""The dialogs over the board: a question, the help, and a new game."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from othello_lab.console.entry import Command
from othello_lab.console.seat import Settings, Wish, offered
from othello_lab.game import Board, Colour, Game
from othello_lab.game.notation import SIZES

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """A box over the board. Escape closes the box with the answer None."""

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
    """A question with a button for each answer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, text: str, answers: Mapping[str, str]) -> None:
        """The keys of `answers` are the results, and the values are the texts of the buttons."""
        super().__init__()
        self._text, self._answers = text, answers

    def compose(self) -> ComposeResult:
        """Place the text above the buttons."""
        with VerticalScroll(id="box", can_focus=False):
            yield Static(self._text, markup=False)
            with Horizontal(classes="buttons"):
                for name, label in self._answers.items():
                    yield Button(label, id=name, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close the dialog with the answer of the button."""
        self.dismiss(event.button.id or "")


class Page(Dialog[None]):
    """A dialog with a text."""

    DEFAULT_CSS = "Page > #box { width: 76; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space,q,f1", "dismiss(None)", "Back")]

    def __init__(self, page: RenderableType) -> None:
        super().__init__()
        self._page = page

    def compose(self) -> ComposeResult:
        """Show the text in a box that can be scrolled."""
        with VerticalScroll(id="box"):
            yield Static(self._page)


KEYS = {
    Command.UNDO: "Ctrl+Z",
    Command.REDO: "Ctrl+Y",
    Command.GO: "Ctrl+G",
    Command.HINT: "F3",
    Command.REVIEW: "F6",
    Command.NEW: "F2",
    Command.SAVE: "F7",
    Command.LOAD: "F8",
    Command.RESIGN: "F9",
    Command.HELP: "F1",
    Command.QUIT: "F10",
}
"""The key of each command."""
_OTHER_KEYS = {
    "arrows, Enter": "place a disc; or click the square",
    "d3, 2,3 or 2 3": "the same, typed: column letter and row number, or row and column from 0",
    "PgUp, PgDn": "the position before, after",
    "Home, End": "the start, the last position",
    "Tab": "to the list of moves, where Enter goes to one, and back",
    "F4": "values in every position, from blue, the worst, to yellow, the best",
    "F2": "another board, other players, another adviser",
    "Ctrl+C": "leave, and go on another day",
}


def help_page() -> RenderableType:
    """Return the help as a table."""
    table = Table.grid(padding=(0, 2))
    table.add_row(*(Text(head, style="bold") for head in ("key", "or type", "Esc closes this page")))
    for keys, meaning in _OTHER_KEYS.items():
        table.add_row(Text(keys), Text(), Text(meaning))
    table.add_row()
    for command in Command:
        key = "" if command is Command.NEW else KEYS.get(command, "")
        table.add_row(Text(key), Text(command.usage, no_wrap=True), Text(command.value[1]))
    return table


_OTHER = "other"
_NAMES = "Another player: a name of `othello players` such as search:time=1, a run or a checkpoint."
_Option = TypeVar("_Option", str, int)


class NewGame(Dialog[Wish]):
    """A dialog for the board size and the players. Another board size always begins a new game."""

    DEFAULT_CSS = """
    NewGame {
        & .row { height: auto; }
        & .row Label { width: 8; }
        & Select { width: 1fr; }
        & Input { display: none; margin-left: 8; }
        & Input.-needed { display: block; }
    }
    """

    def __init__(self, settings: Settings) -> None:
        """Create the dialog with `settings` selected."""
        super().__init__()
        self._settings = settings

    def compose(self) -> ComposeResult:
        """Place a row for the board, for each side and for the adviser."""
        with VerticalScroll(id="box", can_focus=False):
            yield Label("New game", classes="title")
            sizes = [(f"{size}x{size}", size) for size in SIZES]
            yield _row("Board", _select(sizes, self._settings.size, "size"))
            for colour, text in self._settings.players.items():
                yield from _player(colour.value.capitalize(), colour.value, text, people=True)
            yield from _player("Hints", "adviser", self._settings.adviser, people=False)
            yield Static(_NAMES, markup=False)
            with Horizontal(classes="buttons"):
                yield Button("New game", id="new", compact=True, variant="primary")
                yield Button("Go on with these", id="change", compact=True)
                yield Button("Back", id="back", compact=True)

    def on_select_changed(self, event: Select.Changed) -> None:
        """Show a line for a typed name while `another player` is selected."""
        if event.select.id != "size":
            self.query_one(f"#{event.select.id}-text").set_class(event.value == _OTHER, "-needed")

    def on_input_submitted(self) -> None:
        """Begin a new game with these settings."""
        self._answer(is_new=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close the dialog with the wish of the person, or with None for the button `Back`."""
        if event.button.id == "back":
            self.dismiss(None)
        else:
            self._answer(is_new=event.button.id == "new")

    def _answer(self, is_new: bool) -> None:
        size = int(str(self.query_one("#size", Select).value))
        begins = is_new or size != self._settings.size
        players = {colour: self._player_text(colour.value) for colour in Colour}
        settings = Settings(size, players, self._player_text("adviser"))
        self.dismiss(Wish(settings, Game(Board.start(size)) if begins else None))

    def _player_text(self, name: str) -> str:
        chosen = str(self.query_one(f"#{name}", Select).value)
        return self.query_one(f"#{name}-text", Input).value if chosen == _OTHER else chosen


def _select(options: list[tuple[str, _Option]], value: _Option, name: str) -> Select[_Option]:
    return Select(options, value=value, allow_blank=False, id=name, compact=True)


def _row(label: str, field: Widget) -> Horizontal:
    return Horizontal(Label(label), field, classes="row")


def _player(label: str, name: str, text: str, people: bool) -> Iterator[Widget]:
    """Yield a row with the offered players, and a line to type another player."""
    options = [(label, player) for player, label in offered(people).items()]
    is_offered = text in offered(people)
    yield _row(
        label, _select([*options, ("another player ...", _OTHER)], text if is_offered else _OTHER, name)
    )
    line = Input("" if is_offered else text, placeholder="search:time=1", id=f"{name}-text", compact=True)
    yield line if is_offered else line.add_class("-needed")
