"""The texts of the panel: who plays, what hints say, and what the marks on the board mean."""

from collections.abc import Iterator

from rich.style import Style
from rich.text import Text

from console import wording
from console.controller import Controller
from console.hints import Hints
from console.screen.colours import Palette, shade, style
from console.screen.squares import BEST_SIGN, drawn
from game import Colour
from game.drawing import PLAIN, Cell, Look, Mark, Symbols

_SCALE = 12
"""Columns of the scale of colours."""
_THINKS = "thinks"
_MARKS = {
    "legal": Look(Cell.LEGAL),
    "last move": Look(Cell.BLACK, Mark.LAST),
    "turned": Look(Cell.BLACK, Mark.TURNED),
}
_DOTS = {Mark.NONE: " • ", Mark.LAST: " ● ", Mark.TURNED: " • "}
_GAP = "  "


def sides(control: Controller, symbols: Symbols, is_short: bool) -> Text:
    """Return who plays, with discs and clocks, and whose turn it is: in one line, or a line for each side."""
    lines = (_side(colour, control, symbols, is_short) for colour in Colour)
    return Text("  " if is_short else "\n").join(lines)


def _side(colour: Colour, control: Controller, symbols: Symbols, is_short: bool) -> Text:
    sitting = control.sitting
    discs = dict(zip(Colour, control.game.board.counts(), strict=True))[colour]
    is_turn = sitting.turn is colour
    state = f" {_THINKS}" if is_turn and control.is_thinking else ""
    used = _clock(sitting.clocks.used(colour))
    head = f"{'>' if is_turn else ' '}{symbols.disc(colour)} {discs:2}"
    name = wording.names(sitting.seats)[colour]
    text = f"{head} {used}{state}" if is_short else f"{head}  {used:>5}  {name}{state}"
    return Text(text, style=Style(bold=is_turn), overflow="ellipsis", no_wrap=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def hint(hints: Hints, palette: Palette, width: int) -> Text:
    """Return what is known of the moves, and what the colours of their squares mean."""
    if hints.is_asked:
        return Text(f"{hints.adviser.name} {_THINKS} about a hint")
    advice = hints.shown
    if not advice:
        return Text()
    said = map(Text, wording.advice_lines(advice, advice.board.turn.value, width))
    worst, best = min(advice.moves, key=lambda move: move.shade), advice.moves[0]
    if not best.text or worst.shade == 1 or not palette.has_colours:
        return Text("\n").join(said)
    bar = ((" ", Style(bgcolor=shade(column / (_SCALE - 1), palette))) for column in range(_SCALE))
    return Text("\n").join([Text.assemble(f"{worst.text} ", *bar, f" {best.text}"), *said])


def legend(palette: Palette, symbols: Symbols, height: int, is_advised: bool, width: int) -> Text:
    """Return a small square of each kind, as in squares of `height` rows, with its name; none is broken."""
    lines = [Text()]
    for entry in _entries(palette, symbols, height, is_advised):
        if lines[-1] and len(lines[-1]) + len(_GAP) + len(entry) > width:
            lines.append(Text())
        lines[-1] = Text(_GAP).join([lines[-1], entry]) if lines[-1] else entry
    return Text("\n").join(lines)


def _entries(palette: Palette, symbols: Symbols, height: int, is_advised: bool) -> Iterator[Text]:
    for name, look in _MARKS.items():
        yield Text.assemble(_sign(look, palette, symbols, height), f" {name}")
    if is_advised and height == 1:
        yield Text(f" {BEST_SIGN}  best")


def _sign(look: Look, palette: Palette, symbols: Symbols, height: int) -> Text:
    """Return what marks a square, on one line."""
    if height > 1 and symbols is not PLAIN and (palette.has_colours or not look.is_disc):
        here = (palette.mark, palette.black) if look.is_disc else (palette.legal, palette.cloth[0])
        return Text(_DOTS[look.mark], style(*here, strong=True))
    (line,) = drawn(look, (3, 1), palette, symbols)
    return Text.assemble(*((part.text, part.style or "") for part in line))
