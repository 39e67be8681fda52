"""The panel with all that is said of a game, beside its board or below it."""

from collections.abc import Iterator
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from othello_lab.console import card, wording
from othello_lab.console.controller import Controller
from othello_lab.console.hints import Hints
from othello_lab.console.screen.board_view import Arrangement, BoardView
from othello_lab.console.screen.moves import MoveList
from othello_lab.console.screen.squares import BEST_SIGN, Palette, drawn, shade, style
from othello_lab.game import Colour
from othello_lab.game.drawing import PLAIN, Cell, Look, Mark, Symbols
from othello_lab.game.openings import opening_name

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


def sides_text(control: Controller, symbols: Symbols, is_short: bool) -> Text:
    """Return who plays, with discs and clocks, whose turn it is, and the opening: in one line or several."""
    lines = [_side(colour, control, symbols, is_short) for colour in Colour]
    opening = opening_name(control.game)
    if opening:
        lines.append(
            Text(opening if is_short else f"  opening: {opening}", overflow="ellipsis", no_wrap=True)
        )
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


def hint_text(hints: Hints, palette: Palette, width: int) -> Text:
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


def legend_text(palette: Palette, symbols: Symbols, height: int, is_advised: bool, width: int) -> Text:
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


class Choices(OptionList, inherit_bindings=False):
    """What can be done after a game; the keys that look at other positions stay the board's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up", show=False),
        Binding("down", "cursor_down", show=False),
        Binding("enter,space", "select", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(compact=True)
        self._choices: list[card.Choice] = []

    def show(self, choices: list[card.Choice]) -> None:
        """Offer these."""
        if choices != self._choices:
            self._choices = choices
            self.set_options(Option(f"  {choice.label}", id=choice.command.word) for choice in choices)
            self.highlighted = 0 if choices else None

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Mark the one that Enter takes also where there are no colours."""
        super().watch_highlighted(highlighted)
        for place, choice in enumerate(self._choices):
            mark = ">" if place == highlighted else " "
            self.replace_option_prompt_at_index(place, f"{mark} {choice.label}")


class Panel(Vertical):
    """Who plays, what was said, the card at the end of the game, hints, moves and a legend."""

    DEFAULT_CSS = """
    Panel {
        width: 1fr; max-width: 60; padding: 0 1 0 2;
        & #notice { margin: 1 0; }
        & #ended { margin-bottom: 1; }
        & Choices { height: auto; border: none; padding: 0; background: transparent; }
        & #hint { margin-bottom: 1; }
        & #legend { margin-top: 1; }
        & #ended, & Choices, &.-over #legend { display: none; }
        &.-over #ended, &.-over Choices { display: block; }
        &.-below { width: 100%; max-width: 100%; height: 1fr; padding: 0; }
        &.-below #notice, &.-below #ended { margin: 0; }
        &.-below #legend { display: none; }
    }
    """

    def __init__(self, control: Controller, palette: Palette, symbols: Symbols) -> None:
        super().__init__()
        self._control, self._palette, self._symbols = control, palette, symbols
        self._height = 1

    def compose(self) -> ComposeResult:
        """Lay one below the other; what is needed least comes last."""
        for name in ("sides", "notice", "ended"):
            yield Static(id=name, markup=False)
        yield Choices()
        yield Static(id="hint", markup=False)
        yield MoveList(self._symbols)
        yield Static(id="legend", markup=False)

    def show(self, arrangement: Arrangement) -> None:
        """Draw everything anew."""
        self.set_class(not arrangement.beside, "-below")
        self.styles.height = arrangement.grid.rows if arrangement.beside else "1fr"
        self._height = arrangement.grid.height
        self.query_one(MoveList).show(self._control.sitting, self._control.hints.judged)
        self._fit()
        self.tick()

    def on_resize(self) -> None:
        """Fit what is broken into lines to the width, once all is laid out."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        hints, width = self._control.hints, self.content_size.width or wording.WIDTH
        self._write("hint", hint_text(hints, self._palette, width))
        marks = self._palette, self._symbols, self._height, bool(hints.shown)
        self._write("legend", legend_text(*marks, width))

    def _write(self, name: str, text: Text | str) -> None:
        self.query_one(f"#{name}", Static).update(text)

    def tick(self) -> None:
        """Draw what changes with time: clocks, and how far things are that go on."""
        self._write("sides", sides_text(self._control, self._symbols, self.has_class("-below")))
        how = wording.TYPED_BRIEFLY if self.has_class("-below") else wording.TYPED
        notice = self._control.notice(how)
        self._write("notice", notice)
        self.query_one("#notice").display = bool(notice)
        self._show_end()

    def _show_end(self) -> None:
        """Show how the game ended, once it has: then the keys choose what is next, else a square."""
        choices, is_over = self.query_one(Choices), self._control.sitting.turn is None
        was_over, had_keys = self.has_class("-over"), self.screen.focused is choices
        self.set_class(is_over, "-over")
        choices.show(card.choices(self._control.table) if is_over else [])
        if is_over:
            self._write("ended", "\n".join(self._control.ended()))
        if is_over and not was_over and not self._is_busy:
            choices.focus()
        elif had_keys and not is_over:
            self.screen.query_one(BoardView).focus()

    @property
    def _is_busy(self) -> bool:
        """Whether a person types, or goes through the moves."""
        is_typing = bool(self.screen.query("EntryLine.-open"))
        return is_typing or self.screen.focused is self.query_one(MoveList)
