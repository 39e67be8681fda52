"""The room that text takes in a picture."""

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

_POINTS = 72
"""Of an inch."""
_FITTED = 1.06
"""As much wider letters can be in a PNG, where they are fitted to its dots."""


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """Return how wide the widest line of a text can be, in inches, at a size in points; `$` is no formula."""
    font = FontProperties(size=size, weight=weight)
    lines = text.split("\n")
    widths = [text_to_path.get_text_width_height_descent(line, font, False)[0] for line in lines]
    return _FITTED * max(widths) / _POINTS


def lines_of(text: str, size: float, room: float) -> str:
    """Return a text with its words in lines that are at most `room` inches wide, as far as words are."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)
