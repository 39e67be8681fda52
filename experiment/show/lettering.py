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


def lines_of(text: str, size: float, room: float, weight: str = "normal") -> str:
    """Return a text in lines that are at most `room` inches wide; a word is broken that alone is wider."""
    lines = [""]
    for part in (part for word in text.split() for part in _pieces(word, size, room, weight)):
        longer = f"{lines[-1]} {part}".strip()
        if lines[-1] and width_of(longer, size, weight) > room:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _pieces(word: str, size: float, room: float, weight: str) -> list[str]:
    """Return a word in parts that are narrow enough."""
    if len(word) < 2 or width_of(word, size, weight) <= room:
        return [word]
    half = len(word) // 2
    return [part for own in (word[:half], word[half:]) for part in _pieces(own, size, room, weight)]
