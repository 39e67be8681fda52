"""The options of Monte-Carlo Q-learning, and its `Method`."""

from dataclasses import dataclass
from typing import Literal

from othello_lab.agent.learner import Method
from othello_lab.agent.options import AtLeastOne, Positive, Share, option

NETWORKS = {"net": (256, 384, 256), "simple": (192, 256)}  # The number of units in each hidden layer.


@dataclass(frozen=True)
class MCQConfig:
    """The options of a Monte-Carlo Q-learning agent."""

    network: Literal["net", "simple"] = option(
        "simple",
        "Network",
        "net: hidden layers of 256, 384 and 256 units. simple: hidden layers of 192 and 256 units.",
    )
    gamma: Share = option(
        1.0, "Learning", "Discount factor for each move of either side. A pass is not discounted."
    )
    win_weight: Share = option(1.0, "Learning", "Weight of the result (-1, 0 or 1) in the reward.")
    score_weight: Share = option(
        0.0,
        "Learning",
        "Weight of the final score in the reward. The score is divided by the number of squares, and the "
        "winner gets the empty squares. The change of the disc difference by each move has the rest of "
        "the weight, 1 - win_weight - score_weight.",
    )
    symmetries: Literal["all", "one"] = option(
        "all",
        "Learning",
        "all: learn each decision under all 8 symmetries of the board. one: under a random symmetry.",
    )
    games: AtLeastOne = option(
        20,
        "Learning",
        "Learn after this many games. In othello selfplay, --games-at-once replaces this option.",
    )
    batch: AtLeastOne = option(512, "Learning", "Number of decisions in an update.")
    learning_rate: Positive = option(5e-4, "Learning", "Step size of Adam.")
    epsilon: Share = option(0.08, "Exploring", "Probability of a random move.")

    def __post_init__(self) -> None:
        if self.win_weight + self.score_weight > 1 + 1e-9:
            raise ValueError(
                f"win_weight={self.win_weight} and score_weight={self.score_weight} are above 1 together: "
                "the parts of the reward sum to 1"
            )

    @property
    def immediate_weight(self) -> float:
        """The weight of a move's change in disc difference."""
        return max(0.0, 1 - self.win_weight - self.score_weight)


MCQ = Method(
    name="mcq",
    config=MCQConfig,
    learner="othello_lab.agent.mcq.learner:MCQLearner",
    policy="othello_lab.agent.mcq.learner:MCQPolicy",
    line="on-policy every-visit Monte-Carlo Q-learning with a network (Sutton and Barto 2018, section 5.4)",
)
