"""The card at the end of a game, on the screen."""

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from console import card
from console.controller import Controller
from console.entry import Command
from console.work import Review


class _Choices(OptionList, inherit_bindings=False):
    """What can be done next; the keys that look at other positions stay the board's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up", show=False),
        Binding("down", "cursor_down", show=False),
        Binding("enter,space", "select", show=False),
    ]


class EndCard(Vertical):
    """How the game ended, which move cost most and what can be done next; there only at the end."""

    DEFAULT_CSS = """
    EndCard {
        display: none; height: auto;
        &.-over { display: block; }
        & #ended { margin-bottom: 1; }
        & OptionList { height: auto; border: none; padding: 0; background: transparent; }
    }
    """

    @dataclass
    class Chosen(Message):
        """Something to do next was chosen by a key or the mouse."""

        command: Command

    def __init__(self, control: Controller) -> None:
        super().__init__()
        self._control = control
        self._choices: list[card.Choice] = []

    def compose(self) -> ComposeResult:
        """Lay what can be done under what was."""
        yield Static(id="ended", markup=False)
        yield _Choices(compact=True)

    @property
    def is_there(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-over")

    def show(self) -> None:
        """Draw it anew, or have it go."""
        was_there = self.is_there
        self.set_class(self._control.sitting.turn is None, "-over")
        if self.is_there:
            self.query_one("#ended", Static).update("\n".join(self._lines()))
            self._offer(is_new=not was_there)

    def _lines(self) -> list[str]:
        at = self._control.sitting
        game = at.record().game
        return [*card.result(at), *([self._costliest(self._control.reviews.of(game))] if game.moves else [])]

    def _costliest(self, review: Review) -> str:
        if review.failure:
            return f"The review stops here: {review.failure}"
        if not review.is_done:
            return f"What cost most? {len(review.found)} of {review.total} decisions are reviewed ..."
        return card.costliest(self._control.sitting, review.found)

    def _offer(self, is_new: bool) -> None:
        choices = card.choices(self._control.table)
        listed = self.query_one(_Choices)
        if is_new or choices != self._choices:
            self._choices = choices
            listed.set_options(Option(choice.label) for choice in choices)
            listed.highlighted = 0

    @property
    def has_keys(self) -> bool:
        """Whether the arrow keys choose what is done next."""
        return self.screen.focused is self.query_one(_Choices)

    def take_keys(self) -> None:
        """Have the arrow keys choose what is done next."""
        self.query_one(_Choices).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do that next."""
        event.stop()
        self.post_message(self.Chosen(self._choices[event.option_index].command))
