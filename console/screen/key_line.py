"""The line of keys at the bottom."""

from textual.binding import Binding
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

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
