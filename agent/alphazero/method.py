"""An AlphaZero agent's options, and its method in the catalogue."""

from dataclasses import dataclass
from typing import Any

from othello_lab.agent.learner import Method, Options
from othello_lab.agent.options import AtLeastOne, AtLeastZero, NotNegative, Positive, Share, check
from othello_lab.agent.policy_value.base import NetworkOptions, configured, never_at_random

_SMALL = 6
"""The largest board for the smaller network."""


@dataclass(frozen=True)
class AlphaZeroConfig(NetworkOptions):
    """One frozen value per knob."""

    width: AtLeastOne = 256
    """Units of each layer: 256 up to 6x6, 384 beyond."""
    # The search
    simulations: AtLeastOne = 32
    """Of each decision, in training and when it plays."""
    considered: AtLeastOne = 16
    """Moves that are compared at the root, at most."""
    solve: AtLeastZero = 8
    """From this many empty squares on a position is solved and not judged."""
    # Learning
    bootstrap: Share = 0.25
    """What the search took a position to be worth, as a share of its target; the rest is the result."""
    score_weight: NotNegative = 0.5
    """Weight of the loss of the score, which nothing plays by: it only helps to learn."""
    batch: AtLeastOne = 512
    """Decisions of an update."""
    epochs: Positive = 2.0
    """How often a decision is learned from on average, each time under a symmetry drawn anew."""
    memory: AtLeastOne = 100_000
    """Decisions that are remembered, the last ones: batches are drawn from them."""

    def __post_init__(self) -> None:
        check(self)


def configure(options: Options, size: int, episodes: int | None = None) -> AlphaZeroConfig:
    """Return the configuration of these texts; raises ValueError."""
    width = AlphaZeroConfig.width if size <= _SMALL else 384
    return configured("alphazero", AlphaZeroConfig(width=width), options, size)


ALPHAZERO: Method[AlphaZeroConfig, Any] = Method(
    name="alphazero",
    config=AlphaZeroConfig,
    learner="othello_lab.agent.alphazero.learner:AlphaZeroLearner",
    policy="othello_lab.agent.alphazero.learner:AlphaZeroPolicy",
    from_texts=configure,
    schedule=never_at_random,
    devices=True,
)
"""AlphaZero (Silver et al. 2018) with the search of Gumbel AlphaZero (Danihelka et al. 2022)."""
