"""A review as text: the value and the loss of each move, and a graph of the game."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from othello_lab.console.advice import Advice, MoveAdvice, ordered
from othello_lab.game import Colour
from othello_lab.game.notation import square_name
from othello_lab.game.review import Decision, Point, are_in_discs, points_of
from othello_lab.game.values import DISCS, ESTIMATE, is_certain, value_text

ROWS: Final = 4  # The number of graph lines above and below the zero line.
MARGIN: Final = 7  # The width of the graph's left margin, in characters.
_MOST_MISTAKES: Final = 5
_LINE: Final = 8  # The maximum number of moves shown from a better line of play.
_LEAST_DISCS: Final = 4.0  # The minimum axis limit in discs. A lower limit exaggerates small differences.
_POINT, _MISTAKE = "o", "!"
_HEADING: Final = f"discs for black before each move; {_MISTAKE} is a mistake"
_OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}


def as_lines(decisions: Iterable[Decision]) -> list[str]:
    """Return a review as lines: all decisions, the graph, the losses and the biggest mistakes."""
    in_order = sorted(decisions, key=lambda it: it.ply)
    if not in_order:
        return ["There is no move to review. `othello solve --all` says what a position is worth."]
    graph = ["", _HEADING, *graph_lines(points_of(in_order))] if are_in_discs(in_order) else []
    mistakes = [f"{it.ply + 1:>4}  {loss_text(it, _LINE)}" for it in worst(in_order)[:_MOST_MISTAKES]]
    return [
        *_table(in_order),
        *graph,
        "",
        *(sums(colour, in_order) for colour in Colour if any(it.side is colour for it in in_order)),
        *(["", "biggest mistakes", *mistakes] if mistakes else []),
    ]


def _table(decisions: list[Decision]) -> list[str]:
    lines = [" ply  side   move  worth  best  worth  lost   (worth to the side that moves)"]
    for unit, group in groupby(decisions, key=lambda it: it.unit):
        counted = ", empty squares counted for nobody" if unit == DISCS else ""
        lines += [f"-- {_unit_line(unit)}{counted}", *map(_row, group)]
    return lines


def _unit_line(unit: str) -> str:
    return unit if unit in (DISCS, ESTIMATE) else f"estimates: {unit}"


def cells(decision: Decision) -> tuple[str, str, str, str]:
    """Return the move, its value, the best move and the best value, as text."""
    size = decision.board.size
    move, best = (square_name(square, size) for square in (decision.move, decision.best))
    return move, value_text(decision.worth), best, value_text(decision.value)


def _row(decision: Decision) -> str:
    move, worth, best, value = cells(decision)
    better = f"{best:<4}  {value:>5}  {lost_text(decision):<9}" if decision.lost else ""
    row = f"{decision.ply + 1:>4}  {decision.side.value}  {move:<4}  {worth:>5}  {better}"
    return f"{row}{turned_text(decision)}".rstrip()


def lost_text(decision: Decision) -> str:
    """Return the loss of a move, such as `10 discs`. A loss in points has no unit."""
    if decision.unit in (DISCS, ESTIMATE):
        return _counted(decision.lost, "disc")
    return "the game" if is_certain(decision.lost) else f"{decision.lost:.2f}"


def loss_mark(decision: Decision | None) -> str:
    """Return the loss of a mistake as text, or "" for any other move."""
    if decision is None or not decision.is_mistake:
        return ""
    return f"-{lost_text(decision)} {turned_text(decision)}".rstrip()


def turned_text(decision: Decision) -> str:
    """Return the certain change of the result, such as `won -> lost`, or "" without a certain change."""
    if not decision.turned:
        return ""
    values = decision.value, decision.worth
    before, after = (_OUTCOMES[(value > 0) - (value < 0)] for value in values)
    return f"{before} -> {after}"


def sums(colour: Colour, decisions: list[Decision]) -> str:
    """Return a line with a side's number of decisions, number of mistakes and total losses."""
    moves = [it for it in decisions if it.side is colour]
    mistakes = sum(it.is_mistake for it in moves)
    losses = [
        _sum_text(unit, [it.lost for it in moves if it.unit == unit])
        for unit in dict.fromkeys(it.unit for it in moves)
    ]
    counts = f"{_counted(len(moves), 'decision')}, {_counted(mistakes, 'mistake')}"
    return f"{colour.value}: {counts}; lost {', '.join(losses) or 'nothing'}"


def summary(decisions: list[Decision]) -> list[str]:
    """Return a line with the units of the values, and a line with the total losses of each side."""
    units = dict.fromkeys(it.unit for it in decisions)
    scale = "; before that, ".join(_unit_line(unit) for unit in reversed(units))
    return [scale, *(sums(colour, decisions) for colour in Colour)]


def _counted(count: float, noun: str) -> str:
    return f"{round(count, 1):g} {noun}" if count == 1 else f"{round(count, 1):g} {noun}s"


def _sum_text(unit: str, losses: list[float]) -> str:
    if unit == DISCS:
        return f"{_counted(sum(losses), 'disc')} in the last {_counted(len(losses), 'move')}"
    total = f"about {_counted(round(sum(losses)), 'disc')}" if unit == ESTIMATE else _points(losses)
    return f"{total} in {_counted(len(losses), 'move')}"


def _points(losses: list[float]) -> str:
    """Return the total of the uncertain losses in points and the number of certain losses, as text."""
    points = f"{sum(loss for loss in losses if not is_certain(loss)):.2f} points"
    games = sum(map(is_certain, losses))
    return f"{points} and {_counted(games, 'whole game')}" if games else points


def worst(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the mistakes, biggest first. Mistakes that change the result precede all other mistakes."""
    return sorted((it for it in decisions if it.is_mistake), key=lambda it: it.weight, reverse=True)


def loss_text(decision: Decision, moves: int) -> str:
    """Return the loss of a move and the first `moves` moves of a better line of play, as text."""
    size = decision.board.size
    lost = ", ".join(filter(None, (lost_text(decision), turned_text(decision))))
    line = " ".join(square_name(move, size) for move in decision.line[:moves])
    return f"{decision.side.value} {square_name(decision.move, size)} lost {lost}; better {line}"


def judged(decision: Decision) -> str:
    """Return a sentence about the played move and its loss."""
    played = square_name(decision.move, decision.board.size)
    lost = f"which lost {lost_text(decision)}" if decision.is_mistake else "no mistake"
    turned = turned_text(decision)
    return f"Here {decision.side.value} played {played}, {lost}{f' ({turned})' if turned else ''}."


def as_json(decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    """Return the decisions as JSON objects, in the order of the game."""
    return [_as_json(it) for it in sorted(decisions, key=lambda it: it.ply)]


def _as_json(decision: Decision) -> dict[str, Any]:
    size = decision.board.size
    return {
        "move_number": decision.ply + 1,
        "side": decision.side.value,
        "position": str(decision.board),
        "move": square_name(decision.move, size),
        "best": square_name(decision.best, size),
        "exact": decision.exact,
        "unit": decision.unit,
        "worth": decision.worth,
        "value": decision.value,
        "lost": decision.lost,
        "turned": decision.turned,
        "mistake": decision.is_mistake,
        "line": [square_name(move, size) for move in decision.line],
        "moves": {square_name(move, size): value for move, value in decision.values.items()},
    }


def as_advice(decision: Decision) -> Advice:
    """Convert a reviewed decision to advice for a view."""

    def advice_on(move: int, value: float) -> MoveAdvice:
        advice = MoveAdvice(move, line=decision.line if move == decision.best else ())
        if decision.exact:
            return replace(advice, exact=int(value))
        return replace(advice, value=value, unit=decision.unit)

    return ordered("review", decision.board, [advice_on(*item) for item in decision.values.items()])


def plies_a_column(points: Sequence[Point], columns: int) -> int:
    """Return the number of plies per column of a graph with at most `columns` columns."""
    return -(-(points[-1].ply + 1) // columns)


def graph_lines(points: Sequence[Point], plies: int = 1, rows: int = ROWS) -> list[str]:
    """Return a text graph of the points' values in discs, with move numbers below. Up is good for black.

    Each column covers `plies` plies and shows the point with the biggest loss (on a tie, the last point).
    """
    columns = {point.ply // plies: point for point in sorted(points, key=lambda it: (it.lost, it.ply))}
    step = max(_LEAST_DISCS, *(abs(point.worth) for point in points)) / rows
    heights = {column: round(point.worth / step) for column, point in columns.items()}
    width = max(columns) + 1
    lines = []
    for row in range(rows, -rows - 1, -1):
        marks = [" " if row else "-"] * width
        for column, height in heights.items():
            if height == row:
                marks[column] = _MISTAKE if columns[column].lost else _POINT
        label = f"{row * step:+.0f}" if row else "0"
        lines.append(f"{label:>5} |{''.join(marks)}".rstrip())
    numbers = "".join(f"{column * plies + 1:<10}" for column in range(0, width, 10))
    return [*lines, f"{'':{MARGIN}}{numbers}".rstrip()]
