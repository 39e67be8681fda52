"""The panel beside the board: both players with discs and clocks, and what the adviser says."""

from rich.style import Style
from rich.text import Text
from textual.widgets import Static

from console import wording
from console.controller import Controller
from console.screen.colours import Palette, shade
from game import Colour
from game.drawing import Symbols

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
