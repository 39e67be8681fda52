"""The dialog with the review of a game: a graph and a list of all decisions."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from othello_lab.console import reviewing
from othello_lab.console.hints import Review
from othello_lab.console.reviewing import MARGIN, ROWS, graph_lines, plies_a_column
from othello_lab.console.screen.dialogs import Dialog
from othello_lab.game.drawing import ROUND
from othello_lab.game.review import Decision, are_in_discs, points_of

_TALL = 34
"""The smallest screen height for a graph of full height, in lines."""
_LOW = 22
"""The smallest screen height for a graph of half height, in lines."""
_TICK = 0.2
"""The time between two updates of the page, in seconds."""
_HEAD = "      move  worth best worth  lost"


class ReviewPage(Dialog[int]):
    """A review that is updated while it grows. The answer is the ply of the chosen decision, or None."""

    DEFAULT_CSS = """
    ReviewPage {
        & > #box { width: 76; height: 100%; }
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
        self._review = review
        self._decisions: list[Decision] = []

    def compose(self) -> ComposeResult:
        """Place the graph, the heading, the list of decisions, and the total losses."""
        with Vertical(id="box"):
            yield Label("Review", classes="title")
            yield Static(id="graph", markup=False)
            yield Label(_HEAD)
            yield OptionList(compact=True)
            yield Static(id="foot", markup=False)

    def on_mount(self) -> None:
        """Focus the list and start the updates."""
        self.query_one(OptionList).focus()
        self._show()
        self.set_interval(_TICK, self._show)

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    def _show(self) -> None:
        decisions, count = self._review.decisions, len(self._decisions)
        if len(decisions) > count:  # new rows come first, and the highlighted row moves down
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
        """Highlight the next mistake. After the last mistake, highlight the first one."""
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
