"""Values of moves, as a player gives them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.evaluators.base import EXPECTED_RESULT

DISCS = "discs at the end, exactly"
CERTAIN = 1e8
"""Values beyond this, or beyond its negative, are those of a game that a search knows to be won or lost."""
_WHOLE = 9.995
"""From here on there is no room for decimals."""


@dataclass(frozen=True, slots=True)
class MoveValues:
    """What each legal move of a position is worth to the side to move."""

    values: NDArray[np.float64]
    """By ascending square, [moves]; more is better."""
    unit: str
    """What they are, in words."""

    def by_square(self, legal: Iterable[int]) -> dict[int, float]:
        """Return them by the legal squares, which ascend."""
        return dict(zip(legal, self.values.tolist(), strict=True))


def units_of(values: Iterable[MoveValues | None]) -> str:
    """Return what the values along a game are, in words; "" where there are none."""
    return ", later ".join(dict.fromkeys(each.unit for each in values if each))


def value_text(value: float, unit: str = "") -> str:
    """Return a value as it stands on a board: short, with its sign; `won` or `lost` if that is sure.

    With the unit EXPECTED_RESULT as a chance to win, where a draw is half of one: `56 %`.
    """
    if is_certain(value):
        return "won" if value > 0 else "lost"
    if unit == EXPECTED_RESULT:
        return f"{50 + 50 * value:.0f} %"
    if abs(value) >= _WHOLE or value == round(value):
        return f"{value:+.0f}"
    return f"{round(value, 2) + 0.0:+.2f}"  # without the sum -0.001 were -0.00


def is_certain(value: float) -> bool:
    """Tell whether a value says that the game is won or lost whatever follows."""
    return abs(value) > CERTAIN
