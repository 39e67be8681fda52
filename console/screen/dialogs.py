"""The dialogs over the board: the help, a new game, and the review."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from othello_lab.console import reviewing
from othello_lab.console.entry import SQUARES, Command
from othello_lab.console.hints import Review
from othello_lab.console.reviewing import MARGIN, ROWS, graph_lines, plies_a_column
from othello_lab.console.seat import Settings, Wish, offered
from othello_lab.game import Board, Colour, Game
from othello_lab.game.drawing import ROUND
from othello_lab.game.notation import SIZES
from othello_lab.game.review import Decision, are_in_discs, points_of
from othello_lab.game.short_names import short_name

Answer = TypeVar("Answer")
_TALL = 34  # The minimum screen height for a graph of full height, in lines.
_LOW = 22  # The minimum screen height for a graph of half height, in lines.
_TICK = 0.2  # The refresh interval of the review, in seconds.
_HEAD = "      move  worth best worth  lost"


class Dialog(ModalScreen[Answer]):
    """A modal dialog over the board. Escape closes the dialog with the result None."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        & > #box {
            width: 76; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
            background: $surface; border: round $primary;
        }
        & .title { text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]


class Help(Dialog[None]):
    """The dialog that lists the keys and the commands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space,q,f1", "dismiss(None)", "Back")]

    def __init__(self, keys: Sequence[Binding]) -> None:
        super().__init__()
        self._keys = {key.action: key for key in keys if key.key_display}

    def compose(self) -> ComposeResult:
        """Compose a table in a scrollable box."""
        table = Table.grid(padding=(0, 2))
        table.add_row(*(Text(head, style="bold") for head in ("key", "or type", "Esc closes this page")))
        table.add_row("arrows, Enter", "", "place a disc; or click the square")
        for text, meaning in SQUARES.items():
            table.add_row("", text, meaning)
        table.add_row("", "", "dots: a legal move; large on a disc, the last move; small, a turned disc")
        table.add_row("Tab", "", "to the list of moves, where Enter shows a position, and back")
        for action, key in self._keys.items():
            if not action.startswith("obey"):
                table.add_row(key.key_display, "", key.tooltip or key.description)
        for command in Command:
            bound = self._keys.get(f"obey({command.keyword!r})")
            table.add_row(
                bound.key_display if bound else "", Text(command.usage, no_wrap=True), command.value[1]
            )
        with VerticalScroll(id="box"):
            yield Static(table)


class NewGame(Dialog[Wish]):
    """A dialog for the board size and the players. A different board size always starts a new game."""

    DEFAULT_CSS = """
    NewGame {
        & > #box { width: 64; }
        & Horizontal { height: auto; }
        & .buttons { margin-top: 1; }
        & Label { width: 8; }
        & Select { width: 1fr; }
        & Button { margin-right: 1; min-width: 8; }
    }
    """

    def __init__(self, settings: Settings) -> None:
        """Create the dialog with `settings` preselected."""
        super().__init__()
        self._settings = settings

    def compose(self) -> ComposeResult:
        """Compose a row each for the board size, the two players and the adviser."""
        sizes, settings = {str(size): f"{size}x{size}" for size in SIZES}, self._settings
        with VerticalScroll(id="box", can_focus=False):
            yield Static("New game", classes="title")
            yield _setting("Board", "size", sizes, str(settings.size))
            for colour, text in settings.players.items():
                yield _setting(colour.value.capitalize(), colour.value, offered(people=True), text)
            yield _setting("Hints", "adviser", offered(people=False), settings.adviser)
            yield Static("`opponent WHO` has any other player play on.")
            with Horizontal(classes="buttons"):
                yield Button("New game", id="new", compact=True, variant="primary")
                yield Button("Go on with these", id="change", compact=True)
                yield Button("Back", id="back", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close the dialog. The result is a Wish, or None for the button `Back`."""
        if event.button.id == "back":
            self.dismiss(None)
            return
        size = int(self._chosen("size"))
        begins = event.button.id == "new" or size != self._settings.size
        players = {colour: self._chosen(colour.value) for colour in Colour}
        settings = Settings(size, players, self._chosen("adviser"))
        self.dismiss(Wish(settings, Game(Board.start(size)) if begins else None))

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)


def _setting(label: str, name: str, labels: Mapping[str, str], value: str) -> Horizontal:
    """Return a labelled selection list for a setting, with `value` selected."""
    options = [
        (text, option)
        for option, text in (labels if value in labels else {**labels, value: short_name(value)}).items()
    ]
    return Horizontal(Label(label), Select(options, value=value, allow_blank=False, id=name, compact=True))


class ReviewPage(Dialog[int]):
    """A dialog with a finished or running review. The result is the ply of the chosen decision, or None."""

    DEFAULT_CSS = """
    ReviewPage {
        & > #box { height: 100%; }
        & OptionList { height: 1fr; border: none; padding: 0; background: transparent; text-wrap: nowrap; }
        & #graph { height: auto; margin-bottom: 1; display: none; }
        & #foot { height: auto; margin-top: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,f6", "dismiss(None)", "Back"),
        Binding("m", "next_mistake", "Next mistake"),
    ]

    def __init__(self, review: Review) -> None:
        super().__init__()
        self._review, self._list = review, OptionList(compact=True)
        self._decisions: list[Decision] = []

    def compose(self) -> ComposeResult:
        """Place the graph, the heading, the list of decisions, and the total losses."""
        with Vertical(id="box"):
            yield Label("Review", classes="title")
            yield Static(id="graph", markup=False)
            yield Label(_HEAD)
            yield self._list
            yield Static(id="foot", markup=False)

    def on_mount(self) -> None:
        """Focus the list and start the refresh timer."""
        self._list.focus()
        self._show()
        self.set_interval(_TICK, self._show)

    def _show(self) -> None:
        decisions, count = self._review.decisions, len(self._decisions)
        if len(decisions) > count:  # a review runs backwards: new rows go above the highlighted row
            below = count - (self._list.highlighted or 0)
            self._decisions = decisions
            self._list.set_options(Option(_row(it)) for it in decisions)
            self._list.highlighted = max(0, len(decisions) - below)
        self.query_one("#foot", Static).update(Text("\n".join(self._foot())))

    def _foot(self) -> list[str]:
        if not self._review.is_done or self._review.failure:
            return [self._review.failure or f"{self._review.progress} ..."]
        return [*reviewing.summary(self._decisions), "Enter: look at it; m: next mistake"]

    def _show_graph(self) -> None:
        """Draw the graph, and mark the highlighted decision. Hide a graph that does not fit."""
        graph, height = self.query_one("#graph", Static), self.screen.size.height
        columns = self.query_one("#box").content_size.width - MARGIN
        graph.display = are_in_discs(self._decisions) and height >= _LOW and columns > 0
        if graph.display:
            points = points_of(self._decisions)
            plies = plies_a_column(points, columns)
            place = MARGIN + self._decisions[self._list.highlighted or 0].ply // plies
            rows = ROWS if height >= _TALL else ROWS // 2
            lines = [Text(line.ljust(place + 1)) for line in graph_lines(points, plies, rows)]
            for line in lines:
                line.stylize("reverse", place, place + 1)
            graph.update(Text("\n").join(lines))

    def on_option_list_option_highlighted(self) -> None:
        """Mark the highlighted decision in the graph."""
        self._show_graph()

    def on_resize(self) -> None:
        """Fit the graph to the screen."""
        if self._decisions:
            self.call_after_refresh(self._show_graph)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close the dialog with the ply of the chosen decision."""
        self.dismiss(self._decisions[event.option_index].ply)

    def action_next_mistake(self) -> None:
        """Highlight the next mistake. After the last mistake, wrap around to the first."""
        mistakes = [place for place, it in enumerate(self._decisions) if it.is_mistake]
        if mistakes:
            here = self._list.highlighted or 0
            self._list.highlighted = next((place for place in mistakes if place > here), mistakes[0])


def _row(reviewed: Decision) -> Text:
    move, worth, best, value = reviewing.cells(reviewed)
    better = f"{best:<3} {value:>5}  {reviewing.lost_text(reviewed)}" if reviewed.lost else ""
    mark = "!" if reviewed.is_mistake else " "
    row = f"{reviewed.ply + 1:>3} {ROUND.disc(reviewed.side)} {move:<3}{mark} {worth:>5} {better}"
    text = f"{row} {reviewing.turned_text(reviewed)}".rstrip()
    return Text(text, "bold" if reviewed.is_mistake else "", no_wrap=True, overflow="ellipsis")
