"""A PPO agent's options, and its method in the catalogue."""

from dataclasses import dataclass
from typing import Any

from othello_lab.agent.learner import Method, Options
from othello_lab.agent.options import AtLeastOne, AtLeastZero, NotNegative, Positive, Share, check
from othello_lab.agent.policy_value.base import NetworkOptions, configured, never_at_random


@dataclass(frozen=True)
class PPOConfig(NetworkOptions):
    """One frozen value per knob."""

    # The network
    blocks: AtLeastZero = 1
    average: Share = 0.0
    symmetric_play: bool = True
    """Play by the mean of what the network says under all 8 symmetries of the board."""
    # What is learned from
    horizon: AtLeastOne = 1024
    """Decisions at least, in whole games, between two rounds of learning."""
    gamma: Share = 1.0
    """Discount from one decision of a side to its next."""
    lam: Share = 0.95
    """Lambda of generalised advantage estimation: 0 looks one decision ahead, 1 to the end of the game."""
    # Learning
    epochs: AtLeastOne = 4
    """How often a decision is learned from."""
    batch: AtLeastOne = 128
    """Decisions of an update."""
    clip: Positive = 0.2
    """How far the probability of a move may go from what it was, as a share: epsilon of the objective."""
    value_weight: NotNegative = 0.5
    """Weight of the loss of the value."""
    entropy_weight: NotNegative = 0.01
    """Weight of the policy's entropy, which is rewarded so that it goes on exploring."""
    clip_norm: Positive = 0.5
    """Longest gradient, as a Euclidean norm over all weights."""

    def __post_init__(self) -> None:
        check(self)


def configure(options: Options, size: int, episodes: int | None = None) -> PPOConfig:
    """Return the configuration of these texts; raises ValueError."""
    return configured("ppo", PPOConfig(), options, size)


PPO: Method[PPOConfig, Any] = Method(
    name="ppo",
    config=PPOConfig,
    learner="othello_lab.agent.ppo.learner:PPOLearner",
    policy="othello_lab.agent.ppo.learner:PPOPolicy",
    from_texts=configure,
    schedule=never_at_random,
    batched="batch=2048",
    devices=True,
)
"""Proximal policy optimisation (Schulman et al. 2017), illegal moves masked (Huang and Ontañón 2022)."""
