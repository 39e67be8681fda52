"""The panel with all that is said of a game, beside its board or below it."""

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from console import card, reviewing, wording
from console.controller import Controller
from console.entry import Command
from console.screen import panel_texts
from console.screen.board_view import BoardView
from console.screen.bottom import EntryLine
from console.screen.colours import Palette
from console.screen.grid import Arrangement
from console.screen.moves import MoveList
from game.drawing import Symbols
from game.kernels.compiling_notice import compiling


class Choices(OptionList, inherit_bindings=False):
    """What can be done after a game; the keys that look at other positions stay the board's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up", show=False),
        Binding("down", "cursor_down", show=False),
        Binding("enter,space", "select", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """Something to do next was chosen by a key or the mouse."""

        command: Command

    def __init__(self) -> None:
        super().__init__(compact=True)
        self._choices: list[card.Choice] = []

    def show(self, choices: list[card.Choice]) -> None:
        """Offer these."""
        if choices != self._choices:
            self._choices = choices
            self.set_options(Option(f"  {choice.label}") for choice in choices)
            self.highlighted = 0 if choices else None

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Mark the one that Enter takes also where there are no colours."""
        super().watch_highlighted(highlighted)
        for place, choice in enumerate(self._choices):
            mark = ">" if place == highlighted else " "
            self.replace_option_prompt_at_index(place, f"{mark} {choice.label}")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do that next."""
        event.stop()
        self.post_message(self.Chosen(self._choices[event.option_index].command))


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
        self._write("hint", panel_texts.hint(hints, self._palette, width))
        marks = self._palette, self._symbols, self._height, bool(hints.shown)
        self._write("legend", panel_texts.legend(*marks, width))

    def _write(self, name: str, text: Text | str) -> None:
        self.query_one(f"#{name}", Static).update(text)

    def tick(self) -> None:
        """Draw what changes with time: clocks, and how far things are that go on."""
        self._write("sides", panel_texts.sides(self._control, self._symbols, self.has_class("-below")))
        notice = self._notice()
        self._write("notice", notice)
        self.query_one("#notice").display = bool(notice)
        self._show_end()

    def _notice(self) -> str:
        found = self._control.hints.judged.get(self._control.sitting.ply)
        said = reviewing.judged(found) if found else wording.to_move(self._control.sitting)
        waits = "The players are being made ready ..." if self._control.is_seating else ""
        return compiling() or waits or self._control.notice or said

    def _show_end(self) -> None:
        """Show how the game ended, once it has: then the keys choose what is next, else a square."""
        choices, is_over = self.query_one(Choices), self._control.sitting.turn is None
        was_over, had_keys = self.has_class("-over"), self.screen.focused is choices
        self.set_class(is_over, "-over")
        choices.show(card.choices(self._control.table) if is_over else [])
        if is_over:
            self._write("ended", "\n".join(self._ended()))
        if is_over and not was_over and not self._is_busy:
            choices.focus()
        elif had_keys and not is_over:
            self.screen.query_one(BoardView).focus()

    def _ended(self) -> list[str]:
        """Return how the game ended, and what a review has found to be the costliest move, once it has."""
        at = self._control.sitting
        game, lines = at.record().game, card.result(at)
        if not game.moves:
            return lines
        review = self._control.reviews.of(game)
        if review.failure or review.is_done:
            return [*lines, review.failure or card.costliest(at, review.found)]
        return [*lines, f"What cost most? {review.progress} are reviewed ..."]

    @property
    def _is_busy(self) -> bool:
        """Whether a person types, or goes through the moves."""
        return self.screen.query_one(EntryLine).is_open or self.screen.focused is self.query_one(MoveList)
