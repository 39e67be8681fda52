"""The options of TD(lambda), and its `Method`."""

from dataclasses import dataclass
from typing import Annotated

from othello_lab.agent.learner import Method
from othello_lab.agent.options import (
    EXPLORING,
    LEARNING,
    MANY_GAMES,
    NETWORK,
    AtLeastOne,
    Layers,
    Positive,
    Share,
    check,
    one_of,
    option,
)


@dataclass(frozen=True)
class TDConfig:
    """The options of a TD agent."""

    network: Annotated[str, one_of("mlp", "conv")] = option(
        "mlp",
        NETWORK,
        "mlp: fully connected layers; conv: two 3x3 convolutions and a fully connected layer, with ReLU.",
    )
    hidden: Layers = option((128,), NETWORK, "mlp: units of each hidden layer.")
    units: Annotated[str, one_of("sigmoid", "tanh", "relu")] = option(
        "relu", NETWORK, "mlp: activation of the hidden units: sigmoid, tanh or relu."
    )
    channels: AtLeastOne = option(32, NETWORK, "conv: channels of each convolution.")
    dense: AtLeastOne = option(64, NETWORK, "conv: units of the fully connected layer.")
    output: Annotated[str, one_of("sigmoid", "tanh")] = option(
        "tanh",
        NETWORK,
        "tanh: the expected result, from -1 to 1; sigmoid: the chance to win, from 0 to 1, a draw is 0.5.",
    )
    # Learning game by game
    lam: Share = option(0.9, LEARNING, "Lambda: how slowly the trace of earlier predictions decays.")
    learning_rate: Positive = option(
        0.01, LEARNING, "Alpha, game by game: the step along the trace, in units of the output."
    )
    gamma: Share = option(1.0, LEARNING, "Discount from one decision to the next.")
    cut: bool = option(
        True,
        LEARNING,
        "Reset the trace at a move that is not the best: later rewards are no evidence for earlier moves. "
        "Self-play always does.",
    )
    # Learning from many games at once
    batch: AtLeastOne = option(64, MANY_GAMES, "Afterstates of an update.")
    batch_rate: Positive = option(2e-3, MANY_GAMES, "Step size of Adam.")
    symmetries: bool = option(
        True, MANY_GAMES, "Learn each afterstate under a random one of the 8 symmetries of the board."
    )
    epsilon: Share = option(0.1, EXPLORING, "Share of random moves.")

    def __post_init__(self) -> None:
        check(self)


TD = Method(
    name="td",
    config=TDConfig,
    learner="othello_lab.agent.td.learner:TDLearner",
    policy="othello_lab.agent.td.learner:TDPolicy",
    line="TD(lambda) on afterstates (Sutton 1988; Tesauro 1992)",
)
