"""Colours for numbers: the map of the pictures of boards in steps, for cells of tables and for squares."""

from collections.abc import Iterable
from typing import Final

from matplotlib.colors import to_hex

from experiment.display.boards import VALUES, ink, scale_of

STEPS: Final = 20
"""Shades are 0, the darkest, for the least, to STEPS."""


class Cell(str):
    """A text with a shade."""

    __slots__ = ("shade",)
    shade: int

    def __new__(cls, text: str, shade: int) -> "Cell":
        """Make it."""
        made = super().__new__(cls, text)
        made.shade = shade
        return made


def shade(part: float) -> int:
    """Return the shade of a part of a range, 0 to 1."""
    return round(STEPS * min(1.0, max(0.0, part)))


def shades_of(values: Iterable[float]) -> list[int]:
    """Return a shade for each, the least 0 and the greatest STEPS; see `boards.scale_of`."""
    every = list(values)
    scale = scale_of(every)
    return [shade(float(scale(value))) for value in every]


def style_of_shades() -> str:
    """Return the CSS of cells and squares in a shade, and of what is written on them."""
    lines = []
    for step in range(STEPS + 1):
        colour = to_hex(VALUES(step / STEPS))
        lines.append(f"td.cell-{step} {{ background: {colour}; color: {ink(colour)}; }}")
        lines.append(f".shade-{step} {{ fill: {colour}; }}")
        lines.append(f".board .on-shade-{step} {{ fill: {ink(colour)}; font-size: .29px; }}")
    return "\n".join(lines) + "\n"
