"""The options of tabular Q-learning, and its `Method`."""

from dataclasses import dataclass
from typing import Literal

from othello_lab.agent.learner import Method
from othello_lab.agent.options import Schedule, Share, option

SIZE = 4  # 4x4 has 45,387 states with a legal move. 6x6 has more states than training can reach.


@dataclass(frozen=True)
class TabularConfig:
    """The options of a tabular agent."""

    learning_rate: Share | None = option(
        None,
        "Learning",
        "Step size of an update. none: 1 / (updates of the move), so that a value is the mean of its "
        "targets.",
    )
    gamma: Share | None = option(
        1.0, "Learning", "Discount factor. none: use the discount factor of the task specification."
    )
    epsilon: Share = option(
        1.0,
        "Exploring",
        "Probability of an exploring move. With any probability, the agent learns the values of best play.",
    )
    explore: Literal["least-known", "random"] = option(
        "least-known",
        "Exploring",
        "random: an exploring move is random. least-known: it leads to the least tried move.",
    )
    backward: bool = option(
        True,
        "Learning",
        "Learn after each game, from the last move to the first, so that the result reaches all moves at "
        "once (Lin 1992, section 3.1). false: learn after every move.",
    )
    symmetries: bool = option(True, "Learning", "Store one entry for all 8 symmetries of a position.")

    def __post_init__(self) -> None:
        if self.learning_rate == 0:
            raise ValueError("learning_rate is 0, expected more, or none for 1 / tries")


def _schedule(config: TabularConfig) -> Schedule:
    epsilon = config.epsilon if config.explore == "random" else 0.0
    return Schedule(epsilon_start=epsilon, epsilon_end=epsilon)


TABULAR = Method(
    name="tabular",
    config=TabularConfig,
    learner="othello_lab.agent.tabular.learner:TabularLearner",
    policy="othello_lab.agent.tabular.learner:TablePolicy",
    schedule=_schedule,
    largest=SIZE,
    finds_legal_moves=False,
    line="Q-learning in a table (Watkins 1989), for 4x4 boards",
)
