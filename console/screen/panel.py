"""All that is said of a game, beside its board or below it."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from console import reviewing, wording
from console.controller import Controller
from console.screen.board_view import BoardView
from console.screen.colours import Palette
from console.screen.end_card import EndCard
from console.screen.entry_line import EntryLine
from console.screen.grid import Arrangement
from console.screen.legend import Legend
from console.screen.moves import MoveList
from console.screen.sides import AdvicePanel, SidesPanel
from game.drawing import Symbols
from game.kernels.compiling_notice import compiling


class Panel(Vertical):
    """Who plays, what was said, the end of the game, hints, moves and a legend."""

    DEFAULT_CSS = """
    Panel {
        width: 1fr; max-width: 60; padding: 0 1 0 2;
        & #notice { height: auto; margin: 1 0; }
        & AdvicePanel { margin-bottom: 1; }
        &.-over Legend { display: none; }
        &.-below { width: 100%; max-width: 100%; height: 1fr; padding: 0; }
        &.-below #notice, &.-below #ended { margin: 0; }
        &.-below Legend { display: none; }
    }
    """

    def __init__(self, control: Controller, palette: Palette, symbols: Symbols) -> None:
        super().__init__()
        self._control, self._palette, self._symbols = control, palette, symbols

    def compose(self) -> ComposeResult:
        """Lay one below the other; what is needed least comes last."""
        yield SidesPanel(self._control, self._symbols)
        yield Static(id="notice", markup=False)
        yield EndCard(self._control)
        yield AdvicePanel(self._control, self._palette)
        yield MoveList(self._symbols)
        yield Legend(self._palette, self._symbols)

    def show(self, arrangement: Arrangement) -> None:
        """Draw everything anew."""
        self.set_class(not arrangement.beside, "-below")
        self.styles.height = arrangement.grid.rows if arrangement.beside else "1fr"
        self.query_one(AdvicePanel).show()
        self.query_one(MoveList).show(self._control.sitting, self._control.hints.judged)
        self.query_one(Legend).show(arrangement.grid.height, bool(self._control.hints.shown))
        self.tick()

    def tick(self) -> None:
        """Draw what changes with time: clocks, and how far things are that go on."""
        self.query_one(SidesPanel).show(is_short=self.has_class("-below"))
        text, notice = self._notice(), self.query_one("#notice", Static)
        notice.update(text)
        notice.display = bool(text)
        self._show_end()

    def _notice(self) -> str:
        found = self._control.hints.judged.get(self._control.sitting.ply)
        said = reviewing.judged(found) if found else wording.to_move(self._control.sitting)
        waits = "The players are being made ready ..." if self._control.is_seating else ""
        return compiling() or waits or self._control.notice or said

    def _show_end(self) -> None:
        """Show how the game ended, once it has: then the keys choose what is next, else a square."""
        end = self.query_one(EndCard)
        was_over, had_keys = end.is_there, end.has_keys
        end.show()
        self.set_class(end.is_there, "-over")
        if end.is_there and not was_over and not self._is_busy:
            end.take_keys()
        elif had_keys and not end.is_there:
            self.screen.query_one(BoardView).focus()

    @property
    def _is_busy(self) -> bool:
        """Whether a person types, or goes through the moves."""
        return self.screen.query_one(EntryLine).is_open or self.screen.focused is self.query_one(MoveList)
