"""A review as text: what each move of a game was worth, what it lost, and the graph of the game."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from othello_lab.console.advice import Advice, MoveAdvice, ordered
from othello_lab.game import Colour
from othello_lab.game.notation import square_name
from othello_lab.game.review import Point, Reviewed, are_in_discs, points_of
from othello_lab.game.solver.solver import Convention
from othello_lab.game.values import DISCS, ESTIMATE, is_certain, value_text

WORST = 5
"""How many mistakes are listed again, the biggest first."""
_LINE = 8
"""How many moves of a line that would have been better are shown."""
_OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}
_CONVENTIONS = {
    Convention.DISC_DIFF: "empty squares counted for nobody",
    Convention.FINAL_SCORE: "empty squares counted for the winner",
}

ROWS: Final = 4
"""Lines above the middle, and as many below it."""
MARGIN: Final = 7
"""Characters before the first column."""
_LEAST_DISCS: Final = 4.0
"""Discs of the highest line at least: else a level game would look like a battle."""
_TENS: Final = 10
POINT, MISTAKE = "o", "!"
HEADING: Final = f"discs for black before each move; {MISTAKE} is a mistake"


def as_lines(found: Iterable[Reviewed], convention: Convention) -> list[str]:
    """Return a whole review: every decision, the sums of each side, the biggest mistakes."""
    in_order = sorted(found, key=lambda each: each.ply)
    if not in_order:
        return ["There is no move to review. `othello solve --all` says what a position is worth."]
    return [
        *_table(in_order, convention),
        *_graph(in_order),
        "",
        *(sums(colour, in_order) for colour in Colour if any(each.side is colour for each in in_order)),
        *_mistakes(in_order),
    ]


def _graph(found: list[Reviewed]) -> list[str]:
    """Return the graph below an empty line; nothing of values that are not in discs."""
    return ["", HEADING, *graph_lines(points_of(found))] if are_in_discs(found) else []


def _table(found: list[Reviewed], convention: Convention) -> list[str]:
    """Return a line a decision, under a heading for each way of judging."""
    lines = [" ply  side   move  worth  best  worth  lost   (worth to the side that moves)"]
    for unit, decisions in groupby(found, key=lambda each: each.unit):
        counted = f", {_CONVENTIONS[convention]}" if unit == DISCS else ""
        lines += [f"-- {unit_line(unit)}{counted}", *(_row(each) for each in decisions)]
    return lines


def unit_line(unit: str) -> str:
    """Return what values are, and whether they are exact."""
    return unit if unit in (DISCS, ESTIMATE) else f"estimates: {unit}"


def _row(found: Reviewed) -> str:
    decision, size = found.decision, found.decision.board.size
    move, best = (square_name(square, size) for square in (decision.move, decision.best))
    worth, value = map(value_text, (decision.worth, decision.value))
    better = f"{best:<4}  {value:>5}  {lost_text(found):<9}" if found.lost else ""
    row = f"{found.ply + 1:>4}  {found.side.value}  {move:<4}  {worth:>5}  {better}{turned_text(found)}"
    return row.rstrip()


def lost_text(found: Reviewed) -> str:
    """Return what a move gave away: `10 discs`; the difference of an evaluation has no name."""
    if found.unit in (DISCS, ESTIMATE):
        return _counted(found.lost, "disc")
    return "the game" if is_certain(found.lost) else f"{found.lost:.2f}"


def loss_mark(found: Reviewed | None) -> str:
    """Return the loss of a mistake, as it stands beside the move in a list; "" for any other move."""
    if found is None or not found.is_mistake:
        return ""
    return f"-{lost_text(found)} {turned_text(found)}".rstrip()


def turned_text(found: Reviewed) -> str:
    """Return how a move changed who wins, `won -> lost`; "" if it did not, as far as that is sure."""
    if not found.turned:
        return ""
    values = found.decision.value, found.decision.worth
    before, after = (_OUTCOMES[(value > 0) - (value < 0)] for value in values)
    return f"{before} -> {after}"


def sums(colour: Colour, found: list[Reviewed]) -> str:
    """Return what a side lost in all, a sum for each unit."""
    own = [each for each in found if each.side is colour]
    mistakes = sum(each.is_mistake for each in own)
    lost = [
        _sum_text(unit, [each.lost for each in own if each.unit == unit])
        for unit in dict.fromkeys(each.unit for each in own)
    ]
    counts = f"{_counted(len(own), 'decision')}, {_counted(mistakes, 'mistake')}"
    return f"{colour.value}: {counts}; lost {', '.join(lost) or 'nothing'}"


def summary(found: list[Reviewed]) -> list[str]:
    """Return the units of a whole review, from the end of the game back, and the sums of both sides."""
    units = dict.fromkeys(each.unit for each in found)
    scale = "; before that, ".join(unit_line(unit) for unit in reversed(units))
    return [scale, *(sums(colour, found) for colour in Colour)]


def _counted(count: float, what: str) -> str:
    """Return so many of something; of an estimate with its tenths."""
    return f"{round(count, 1):g} {what}" if count == 1 else f"{round(count, 1):g} {what}s"


def _sum_text(unit: str, lost: list[float]) -> str:
    if unit == DISCS:
        return f"{_counted(sum(lost), 'disc')} in the last {_counted(len(lost), 'move')}"
    total = f"about {_counted(round(sum(lost)), 'disc')}" if unit == ESTIMATE else _points(lost)
    return f"{total} in {_counted(len(lost), 'move')}"


def _points(lost: list[float]) -> str:
    """Return the sum of points, and apart from it how many games were lost for sure."""
    points = f"{sum(each for each in lost if not is_certain(each)):.2f} points"
    games = sum(map(is_certain, lost))
    return f"{points} and {_counted(games, 'whole game')}" if games else points


def worst(found: Iterable[Reviewed]) -> list[Reviewed]:
    """Return the mistakes, the biggest first: those that changed the winner before all others."""
    return sorted((each for each in found if each.is_mistake), key=lambda each: each.weight, reverse=True)


def _mistakes(found: list[Reviewed]) -> list[str]:
    biggest = worst(found)[:WORST]
    return ["", "biggest mistakes", *map(mistake_line, biggest)] if biggest else []


def mistake_line(found: Reviewed) -> str:
    """Return a mistake with what would have been better, and how the game would have gone on."""
    return f"{found.ply + 1:>4}  {loss_text(found, _LINE)}"


def loss_text(found: Reviewed, moves: int) -> str:
    """Return what a move lost, and at most `moves` moves of what would have been better."""
    decision, size = found.decision, found.decision.board.size
    lost = ", ".join(filter(None, (lost_text(found), turned_text(found))))
    line = " ".join(square_name(move, size) for move in found.line[:moves])
    return f"{found.side.value} {square_name(decision.move, size)} lost {lost}; better {line}"


def judged(found: Reviewed) -> str:
    """Return what a review found of the move that was played in the position that is shown."""
    played = square_name(found.decision.move, found.decision.board.size)
    lost = f"which lost {lost_text(found)}" if found.is_mistake else "no mistake"
    turned = turned_text(found)
    return f"Here {found.side.value} played {played}, {lost}{f' ({turned})' if turned else ''}."


def as_json(found: Iterable[Reviewed]) -> list[dict[str, Any]]:
    """Return the decisions in the order of the game, for programs."""
    return [_as_json(each) for each in sorted(found, key=lambda each: each.ply)]


def _as_json(found: Reviewed) -> dict[str, Any]:
    decision, size = found.decision, found.decision.board.size
    return {
        "move_number": found.ply + 1,
        "side": found.side.value,
        "position": str(decision.board),
        "move": square_name(decision.move, size),
        "best": square_name(decision.best, size),
        "exact": found.exact,
        "unit": found.unit,
        "worth": decision.worth,
        "value": decision.value,
        "lost": found.lost,
        "turned": found.turned,
        "mistake": found.is_mistake,
        "line": [square_name(move, size) for move in found.line],
        "moves": {square_name(move, size): value for move, value in decision.values.items()},
    }


def as_advice(found: Reviewed) -> Advice:
    """Return what was found of a decision as advice, so that it is shown alike."""
    decision, exact = found.decision, found.exact

    def advice_of(move: int, value: float) -> MoveAdvice:
        said = MoveAdvice(move, line=found.line if move == decision.best else ())
        return replace(said, exact=int(value)) if exact else replace(said, value=value, unit=found.unit)

    return ordered("review", decision.board, [advice_of(*item) for item in decision.values.items()])


def plies_a_column(points: Sequence[Point], columns: int) -> int:
    """Return how many moves share a column, where there is room for only this many columns."""
    return -(-(points[-1].ply + 1) // columns)


def graph_lines(points: Sequence[Point], plies: int = 1, rows: int = ROWS) -> list[str]:
    """Return a graph of points in discs, black's upwards, and below it the numbers of the moves.

    A column is this many plies; of the points in it a mistake is shown, or the last.
    """
    columns = {point.ply // plies: point for point in sorted(points, key=lambda each: (each.lost, each.ply))}
    step = max(_LEAST_DISCS, *(abs(point.worth) for point in points)) / rows
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
