"""All that is said of a game, beside its board or below it: who plays, hints, the end, moves, a legend."""

from collections.abc import Iterator

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from console import reviewing, wording
from console.controller import Controller
from console.screen.board_view import BoardView
from console.screen.bottom import EntryLine
from console.screen.colours import Palette, shade, style
from console.screen.end_card import EndCard
from console.screen.grid import Arrangement
from console.screen.moves import MoveList
from console.screen.squares import BEST_SIGN, drawn
from game import Colour
from game.drawing import PLAIN, Cell, Look, Mark, Symbols
from game.kernels.compiling_notice import compiling

_LEGEND = 12
"""Columns of the legend."""
_THINKS = "thinks"


class SidesPanel(Static):
    """Who plays, how many discs each side has, whose turn it is and what time it has used."""

    DEFAULT_CSS = "SidesPanel { height: auto; }"

    def __init__(self, control: Controller, symbols: Symbols) -> None:
        super().__init__(markup=False)
        self._control, self._symbols = control, symbols

    def show(self, is_short: bool) -> None:
        """Draw it anew: in one line, or with a line for each side."""
        lines = [self._side(colour, is_short) for colour in Colour]
        self.update(Text("  " if is_short else "\n").join(lines))

    def _side(self, colour: Colour, is_short: bool) -> Text:
        sitting = self._control.sitting
        discs = dict(zip(Colour, self._control.game.board.counts(), strict=True))[colour]
        is_turn = sitting.turn is colour
        state = f" {_THINKS}" if is_turn and self._control.is_thinking else ""
        used = clock_text(sitting.clocks.used(colour))
        head = f"{'>' if is_turn else ' '}{self._symbols.disc(colour)} {discs:2}"
        name = wording.names(sitting.seats)[colour]
        text = f"{head} {used}{state}" if is_short else f"{head}  {used:>5}  {name}{state}"
        return Text(text, style=Style(bold=is_turn), overflow="ellipsis", no_wrap=True)


def clock_text(seconds: float) -> str:
    """Return a time as minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


class AdvicePanel(Static):
    """What the adviser says of the moves, and what the colours of the squares mean."""

    DEFAULT_CSS = "AdvicePanel { height: auto; }"

    def __init__(self, control: Controller, palette: Palette) -> None:
        super().__init__(markup=False)
        self._control, self._palette = control, palette

    def show(self) -> None:
        """Draw it anew."""
        advice = self._control.hints.shown
        if self._control.hints.is_asked:
            self.update(Text(f"{self._control.hints.adviser.name} {_THINKS} about a hint"))
        elif advice:
            said = wording.advice_lines(advice, advice.board.turn.value, self.size.width or wording.WIDTH)
            self.update(Text("\n").join([*self._legend(), *map(Text, said)]))
        else:
            self.update("")

    def on_resize(self) -> None:
        """Fit the lines to the width."""
        self.show()

    def _legend(self) -> list[Text]:
        advice = self._control.hints.shown
        if not advice or not advice.moves[0].text or not self._palette.has_colours:
            return []
        worst = min(advice.moves, key=lambda move: move.shade)
        if worst.shade == 1:
            return []
        bar = (
            (" ", Style(bgcolor=shade(column / (_LEGEND - 1), self._palette))) for column in range(_LEGEND)
        )
        return [Text.assemble(f"{worst.text} ", *bar, f" {advice.moves[0].text}")]


_MARKS = {
    "legal": Look(Cell.LEGAL),
    "last move": Look(Cell.BLACK, Mark.LAST),
    "turned": Look(Cell.BLACK, Mark.TURNED),
}
_DOTS = {Mark.NONE: " • ", Mark.LAST: " ● ", Mark.TURNED: " • "}
_GAP = "  "


class Legend(Static):
    """A small square of each kind with its name."""

    DEFAULT_CSS = "Legend { height: auto; margin-top: 1; }"

    def __init__(self, palette: Palette, symbols: Symbols) -> None:
        super().__init__(markup=False)
        self._palette, self._symbols = palette, symbols
        self._height, self._is_advised = 1, False

    def show(self, height: int, is_advised: bool) -> None:
        """Draw it for squares of `height` rows, with the sign of the best moves where they are shown."""
        self._height, self._is_advised = height, is_advised
        self.on_resize()

    def on_resize(self) -> None:
        """Break the line where no entry is broken."""
        lines = [Text()]
        for entry in self._entries():
            if lines[-1] and len(lines[-1]) + len(_GAP) + len(entry) > self.size.width:
                lines.append(Text())
            lines[-1] = Text(_GAP).join([lines[-1], entry]) if lines[-1] else entry
        self.update(Text("\n").join(lines))

    def _entries(self) -> Iterator[Text]:
        for name, look in _MARKS.items():
            yield Text.assemble(self._sign(look), f" {name}")
        if self._is_advised and self._height == 1:
            yield Text(f" {BEST_SIGN}  best")

    def _sign(self, look: Look) -> Text:
        """Return what marks a square, as it is drawn in squares of this height, on one line."""
        palette = self._palette
        if self._height > 1 and self._symbols is not PLAIN and (palette.has_colours or not look.is_disc):
            here = (palette.mark, palette.black) if look.is_disc else (palette.legal, palette.cloth[0])
            return Text(_DOTS[look.mark], style(*here, strong=True))
        (line,) = drawn(look, (3, 1), palette, self._symbols)
        return Text.assemble(*((part.text, part.style or "") for part in line))


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
