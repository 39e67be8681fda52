"""The evaluation of a game over its moves, as lines of text."""

from collections.abc import Sequence
from typing import Final

from othello_lab.game.evaluation_graph import Point

ROWS: Final = 4
"""Lines above the middle, and as many below it."""
MARGIN: Final = 7
"""Characters before the first column."""
_LEAST: Final = 4.0
"""Discs of the highest line at least: else a level game would look like a battle."""
_TENS: Final = 10
POINT, MISTAKE = "o", "!"
HEADING: Final = f"discs for black before each move; {MISTAKE} is a mistake"


def plies_a_column(points: Sequence[Point], columns: int) -> int:
    """Return how many moves share a column, where there is room for only this many columns."""
    return -(-(points[-1].ply + 1) // columns)


def graph_lines(points: Sequence[Point], plies: int = 1, rows: int = ROWS) -> list[str]:
    """Return a graph of points in discs, black's upwards, and below it the numbers of the moves.

    A column is this many plies; of the points in it a mistake is shown, or the last.
    """
    columns = {point.ply // plies: point for point in sorted(points, key=lambda each: (each.lost, each.ply))}
    step = max(_LEAST, *(abs(point.worth) for point in points)) / rows
    heights = {column: round(point.worth / step) for column, point in columns.items()}
    lines = []
    for row in range(rows, -rows - 1, -1):
        marks = (
            _mark(columns[column]) if heights.get(column) == row else " " if row else "-"
            for column in range(max(columns) + 1)
        )
        label = f"{row * step:+.0f}" if row else "0"
        lines.append(f"{label:>5} |{''.join(marks)}".rstrip())
    numbers = (f"{column * plies + 1:<{_TENS}}" for column in range(0, max(columns) + 1, _TENS))
    return [*lines, f"{'':{MARGIN}}{''.join(numbers)}".rstrip()]


def _mark(point: Point) -> str:
    return MISTAKE if point.lost else POINT
