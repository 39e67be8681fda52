"""The lines at the bottom: one for what is typed, one for the keys."""

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input, Static

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


_GAP = "  "


class KeyLine(Static):
    """The screen's keys in the order in which they are bound: as many as there is room for, none cut off.

    A click does what the key does.
    """

    DEFAULT_CSS = """
    KeyLine {
        dock: bottom; height: 1; background: $footer-background; color: $footer-foreground;
        link-style: none; link-color: $footer-foreground; link-background: $footer-background;
    }
    """

    def on_resize(self) -> None:
        """Show as many as fit now."""
        shown, room = list[Content](), self.size.width
        for binding in self.screen.BINDINGS:
            if not isinstance(binding, Binding) or not binding.show:
                continue
            room -= len(f"{binding.key_display} {binding.description}")
            if room < 0:
                break
            room -= len(_GAP)
            shown.append(_key(binding))
        self.update(Content(_GAP).join(shown))


def _key(binding: Binding) -> Content:
    action = binding.action if "." in binding.action else f"screen.{binding.action}"
    click = Style.from_meta({"@click": action})
    return Content.assemble(
        (f"{binding.key_display}", Style(bold=True) + click), (f" {binding.description}", click)
    )
