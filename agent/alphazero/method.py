"""The options of AlphaZero, and its `Method`."""

from dataclasses import dataclass

from othello_lab.agent.learner import Method, Options
from othello_lab.agent.options import AtLeastOne, AtLeastZero, NotNegative, Positive, Share, option
from othello_lab.agent.policy_value.options import NetworkOptions, configured, never_at_random

_SMALL = 6
"""Boards up to this size use the smaller network."""


@dataclass(frozen=True)
class AlphaZeroConfig(NetworkOptions):
    """The options of an AlphaZero agent."""

    # The search
    simulations: AtLeastOne = option(
        32, "Search", "Simulations of the search for each decision, in training and in play."
    )
    considered: AtLeastOne = option(16, "Search", "Maximum number of moves compared at the root.")
    solve: AtLeastZero = option(
        8, "Search", "With this many empty squares or fewer a position is solved, without the network."
    )
    # Learning
    bootstrap: Share = option(
        0.25,
        "Learning",
        "Share of the search's value in the target of the value; the rest is the game's result.",
    )
    score_weight: NotNegative = option(
        0.5,
        "Learning",
        "Weight of the loss of the final score, which helps to learn; no move depends on the score.",
    )
    batch: AtLeastOne = option(512, "Learning", "Decisions of an update.")
    epochs: Positive = option(
        2.0, "Learning", "Average number of times a decision is learned, each under a random symmetry."
    )
    memory: AtLeastOne = option(
        100_000, "Replay", "Decisions in the replay memory; a new one replaces the oldest."
    )


def configure(options: Options, size: int, episodes: int | None = None) -> AlphaZeroConfig:
    """Return the configuration from the texts of options. Raises ValueError if a text is wrong."""
    width = AlphaZeroConfig.width if size <= _SMALL else 384
    return configured("alphazero", AlphaZeroConfig(width=width), options, size)


ALPHAZERO = Method(
    name="alphazero",
    config=AlphaZeroConfig,
    learner="othello_lab.agent.alphazero.learner:AlphaZeroLearner",
    policy="othello_lab.agent.alphazero.learner:AlphaZeroPolicy",
    from_texts=configure,
    schedule=never_at_random,
    devices=True,
    line="AlphaZero (Silver et al. 2018) with the search of Gumbel AlphaZero (Danihelka et al. 2022)",
)
