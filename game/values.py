"""Units of values, formatting of values, and conversions to discs."""

import math
from collections.abc import Iterable

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.players.player import MoveValues

POINTS = "points of its evaluation"
EXPECTED_RETURN = "expected return: 1 a won game, -1 a lost one"
# The unit of expected results, which are numbers from -1 to 1.
EXPECTED_RESULT = "expected result: 1 won, 0 drawn, -1 lost"
DISCS_EACH = 16.0
# The unit of evaluators that were fitted to disc differences. The values are from -1 to 1.
EXPECTED_DISCS = f"expected result, by discs at the end: tanh(discs / {DISCS_EACH:.0f})"
CHANCES = EXPECTED_RESULT, EXPECTED_DISCS
DISCS = "discs at the end, exactly"
ESTIMATE = "discs at the end, estimated"
WON = 1e9  # The value of a won game in a search, which is larger than any evaluation.
# A value of a search above CERTAIN means a certain win. A value below -CERTAIN means a certain loss.
CERTAIN = 1e8
_WHOLE = 9.995  # The minimum absolute value that is shown without decimals.
# Coefficients of 1, x and x**2, fitted to searches. x is the share of empty squares.
SLOPE = (-0.576, 2.909, -1.964)
# The minimum slope, because values without a search are less certain near the end.
_LEAST_SLOPE = 0.175
_NEARLY_CERTAIN = 0.9999


def units_of(values: Iterable[MoveValues | None]) -> str:
    """Return the units of the values in a game as one text, or "" if there are no values."""
    return ", later ".join(dict.fromkeys(each.unit for each in values if each))


def value_text(value: float) -> str:
    """Return a short text of a value with its sign, or `won` or `lost` if the result is certain."""
    if is_certain(value):
        return "won" if value > 0 else "lost"
    if abs(value) >= _WHOLE:
        return f"{value:+.0f}"
    return f"{round(value, 2) + 0.0:+g}"  # the sum turns -0 into 0


def is_certain(value: float) -> bool:
    """Return whether a value means a certain win or a certain loss."""
    return abs(value) > CERTAIN


def expected_discs(value: float, unit: str, board: Board) -> float:
    """Convert an expected result or a certain value to a disc difference. Keep points and discs."""
    if is_certain(value):
        by = value - math.copysign(WON, value)  # a search adds the final disc difference to WON or -WON
        return by or math.copysign(board.size**2, value)
    if unit not in (*CHANCES, EXPECTED_RETURN):
        return value
    certainty = math.atanh(min(_NEARLY_CERTAIN, max(-_NEARLY_CERTAIN, value)))
    if unit == EXPECTED_DISCS:
        return round(min(DISCS_EACH * abs(certainty), board.size**2) * math.copysign(1, value), 1)
    left = board.empties / board.size**2
    slope = max(_LEAST_SLOPE, sum(number * left**power for power, number in enumerate(SLOPE)))
    return round(board.size**2 * math.tanh(slope * certainty), 1)


def in_discs(found: MoveValues | None, board: Board) -> MoveValues | None:
    """Return the values with expected results as discs. Keep certain values and other units."""
    if found is None or found.unit not in CHANCES:
        return found
    values = [
        value if is_certain(value) else expected_discs(value, found.unit, board) for value in found.values
    ]
    return MoveValues(np.array(values), ESTIMATE)
