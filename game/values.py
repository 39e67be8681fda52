"""Values of positions and moves: their units, short texts for values, and values in discs."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board

POINTS = "points of its evaluation"
EXPECTED_RETURN = "expected return: 1 a won game, -1 a lost one"
EXPECTED_RESULT = "expected result: 1 won, 0 drawn, -1 lost"
"""A value in this unit is from -1 to 1, so it can be shown as a chance."""
DISCS_EACH = 16.0
EXPECTED_DISCS = f"expected result, by discs at the end: tanh(discs / {DISCS_EACH:.0f})"
"""The unit of an evaluator that was fitted to disc differences; a value is from -1 to 1."""
CHANCES = EXPECTED_RESULT, EXPECTED_DISCS
"""Units of expected results."""
DISCS = "discs at the end, exactly"
ESTIMATE = "discs at the end, estimated"
WON = 1e9
"""The value that a search gives to a won game; larger than any evaluation."""
LARGEST_WEIGHT = 1e6
"""Largest absolute weight of an evaluation."""
CERTAIN = 1e8
"""A search's value above this number means a certain win; below its negative, a certain loss."""
_WHOLE = 9.995
"""Text shows no decimals for absolute values from this number on."""
SLOPE = (-0.576, 2.909, -1.964)
"""Coefficients of x**0, x**1 and x**2 in the slope, where x is the share of empty squares.

A side wins by tanh(slope * atanh(expected result)) of the board. The numbers are fitted to search values.
"""
# Near the end, values are from the solver or from players without a search; the latter are less certain.
_LEAST_SLOPE = 0.175
_NEARLY_CERTAIN = 0.9999


@dataclass(frozen=True, slots=True)
class MoveValues:
    """The value of each legal move of a position for the side to move."""

    values: NDArray[np.float64]
    """By ascending square, [moves]; more is better."""
    unit: str
    """The unit, in words."""

    def by_square(self, legal: Iterable[int]) -> dict[int, float]:
        """Return the values by square; `legal` are the legal squares in ascending order."""
        return dict(zip(legal, self.values.tolist(), strict=True))


def units_of(values: Iterable[MoveValues | None]) -> str:
    """Return the units of the values along a game, in words; "" if there are no values."""
    return ", later ".join(dict.fromkeys(each.unit for each in values if each))


def value_text(value: float) -> str:
    """Return a value as short text with its sign; `won` or `lost` if the result is certain."""
    if is_certain(value):
        return "won" if value > 0 else "lost"
    if abs(value) >= _WHOLE:
        return f"{value:+.0f}"
    return f"{round(value, 2) + 0.0:+g}"  # without the sum -0.001 were -0


def is_certain(value: float) -> bool:
    """Tell whether a value is that of a game that is certainly won or lost."""
    return abs(value) > CERTAIN


def expected_discs(value: float, unit: str, board: Board) -> float:
    """Convert a value for the side to move to its own discs minus the opponent's at the end of the game.

    The number is exact for a certain result, and an estimate for an expected result or return. A value in
    discs is returned as it is. So is a value in a unit that has no known relation to discs, such as points.
    """
    if is_certain(value):
        by = value - math.copysign(WON, value)  # a search adds the discs by which a game is won or lost
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
    """Return the values to show to people: expected results in discs, other values as they are.

    The values of a certain win or loss stay as they are too.
    """
    if found is None or found.unit not in CHANCES:
        return found
    values = [
        value if is_certain(value) else expected_discs(value, found.unit, board) for value in found.values
    ]
    return MoveValues(np.array(values), ESTIMATE)
