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
        "mlp: fully connected layers. conv: two 3x3 convolutions and a fully connected layer, with ReLU.",
    )
    hidden: Layers = option((128,), "Network", "Number of units in each hidden layer of mlp.")
    units: Literal["sigmoid", "tanh", "relu"] = option(
        "relu", "Network", "Activation function of the hidden units of mlp: sigmoid, tanh or relu."
    )
    channels: AtLeastOne = option(32, "Network", "Number of channels of each convolution of conv.")
    dense: AtLeastOne = option(64, "Network", "Number of units in the fully connected layer of conv.")
    output: Literal["sigmoid", "tanh"] = option(
        "tanh",
        "Network",
        "tanh: the output is the expected result, from -1 to 1. sigmoid: the output is the probability of "
        "a win, from 0 to 1, and a draw counts 0.5.",
    )
    # Learning game by game
    lam: Share = option(0.9, "Learning", "Lambda, the decay of the eligibility traces. 0 is TD(0).")
    learning_rate: Positive = option(
        0.01, "Learning", "Step size (alpha) of learning game by game, in units of the output."
    )
    gamma: Share = option(1.0, "Learning", "Discount factor from one decision to the next.")
    cut: bool = option(
        True,
        "Learning",
        "Reset the traces at a move that is not the best, because later rewards say nothing about earlier "
        "moves. Self-play always does this.",
    )
    # Learning from many games at once
    batch: AtLeastOne = option(64, "Self-play", "Number of afterstates in an update.")
    batch_rate: Positive = option(2e-3, "Self-play", "Step size of Adam.")
    symmetries: bool = option(
        True, "Self-play", "Apply a random one of the board's 8 symmetries to each afterstate of an update."
    )
    epsilon: Share = option(0.1, "Exploring", "Probability of a random move.")


TD = Method(
    name="td",
    config=TDConfig,
    learner="othello_lab.agent.td.learner:TDLearner",
    policy="othello_lab.agent.td.learner:TDPolicy",
    line="TD(lambda) on afterstates (Sutton 1988; Tesauro 1992)",
)
