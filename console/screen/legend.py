"""A legend of the marks on the board, in a line or two."""

from collections.abc import Iterator

from rich.text import Text
from textual.widgets import Static

from console.screen.colours import Palette, style
from console.screen.squares import BEST_SIGN, drawn
from game.drawing import PLAIN, Cell, Look, Mark, Symbols

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
