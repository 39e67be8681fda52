"""Colours for what squares are worth: the map of the pictures of boards, in steps."""

from collections.abc import Iterable
from typing import Final

from matplotlib.colors import to_hex

from experiment.display.boards import VALUES, ink, scale_of

STEPS: Final = 20
"""Shades are 0, the darkest, for the least, to STEPS."""


def shades_of(values: Iterable[float]) -> list[int]:
    """Return a shade for each, the least 0 and the greatest STEPS; see `boards.scale_of`."""
    every = list(values)
    scale = scale_of(every)
    return [round(STEPS * float(scale(value))) for value in every]


def style_of_shades() -> str:
    """Return the CSS of squares in a shade, and of what is written on them."""
    lines = []
    for step in range(STEPS + 1):
        colour = to_hex(VALUES(step / STEPS))
        lines.append(f".shade-{step} {{ fill: {colour}; }}")
        lines.append(f".board .on-shade-{step} {{ fill: {ink(colour)}; font-size: .26px; }}")
    return "\n".join(lines) + "\n"
