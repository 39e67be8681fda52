"""Every value of a tabular agent."""

from dataclasses import dataclass

from agent.ranges import check_ranges, check_words

SIZE = 4
"""The board: 4x4 has 45,387 states in which a side decides, 6x6 has more than could be met."""
EXPLORE = ("least-known", "random")
_SHARES = ("learning_rate", "epsilon", "gamma")


@dataclass(frozen=True)
class TabularConfig:
    """One frozen value per knob."""

    learning_rate: float | None = None
    """Step size, how far a value moves towards its target; None takes 1 / how often the move was tried there,
    so that a value is the mean of its targets."""
    gamma: float | None = 1.0
    """Discount; None takes the task specification's."""
    epsilon: float = 1.0
    """Share of moves that explore while exploring is on: what is learned is the value of the best play,
    whatever is played."""
    explore: str = "least-known"
    """A move that explores is random, or least-known: on the way to what was tried least so far."""
    backward: bool = True
    """Learn when a game is over, from its last move to its first, so that the result reaches every move of
    it at once (Lin 1992, section 3.1); without it after every move."""
    symmetries: bool = True
    """One entry for the 8 symmetries of a position."""

    def __post_init__(self) -> None:
        check_words(self, {"explore": EXPLORE})
        check_ranges(self, shares=_SHARES)
        if self.learning_rate == 0:
            raise ValueError("learning_rate is 0, expected more, or none for 1 / tries")
