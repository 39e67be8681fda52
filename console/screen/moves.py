"""The lists of a game's moves: as it is played, and with what a review finds and its graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from othello_lab.console import reviewing
from othello_lab.console.hints import Review
from othello_lab.console.reviewing import MARGIN, ROWS, graph_lines, plies_a_column
from othello_lab.console.screen.dialogs import Dialog
from othello_lab.console.sitting import Sitting
from othello_lab.game.drawing import Symbols
from othello_lab.game.notation import square_name
from othello_lab.game.review import Point, Reviewed, are_in_discs, points_of
from othello_lab.game.values import value_text

_TALL = 34
"""Rows of a screen that has room for a graph of full height."""
_LOW = 22
"""Rows of one that has room for a low one."""


class GraphView(Static):
    """The graph of a game, with the move marked that is looked at."""

    DEFAULT_CSS = "GraphView { height: auto; margin-bottom: 1; display: none; }"

    @dataclass
    class Chosen(Message):
        """A move was clicked: the number of moves before it, about."""

        ply: int

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._plies = 1

    def show(self, points: Sequence[Point], ply: int, width: int) -> None:
        """Draw points in discs, this many characters wide; none where the screen is too small."""
        rows = ROWS if self.screen.size.height >= _TALL else ROWS // 2
        columns = width - MARGIN
        self.display = bool(points) and self.screen.size.height >= _LOW and columns > 0
        if self.display:
            self._plies = plies_a_column(points, columns)
            lines = graph_lines(points, self._plies, rows)
            self.update(Text("\n").join(self._line(line, ply) for line in lines))

    def _line(self, line: str, ply: int) -> Text:
        at = MARGIN + ply // self._plies
        text = Text(line.ljust(at + 1))
        text.stylize("reverse", at, at + 1)
        return text

    def on_click(self, event: events.Click) -> None:
        """Tell which move was clicked."""
        if event.x >= MARGIN:
            self.post_message(self.Chosen((event.x - MARGIN) * self._plies))


class MoveList(OptionList):
    """The moves of the line; the highlighted one is the last that is made."""

    DEFAULT_CSS = """
    MoveList {
        height: 1fr; border: none; padding: 0; background: transparent; scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(compact=True)
        self._symbols = symbols
        self._listed: tuple[str, ...] = ()

    def show(self, sitting: Sitting, reviewed: Mapping[int, Reviewed]) -> None:
        """List the moves of a game, the one that is looked at highlighted, with what was lost."""
        lines = _lines(sitting, self._symbols, reviewed)
        if lines != self._listed:
            self._listed = lines
            self.set_options(Option(Text(line)) for line in lines)
        self.highlighted = sitting.ply
        self.on_resize()

    def on_resize(self) -> None:
        """Have the move that is looked at in sight."""
        self.call_after_refresh(self.scroll_to_highlight)


def _lines(sitting: Sitting, symbols: Symbols, reviewed: Mapping[int, Reviewed]) -> tuple[str, ...]:
    """Return the start, then each move with its number and who made it; the one looked at is marked."""
    game = sitting.record().game
    moves = (
        f"{symbols.disc(board.turn)} {square_name(move, game.size):4} "
        f"{reviewing.loss_mark(reviewed.get(ply))}"
        for ply, (move, board) in enumerate(zip(game.moves, game.boards, strict=False))
    )
    numbered = enumerate(("start", *moves))
    return tuple(f"{'>' if ply == sitting.ply else ' '}{ply:3} {line}".rstrip() for ply, line in numbered)


_TICK = 0.2
"""Seconds between two looks at how far the review is."""
_HEAD = "      move  worth best worth  lost"


class ReviewPage(Dialog[int]):
    """A review while it grows; its result is the ply of the decision to look at, None for none."""

    DEFAULT_CSS = """
    ReviewPage {
        & > #box { width: 76; height: 100%; }
        & OptionList { height: 1fr; border: none; padding: 0; background: transparent; text-wrap: nowrap; }
        & #foot { height: auto; margin-top: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,f6", "dismiss(None)", "Back"),
        Binding("m", "next_mistake", "Next mistake"),
    ]

    def __init__(self, review: Review, symbols: Symbols) -> None:
        super().__init__()
        self._review, self._symbols = review, symbols
        self._listed: list[Reviewed] = []

    def compose(self) -> ComposeResult:
        """Lay the list between its head and the sums."""
        with Vertical(id="box"):
            yield Label("Review", classes="title")
            yield GraphView()
            yield Label(_HEAD)
            yield OptionList(compact=True)
            yield Static(id="foot", markup=False)

    def on_mount(self) -> None:
        """Show what is known, again and again until it is all."""
        self.query_one(OptionList).focus()
        self._show()
        self.set_interval(_TICK, self._show)

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    def _show(self) -> None:
        found = self._review.found
        if len(found) > len(self._listed):
            self._fill(found)
        self.query_one("#foot", Static).update(Text("\n").join(map(Text, self._foot())))

    def _show_graph(self) -> None:
        points = points_of(self._listed) if are_in_discs(self._listed) else []
        ply, width = self._listed[self._list.highlighted or 0].ply, self.query_one("#box").content_size.width
        self.query_one(GraphView).show(points, ply, width)

    def on_option_list_option_highlighted(self) -> None:
        """Mark the highlighted decision in the graph."""
        self._show_graph()

    def on_resize(self) -> None:
        """Fit the graph to the screen."""
        if self._listed:
            self.call_after_refresh(self._show_graph)

    def on_graph_view_chosen(self, event: GraphView.Chosen) -> None:
        """Highlight the decision that was clicked in the graph."""
        places = range(len(self._listed))
        self._list.highlighted = min(places, key=lambda place: abs(self._listed[place].ply - event.ply))

    def _fill(self, found: list[Reviewed]) -> None:
        """List what is known; what comes later stands above, and the same decision stays highlighted."""
        below = len(self._listed) - (self._list.highlighted or 0)
        self._listed = found
        self._list.set_options(Option(self._row(each)) for each in found)
        self._list.highlighted = max(0, len(found) - below)

    def _row(self, found: Reviewed) -> Text:
        decision, size = found.decision, found.decision.board.size
        move, best = (square_name(square, size) for square in (decision.move, decision.best))
        worth, value = map(value_text, (decision.worth, decision.value))
        better = f"{best:<3} {value:>5}  {reviewing.lost_text(found)}" if found.lost else ""
        mark = "!" if found.is_mistake else " "
        row = f"{found.ply + 1:>3} {self._symbols.disc(found.side)} {move:<3}{mark} {worth:>5} {better}"
        style = "bold" if found.is_mistake else ""
        return Text(
            f"{row} {reviewing.turned_text(found)}".rstrip(), style, no_wrap=True, overflow="ellipsis"
        )

    def _foot(self) -> list[str]:
        review, found = self._review, self._listed
        if not review.is_done or review.failure:
            return [review.failure or f"{review.progress} ..."]
        return [*reviewing.summary(found), "Enter: look at it; m: next mistake"]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Look at that decision."""
        self.dismiss(self._listed[event.option_index].ply)

    def action_next_mistake(self) -> None:
        """Highlight the next mistake, after the last one the first."""
        at = (self._list.highlighted or 0) + 1
        places = [place for place, each in enumerate(self._listed) if each.is_mistake]
        if places:
            self._list.highlighted = next((place for place in places if place >= at), places[0])
