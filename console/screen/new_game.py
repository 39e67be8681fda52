"""The dialog of a new game: board, who plays, who gives hints."""

from collections.abc import Iterator
from typing import TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from console.screen.dialogs import Dialog
from console.table import HUMAN, Settings, Wish
from game import Board, Colour, Game
from game.players.levels import STRONGEST

SIZES = range(4, 17, 2)
OTHER = "other"
ADVISER = "search:time=1"
"""Who gives hints unless somebody else is named."""
_LEVELS = {1: ", near-random", STRONGEST: ", the strongest"}
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

    def __init__(self, settings: Settings, complaint: str = "") -> None:
        """`settings` are what stands there at first, `complaint` is what was wrong with them."""
        super().__init__()
        self._settings, self._complaint = settings, complaint

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
        self.dismiss(Wish(settings, Game(Board.start(size)) if begins else None))

    def _text(self, name: str) -> str:
        chosen = str(self.query_one(f"#{name}", Select).value)
        return self.query_one(f"#{name}-text", Input).value if chosen == OTHER else chosen


def _select(options: list[tuple[str, Choice]], value: Choice, name: str) -> Select[Choice]:
    return Select(options, value=value, allow_blank=False, id=name, compact=True)


def _row(label: str, field: Widget) -> Horizontal:
    return Horizontal(Label(label), field, classes="row")


def _player(label: str, name: str, text: str, people: bool) -> Iterator[Widget]:
    """Yield a row with the known players, and the line for any other."""
    options = [("a person", HUMAN)] if people else [("search, a second a move", ADVISER)]
    options += [
        (f"level {level}{_LEVELS.get(level, '')}", f"level:{level}") for level in range(1, STRONGEST + 1)
    ]
    options += [("another player ...", OTHER)]
    known = text in dict(options).values()
    yield _row(label, _select(options, text if known else OTHER, name))
    line = Input("" if known else text, placeholder="search:time=1", id=f"{name}-text", compact=True)
    yield line.add_class("-needed") if not known else line
