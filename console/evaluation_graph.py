"""The evaluation of a game over its moves, as lines of text."""

from collections.abc import Sequence

from othello_lab.game import Colour
from othello_lab.game.players.base import DISCS, ESTIMATE
from othello_lab.game.review import Reviewed

_ROWS = 4
"""Lines of text above the middle, and below it."""
_LEAST = 4.0
"""Discs of the highest line at least: else a level game would look like a battle."""
_TENS = 10
POINT, MISTAKE = "o", "!"


def for_black(found: Reviewed) -> float:
    """Return what a position was worth before a decision, for black."""
    value = found.decision.value
    return value if found.side is Colour.BLACK else -value


def graph_lines(found: Sequence[Reviewed]) -> list[str]:
    """Return a graph of a review in the order of the game: a column a move, discs for black upwards.

    An empty line stands above it; nothing at all where the values are not in discs.
    """
    if not found or any(each.unit not in (DISCS, ESTIMATE) for each in found):
        return []
    points = {each.ply: each for each in found}
    step = max(_LEAST, *(abs(for_black(each)) for each in found)) / _ROWS
    rows = {ply: round(for_black(each) / step) for ply, each in points.items()}
    last = max(points)
    lines = ["", f"discs for black before each move; {MISTAKE} is a mistake"]
    for row in range(_ROWS, -_ROWS - 1, -1):
        marks = (
            _mark(points[ply]) if rows.get(ply) == row else " " if row else "-" for ply in range(last + 1)
        )
        height = f"{row * step:+.0f}" if row else "0"
        lines.append(f"{height:>5} |{''.join(marks)}".rstrip())
    return [*lines, f"{'':7}{''.join(_number(ply) for ply in range(0, last + 1, _TENS))}".rstrip()]


def _mark(found: Reviewed) -> str:
    return MISTAKE if found.is_mistake else POINT


def _number(ply: int) -> str:
    """Return the number of a move under its column, as wide as ten columns."""
    return f"{ply + 1:<{_TENS}}"
