"""The options of PPO, and its `Method`."""

from dataclasses import dataclass
from functools import partial

from othello_lab.agent.learner import Method
from othello_lab.agent.options import AtLeastOne, Blocks, NotNegative, Positive, Share, option
from othello_lab.agent.policy_value.options import NetworkOptions, configured, never_at_random


@dataclass(frozen=True)
class PPOConfig(NetworkOptions):
    """The options of a PPO agent."""

    # The network
    blocks: Blocks = 1
    average: Share = 0.0
    symmetric_play: bool = option(
        True, "Network", "To choose a move, average the network's outputs over all 8 symmetries of the board."
    )
    # Learning
    horizon: AtLeastOne = option(
        1024,
        "Learning",
        "Minimum number of decisions between two rounds of learning. A round learns from whole games.",
    )
    gamma: Share = option(
        1.0, "Learning", "Discount factor from one decision of a side to the next decision of this side."
    )
    lam: Share = option(
        0.95,
        "Learning",
        "Lambda of generalised advantage estimation. 0: look one decision ahead. 1: look to the end of "
        "the game.",
    )
    epochs: AtLeastOne = option(4, "Learning", "Number of times that each decision is learned.")
    batch: AtLeastOne = option(128, "Learning", "Number of decisions in an update.")
    clip: Positive = option(
        0.2,
        "Learning",
        "Epsilon of the clipped objective, which is the maximum relative change of a move's probability.",
    )
    value_weight: NotNegative = option(0.5, "Learning", "Weight of the loss of the value.")
    entropy_weight: NotNegative = option(
        0.01, "Exploring", "Weight of the policy's entropy, a bonus that keeps the policy exploring."
    )
    clip_norm: Positive = option(0.5, "Learning", "Maximum Euclidean norm of the gradient of all weights.")


PPO = Method(
    name="ppo",
    config=PPOConfig,
    learner="othello_lab.agent.ppo.learner:PPOLearner",
    policy="othello_lab.agent.ppo.learner:PPOPolicy",
    from_texts=partial(configured, "ppo", PPOConfig()),
    schedule=never_at_random,
    batched="batch=2048",
    devices=True,
    line="proximal policy optimisation (Schulman et al. 2017) with a mask (Huang and Ontañón 2022)",
)
