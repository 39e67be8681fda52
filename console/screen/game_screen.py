"""The board with all that stands around it: lays it out, draws it anew, and turns keys into what is done."""

from dataclasses import dataclass
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static

from console import wording
from console.entry import Command, Order, parse_entry
from console.opponent import Seat
from console.screen.board_view import BoardView
from console.screen.colours import Palette
from console.screen.end_card import EndCard
from console.screen.entry_line import EntryLine
from console.screen.grid import Arrangement, arrange, least, smallest
from console.screen.key_line import KeyLine
from console.screen.panel import Panel
from console.screen.picture import Picture
from console.screen.play import Events, Play
from console.table import Table
from game.drawing import Symbols
from game.notation import NotationError

_TICK = 0.5
"""Seconds between two drawings of the clocks."""
_ACTIONS: Final = {
    Command.UNDO: "undo",
    Command.REDO: "redo",
    Command.GO: "go_on",
    Command.HINT: "hint",
    Command.REVIEW: "app.review",
    Command.RESIGN: "app.resign",
    Command.HELP: "app.help",
    Command.QUIT: "app.leave",
}
"""What the words do."""


class GameScreen(Screen[None]):
    """A game that is played."""

    DEFAULT_CSS = """
    GameScreen {
        layout: vertical;
        & #table { height: 1fr; layout: horizontal; align: center middle; }
        & #place { width: auto; height: auto; }
        & #too-small { display: none; height: 1fr; content-align: center middle; }
        &.-below #table { layout: vertical; }
        &.-below #place { width: 100%; align: center top; }
        &.-too-small #table { display: none; }
        &.-too-small #too-small { display: block; }
    }
    """
    # In the order of need: a line that is short of room leaves out the last ones.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "app.help", "Help", key_display="F1"),
        Binding("f10,ctrl+q", "app.leave", "Quit", key_display="F10"),
        Binding("f3", "hint", "Hint", key_display="F3"),
        Binding("ctrl+z,backspace", "undo", "Undo", key_display="^Z"),
        Binding("f2", "app.new", "New", key_display="F2"),
        Binding("f6", "app.review", "Review", key_display="F6"),
        Binding("f4", "values", "Values", key_display="F4"),
        Binding("f7", "app.save", "Save", key_display="F7"),
        Binding("f9", "app.resign", "Resign", key_display="F9"),
        Binding("ctrl+y", "redo", "Redo", key_display="^Y"),
        Binding("f8", "app.load", "Load", key_display="F8"),
        Binding("ctrl+d", "app.end_input", show=False),
        Binding("pageup", "step(-1)", show=False),
        Binding("pagedown", "step(1)", show=False),
        Binding("home", "first", show=False),
        Binding("end", "last", show=False),
        Binding("ctrl+g", "go_on", show=False),
    ]

    @dataclass
    class Failed(Message):
        """A player cannot go on."""

        seat: Seat
        why: str

    @dataclass
    class Ordered(Message):
        """Something was asked for that needs players or files."""

        order: Order

    def __init__(self, table: Table, pace: float, palette: Palette, symbols: Symbols) -> None:
        super().__init__()
        self.play = Play(table, Events(self._changed, self._failed, self.call_later), pace)
        self._palette, self.symbols = palette, symbols

    def compose(self) -> ComposeResult:
        """Lay board and panel side by side; where there is no room the panel goes below."""
        with Container(id="table"):
            with Container(id="place"):
                yield BoardView(self._picture(), smallest(self.play.game.size), self._palette, self.symbols)
            yield Panel(self.play, self._palette, self.symbols)
        yield Static(id="too-small", markup=False)
        yield EntryLine()
        yield KeyLine()

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(BoardView).focus()
        self.set_interval(_TICK, self.query_one(Panel).tick)
        self.play.go_on()

    def _picture(self) -> Picture:
        sitting, advice = self.play.sitting, self.play.shown_advice
        is_shown = sitting.person_to_move or sitting.can_redo or advice is not None
        return Picture.of(sitting.game, is_shown, advice)

    def _failed(self, seat: Seat, why: str) -> None:
        self.post_message(self.Failed(seat, why))

    def on_resize(self) -> None:
        """Lay it out for another size of the terminal."""
        self._changed()

    @property
    def _arrangement(self) -> Arrangement | None:
        is_over = self.play.sitting.turn is None
        return arrange(self.play.game.size, self.size.width, self.size.height, is_over)

    def _changed(self) -> None:
        """Draw everything anew."""
        if not self.is_mounted:
            return None
        arrangement, size = self._arrangement, self.play.game.size
        self.set_class(arrangement is None, "-too-small")
        if arrangement is None:
            columns, rows = least(size)
            here = f"here are {self.size.width}x{self.size.height}"
            text = f"The board needs {columns}x{rows} characters;\n{here}."
            return self.query_one("#too-small", Static).update(text)
        self.set_class(not arrangement.beside, "-below")
        self.query_one(BoardView).show(self._picture(), arrangement.grid)
        self.query_one(Panel).show(arrangement)
        return None

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Play a square."""
        self.play.choose(event.square)

    async def on_end_card_chosen(self, event: EndCard.Chosen) -> None:
        """Do what was chosen after a game."""
        await self._obey(Order(event.command, ""))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Look at the position after a move of the list."""
        self.play.go_to(event.option_index)

    async def on_key(self, event: events.Key) -> None:
        """Have what is typed go into the entry line, also what comes before that has the focus."""
        line = self.query_one(EntryLine)
        if event.character and (event.character.isalnum() or (line.is_open and event.is_printable)):
            event.stop()
            line.open(event.character)
        elif event.key == "enter" and line.is_open and not line.has_focus:
            event.stop()
            await line.action_submit()

    def on_paste(self, event: events.Paste) -> None:
        """Have what is pasted go there too."""
        self.query_one(EntryLine).open(" ".join(event.text.split()))

    def on_entry_line_left(self) -> None:
        """Have the board take the keys again."""
        self.query_one(BoardView).focus()

    async def on_entry_line_entered(self, event: EntryLine.Entered) -> None:
        """Do what was typed."""
        try:
            entry = parse_entry(event.text, self.play.game.size)
            if isinstance(entry, Order):
                await self._obey(entry)
            else:
                self.play.choose(entry)
        except (NotationError, IndexError) as error:
            self.play.say(str(error))

    async def _obey(self, order: Order) -> None:
        match order.command:
            case Command.GOTO:
                self.play.go_to(order.number)
            case Command.NEW | Command.SWAP as command:
                self.play.begin_anew(swapped=command is Command.SWAP)
            case Command.MOVES:
                self.play.say(wording.legal_line(self.play.game.board))
            case Command.BOARD:
                self._changed()
            case command if command in _ACTIONS:
                await self.run_action(_ACTIONS[command])
            case _:
                self.post_message(self.Ordered(order))

    def action_hint(self) -> None:
        """Show what the moves are worth, or no longer."""
        self.play.hint()

    def action_values(self) -> None:
        """Show it in every position, or no longer."""
        self.play.toggle_values()

    def action_undo(self) -> None:
        """Take a move back."""
        self.play.undo()

    def action_redo(self) -> None:
        """Make it again."""
        self.play.redo()

    def action_step(self, decisions: int) -> None:
        """Look at the position before or after."""
        self.play.step(decisions)

    def action_first(self) -> None:
        """Look at the start."""
        self.play.go_to(0)

    def action_last(self) -> None:
        """Look at the last position."""
        self.play.go_to(len(self.play.sitting.line))

    def action_go_on(self) -> None:
        """Play on from the position that is looked at."""
        self.play.drop_redo()
