"""The options of TD(lambda), and its `Method`."""

from dataclasses import dataclass
from typing import Literal

from othello_lab.agent.learner import Method
from othello_lab.agent.options import AtLeastOne, Layers, Positive, Share, option


@dataclass(frozen=True)
class TDConfig:
    """The options of a TD agent."""

    network: Literal["mlp", "conv"] = option(
        "mlp",
        "Network",
        "mlp: fully connected layers; conv: two 3x3 convolutions and a fully connected layer, with ReLU.",
    )
    hidden: Layers = option((128,), "Network", "mlp: units of each hidden layer.")
    units: Literal["sigmoid", "tanh", "relu"] = option(
        "relu", "Network", "mlp: activation of the hidden units: sigmoid, tanh or relu."
    )
    channels: AtLeastOne = option(32, "Network", "conv: channels of each convolution.")
    dense: AtLeastOne = option(64, "Network", "conv: units of the fully connected layer.")
    output: Literal["sigmoid", "tanh"] = option(
        "tanh",
        "Network",
        "tanh: the expected result, from -1 to 1; sigmoid: the chance to win, from 0 to 1, a draw is 0.5.",
    )
    # Learning game by game
    lam: Share = option(0.9, "Learning", "Lambda: how slowly the trace of earlier predictions decays.")
    learning_rate: Positive = option(
        0.01, "Learning", "Alpha, game by game: the step along the trace, in units of the output."
    )
    gamma: Share = option(1.0, "Learning", "Discount from one decision to the next.")
    cut: bool = option(
        True,
        "Learning",
        "Reset the trace at a move that is not the best: later rewards are no evidence for earlier moves. "
        "Self-play always does.",
    )
    # Learning from many games at once
    batch: AtLeastOne = option(64, "Self-play", "Afterstates of an update.")
    batch_rate: Positive = option(2e-3, "Self-play", "Step size of Adam.")
    symmetries: bool = option(
        True, "Self-play", "Learn each afterstate under a random one of the 8 symmetries of the board."
    )
    epsilon: Share = option(0.1, "Exploring", "Share of random moves.")


TD = Method(
    name="td",
    config=TDConfig,
    learner="othello_lab.agent.td.learner:TDLearner",
    policy="othello_lab.agent.td.learner:TDPolicy",
    line="TD(lambda) on afterstates (Sutton 1988; Tesauro 1992)",
)
