"""Round shapes in block characters, each of which is two by two points."""

from functools import cache
from math import hypot

BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By which points are filled: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""
_CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


@cache
def ring(width: int, height: int, inner: float, outer: float) -> tuple[str, ...]:
    """Return a ring in the middle of `height` lines of `width` characters.

    The radii are shares of half the space. A character is taken to be twice as high as wide.
    """
    half = min(width / 2, height)

    def is_filled(column: int, row: int) -> bool:
        x, y = (column + 0.5) / 2 - width / 2, row + 0.5 - height
        return inner * half <= hypot(x, y) <= outer * half

    def block(column: int, row: int) -> str:
        points = (is_filled(2 * column + right, 2 * row + down) for right, down in _CORNERS)
        return BLOCKS[sum(1 << bit for bit, filled in enumerate(points) if filled)]

    return tuple("".join(block(column, row) for column in range(width)) for row in range(height))


def points(block: str) -> list[tuple[int, int]]:
    """Return the filled points of a block character, each as (0 left or 1 right, 0 upper or 1 lower)."""
    filled = BLOCKS.index(block)
    return [corner for bit, corner in enumerate(_CORNERS) if filled >> bit & 1]


def disc(width: int, height: int) -> tuple[str, ...]:
    """Return a filled disc."""
    return ring(width, height, 0.0, _radius(width, height))


def hollow(width: int, height: int) -> tuple[str, ...]:
    """Return a disc of which only the border is drawn."""
    return ring(width, height, 0.5, _radius(width, height))


def dot(width: int, height: int) -> tuple[str, ...]:
    """Return a large dot, which fits into a disc."""
    return ring(width, height, 0.0, 0.475)


def speck(width: int, height: int) -> tuple[str, ...]:
    """Return a small dot."""
    return ring(width, height, 0.0, 0.35)


def _radius(width: int, height: int) -> float:
    """Return the radius of a disc, which leaves the outermost points free where there are enough."""
    half = min(width / 2, height)
    return 0.87 if half <= 2 else (half - 0.52) / half
