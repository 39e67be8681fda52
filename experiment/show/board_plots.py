"""A position as a picture: discs, coordinates, the last move, and what moves are worth."""

from collections.abc import Iterable, Mapping

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import Normalize
from matplotlib.patches import Circle, Rectangle

from game import PASS, Board, Squares
from game.colours import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, ink, worth
from game.drawing import Marks
from game.notation import square_name
from game.players.values import is_certain, value_text

_DISC, _DOT, _RING = 0.42, 0.11, 0.2
"""Radii, in squares."""
_LEAST_RANGE = 0.1
"""Of a scale, as a share of the largest value: what hardly differs has hardly another colour."""
_POINTS = 72


def draw_board(axes: Axes, board: Board, marks: Marks | None = None, coordinates: bool = True) -> None:
    """Draw a position, a1 top left, a square a unit: square s lies around (s % size, s // size)."""
    marks = marks or Marks()
    _draw_cloth(axes, board.size)
    _circles(axes, Squares(board.black), board.size, _DISC, fill=BLACK, edge=BLACK)
    _circles(axes, Squares(board.white), board.size, _DISC, fill=WHITE, edge=BLACK)
    if marks.legal:
        _circles(axes, board.legal_moves, board.size, _DOT, fill="none", edge=LEGAL)
    _circles(axes, marks.turned, board.size, _RING, fill="none", edge=MARK)
    if marks.last is not None and marks.last != PASS:
        _circles(axes, [marks.last], board.size, _DOT + 0.03, fill=MARK, edge=MARK)
    draw_values(axes, marks.values, board.size)
    if marks.chosen is not None and marks.chosen != PASS:
        _frame(axes, marks.chosen, board.size)
    _draw_border(axes, board.size, coordinates)


def _draw_cloth(axes: Axes, size: int) -> None:
    axes.set_aspect("equal")
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_facecolor(CLOTH)
    lines = [place - 0.5 for place in range(1, size)]
    axes.vlines(lines, -0.5, size - 0.5, color=LINES, lw=0.7, zorder=1)
    axes.hlines(lines, -0.5, size - 0.5, color=LINES, lw=0.7, zorder=1)


def _draw_border(axes: Axes, size: int, coordinates: bool) -> None:
    places = range(size)
    axes.set_xticks(places, [square_name(column, size)[0] for column in places])
    axes.set_yticks(places, [str(row + 1) for row in places])
    axes.tick_params(
        length=0, top=False, bottom=False, labeltop=coordinates, labelbottom=False, labelleft=coordinates
    )
    for spine in axes.spines.values():
        spine.set_color(LINES)


def _circles(axes: Axes, squares: Iterable[int], size: int, radius: float, fill: str, edge: str) -> None:
    circles = [Circle((square % size, square // size), radius) for square in squares]
    width = 1.4 if fill == "none" else 0.7
    axes.add_collection(PatchCollection(circles, facecolor=fill, edgecolor=edge, linewidth=width, zorder=2))


def _frame(axes: Axes, square: int, size: int) -> None:
    corner = (square % size - 0.46, square // size - 0.46)
    axes.add_patch(Rectangle(corner, 0.92, 0.92, fill=False, edgecolor=MARK, linewidth=2.4, zorder=5))


def draw_values(axes: Axes, values: Mapping[int, float], size: int, scale: Normalize | None = None) -> None:
    """Draw a tile on each square that has a value, from the least, dark, to the greatest, light.

    With `scale` the colours stand for its range. The axes are those of a board that was drawn.
    """
    scale = scale or scale_of(values.values())
    points = _points_a_square(axes, size)
    for square, value in values.items():
        place, colour = (square % size, square // size), worth(float(scale(value)))
        corner = place[0] - 0.43, place[1] - 0.43
        axes.add_patch(Rectangle(corner, 0.86, 0.86, facecolor=colour, edgecolor="none", zorder=3))
        axes.text(
            *place,
            value_text(value),
            ha="center",
            va="center",
            fontsize=min(11.0, 0.27 * points),
            color=ink(colour),
            zorder=4,
        )


def scale_of(values: Iterable[float]) -> Normalize:
    """Return the scale of these values; what is certain, such as a won game, lies at its ends."""
    known = [value for value in values if not is_certain(value)] or [0.0]
    low, high = min(known), max(known)
    middle, half = (low + high) / 2, max(high - low, _LEAST_RANGE * max(-low, high), 1e-9) / 2
    return Normalize(middle - half, middle + half, clip=True)


def _points_a_square(axes: Axes, size: int) -> float:
    assert axes.figure is not None  # noqa: S101  axes that are drawn on belong to a figure
    return min(axes.bbox.width, axes.bbox.height) / axes.figure.dpi * _POINTS / size
