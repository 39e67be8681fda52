"""A tabular agent's options, and its method in the catalogue."""

from dataclasses import dataclass
from typing import Annotated, Any

from othello_lab.agent.learner import Method
from othello_lab.agent.options import Schedule, Share, check, one_of

SIZE = 4
"""The board: 4x4 has 45,387 states in which a side decides, 6x6 has more than could be met."""


@dataclass(frozen=True)
class TabularConfig:
    """One frozen value per knob."""

    learning_rate: Share | None = None
    """Step size, how far a value moves towards its target; None takes 1 / how often the move was tried there,
    so that a value is the mean of its targets."""
    gamma: Share | None = 1.0
    """Discount; None takes the task specification's."""
    epsilon: Share = 1.0
    """Share of moves that explore while exploring is on: what is learned is the value of the best play,
    whatever is played."""
    explore: Annotated[str, one_of("least-known", "random")] = "least-known"
    """A move that explores is random, or least-known: on the way to what was tried least so far."""
    backward: bool = True
    """Learn when a game is over, from its last move to its first, so that the result reaches every move of
    it at once (Lin 1992, section 3.1); without it after every move."""
    symmetries: bool = True
    """One entry for the 8 symmetries of a position."""

    def __post_init__(self) -> None:
        check(self)
        if self.learning_rate == 0:
            raise ValueError("learning_rate is 0, expected more, or none for 1 / tries")


def _schedule(config: TabularConfig) -> Schedule:
    """Random moves are the agent's; those that are least known the learner chooses itself."""
    epsilon = config.epsilon if config.explore == "random" else 0.0
    return Schedule(epsilon_start=epsilon, epsilon_end=epsilon)


TABULAR: Method[TabularConfig, Any] = Method(
    name="tabular",
    config=TabularConfig,
    learner="othello_lab.agent.tabular.learner:TabularLearner",
    policy="othello_lab.agent.tabular.learner:TablePolicy",
    schedule=_schedule,
    largest=SIZE,
)
"""Q-learning in a table (Watkins 1989)."""
