"""The line that typed squares and words go into."""

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

_LONGEST = 2000
"""Characters, enough for the transcript of any game."""


class EntryLine(Input):
    """A line that is there while something is typed: a square, a word such as `undo`, a transcript."""

    DEFAULT_CSS = "EntryLine { display: none; } EntryLine.-open { display: block; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    @dataclass
    class Entered(Message):
        """Something was typed and Enter pressed."""

        text: str

    class Left(Message):
        """The line was closed."""

    def __init__(self) -> None:
        super().__init__(
            compact=True, max_length=_LONGEST, select_on_focus=False, placeholder="d3, undo, help ..."
        )

    @property
    def is_open(self) -> bool:
        """Whether it is there."""
        return self.has_class("-open")

    def open(self, text: str) -> None:
        """Show it and type something there; keys that come before it has the focus go in too."""
        self.add_class("-open")
        self.value += text
        self.cursor_position = len(self.value)
        self.focus()

    def action_leave(self) -> None:
        """Close it."""
        self.remove_class("-open")
        self.value = ""
        self.post_message(self.Left())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand on what was typed."""
        event.stop()
        text = self.value
        self.action_leave()
        self.post_message(self.Entered(text))
