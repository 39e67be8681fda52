"""A Monte-Carlo Q agent's options, and its method in the catalogue."""

from dataclasses import dataclass
from typing import Annotated, Any

from othello_lab.agent.learner import Method
from othello_lab.agent.options import AtLeastOne, Positive, Share, check, one_of

NETWORKS = {"net": (256, 384, 256), "simple": (192, 256)}
"""Units of each hidden layer."""


@dataclass(frozen=True)
class MCQConfig:
    """One frozen value per knob."""

    network: Annotated[str, one_of(*NETWORKS)] = "simple"
    """net, hidden layers of 256, 384 and 256 units, or simple, of 192 and 256."""
    gamma: Share = 1.0
    """Discount of each turn that changed the board, whoever's; a pass is not discounted."""
    win_weight: Share = 1.0
    """Weight of who won, -1, 0 or 1, in the reward."""
    score_weight: Share = 0.0
    """Weight of the final score, the empty squares given to the winner, as a share of all squares. What the
    two weights leave of 1 is that of the immediate change of the disc difference, as such a share too."""
    symmetries: Annotated[str, one_of("all", "one")] = "all"
    """all: learn each decision under all 8 symmetries of the board; one: under one of them, drawn anew."""
    games: AtLeastOne = 20
    """Games that are learned from together; batched self-play has a number of its own."""
    batch: AtLeastOne = 512
    """Decisions of one update."""
    learning_rate: Positive = 5e-4
    """Adam's."""
    epsilon: Share = 0.08
    """Share of random moves."""

    def __post_init__(self) -> None:
        check(self)
        if self.win_weight + self.score_weight > 1 + 1e-9:
            raise ValueError(
                f"win_weight={self.win_weight} and score_weight={self.score_weight} are above 1 together: "
                "the parts of the reward sum to 1"
            )

    @property
    def immediate_weight(self) -> float:
        """Weight of the immediate change of the disc difference in the reward."""
        return max(0.0, 1 - self.win_weight - self.score_weight)


MCQ: Method[MCQConfig, Any] = Method(
    name="mcq",
    config=MCQConfig,
    learner="othello_lab.agent.mcq.learner:MCQLearner",
    policy="othello_lab.agent.mcq.learner:MCQPolicy",
)
"""Monte-Carlo Q-learning (Sutton and Barto 2018, section 5.4, on-policy, every visit) with a network."""
