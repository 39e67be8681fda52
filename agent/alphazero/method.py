"""The options of AlphaZero, and its `Method`."""

from dataclasses import dataclass

from othello_lab.agent.learner import Method, Options
from othello_lab.agent.options import AtLeastOne, AtLeastZero, NotNegative, Positive, Share, option
from othello_lab.agent.policy_value.options import NetworkOptions, configured, never_at_random

_SMALL = 6  # Boards up to this size use the smaller network.


@dataclass(frozen=True)
class AlphaZeroConfig(NetworkOptions):
    """The options of an AlphaZero agent."""

    # The search
    simulations: AtLeastOne = option(
        32, "Search", "Number of search simulations for each decision, in training and in play."
    )
    considered: AtLeastOne = option(
        16, "Search", "Maximum number of moves that the search compares at the root."
    )
    solve: AtLeastZero = option(
        8, "Search", "Solve positions with this many empty squares or fewer exactly, without the network."
    )
    # Learning
    bootstrap: Share = option(
        0.25,
        "Learning",
        "The target of the value is a mean of the search's value and the game's result. This option is "
        "the weight of the search's value.",
    )
    score_weight: NotNegative = option(
        0.5,
        "Learning",
        "Weight of the loss of the final score. Learning the score helps to learn the value, but no move "
        "depends on the score.",
    )
    batch: AtLeastOne = option(512, "Learning", "Number of decisions in an update.")
    epochs: Positive = option(
        2.0,
        "Learning",
        "Average number of times that each decision is learned, each time under a random symmetry of the "
        "board.",
    )
    memory: AtLeastOne = option(
        100_000,
        "Replay",
        "Maximum number of decisions in the replay memory. In a full memory, a new decision replaces the "
        "oldest.",
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
