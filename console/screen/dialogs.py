"""Questions that stand before the board until they are answered."""

from collections.abc import Mapping
from typing import ClassVar

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

BOX = """
    align: center middle;
    & > #box {
        width: 64; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
        background: $surface; border: round $primary;
    }
    & .title { text-style: bold; }
    & .buttons { height: auto; margin-top: 1; }
    & Button { margin-right: 1; min-width: 8; }
"""
"""How a dialog looks."""


class Question(ModalScreen[str]):
    """A question with a few answers; "" where none was chosen."""

    DEFAULT_CSS = f"Question {{ {BOX} }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss('')", "Back"),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, text: str, answers: Mapping[str, str]) -> None:
        """`answers` are labels by what they are called in the result; the first is the one for Enter."""
        super().__init__()
        self._text, self._answers = text, answers

    def compose(self) -> ComposeResult:
        """Lay the text above its answers."""
        with VerticalScroll(id="box", can_focus=False):
            yield Static(self._text, markup=False)
            with Horizontal(classes="buttons"):
                for name, label in self._answers.items():
                    yield Button(label, id=name, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id or "")


class Line(ModalScreen[str]):
    """Asks for one line of text; "" where none was given."""

    DEFAULT_CSS = f"Line {{ {BOX} }}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('')", "Back")]

    def __init__(self, title: str, explanation: str, text: str = "") -> None:
        """`text` is what stands there at first."""
        super().__init__()
        self._title, self._explanation, self._text = title, explanation, text

    def compose(self) -> ComposeResult:
        """Lay the line between title and explanation."""
        with VerticalScroll(id="box", can_focus=False):
            yield Label(self._title, classes="title", markup=False)
            yield Input(self._text, compact=True)
            yield Static(self._explanation, markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was typed."""
        self.dismiss(event.value.strip())


class Page(ModalScreen[None]):
    """Something to be read."""

    DEFAULT_CSS = f"Page {{ {BOX} & > #box {{ width: 76; }} }}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,f1", "dismiss(None)", "Back")]

    def __init__(self, page: RenderableType) -> None:
        super().__init__()
        self._page = page

    def compose(self) -> ComposeResult:
        """Show it; the arrow keys scroll it."""
        with VerticalScroll(id="box"):
            yield Static(self._page)
