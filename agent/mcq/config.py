"""Every value of a Monte-Carlo Q agent."""

from dataclasses import dataclass

from agent.ranges import check_ranges, check_words

NETWORKS = {"net": (256, 384, 256), "simple": (192, 256)}
"""Units of each hidden layer."""
SYMMETRIES = ("all", "one")


@dataclass(frozen=True)
class MCQConfig:
    """One frozen value per knob."""

    network: str = "simple"
    """net, hidden layers of 256, 384 and 256 units, or simple, of 192 and 256."""
    gamma: float = 1.0
    """Discount of each turn that changed the board, whoever's; a pass is not discounted."""
    win_weight: float = 1.0
    """Weight of who won, -1, 0 or 1, in the reward."""
    score_weight: float = 0.0
    """Weight of the final score, the empty squares given to the winner, as a share of all squares. What the
    two weights leave of 1 is that of the immediate change of the disc difference, as such a share too."""
    symmetries: str = "all"
    """all: learn each decision under all 8 symmetries of the board; one: under one of them, drawn anew."""
    games: int = 20
    """Games that are learned from together; batched self-play has a number of its own."""
    batch: int = 512
    """Decisions of one update."""
    learning_rate: float = 5e-4
    """Adam's."""
    epsilon: float = 0.08
    """Share of random moves."""

    def __post_init__(self) -> None:
        check_words(self, {"network": tuple(NETWORKS), "symmetries": SYMMETRIES})
        shares = ("gamma", "win_weight", "score_weight", "epsilon")
        check_ranges(self, ("games", "batch"), shares=shares, above_zero=("learning_rate",))
        if self.win_weight + self.score_weight > 1 + 1e-9:
            raise ValueError(
                f"win_weight={self.win_weight} and score_weight={self.score_weight} are above 1 together: "
                "the parts of the reward sum to 1"
            )

    @property
    def immediate_weight(self) -> float:
        """Weight of the immediate change of the disc difference in the reward."""
        return max(0.0, 1 - self.win_weight - self.score_weight)
