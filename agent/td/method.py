"""A TD agent's options, and its method in the catalogue."""

from dataclasses import dataclass
from typing import Annotated, Any

from othello_lab.agent.learner import Method
from othello_lab.agent.options import AtLeastOne, Layers, Positive, Share, check, one_of


@dataclass(frozen=True)
class TDConfig:
    """One frozen value per knob."""

    # The network
    network: Annotated[str, one_of("mlp", "conv")] = "mlp"
    """mlp, or conv: two layers of 3x3 convolutions and a fully connected one, with ReLU."""
    hidden: Layers = (128,)
    """mlp: units of each hidden layer."""
    units: Annotated[str, one_of("sigmoid", "tanh", "relu")] = "relu"
    """mlp: what the hidden units do: sigmoid, tanh or relu."""
    channels: AtLeastOne = 32
    """conv: planes of each convolution."""
    dense: AtLeastOne = 64
    """conv: units of the fully connected layer."""
    output: Annotated[str, one_of("sigmoid", "tanh")] = "tanh"
    """sigmoid: the network says the chance to win, from 0 to 1, and a draw is half of it;
    tanh: the expected result, from -1 to 1."""
    # Learning game by game
    lam: Share = 0.9
    """Lambda: how much of an error the predictions before it take, the less the older they are."""
    learning_rate: Positive = 0.01
    """Alpha: the step along the trace, in the units of the output."""
    gamma: Share = 1.0
    """Discount from one decision to the next."""
    cut: bool = True
    """Forget the trace at a move that is not the best: what follows says nothing of the moves before it.
    Games played by the thousand are always cut there."""
    # Learning from many games at once
    batch: AtLeastOne = 64
    """Afterstates of a step."""
    batch_rate: Positive = 2e-3
    """Learning rate of Adam."""
    symmetries: bool = True
    """Look at each afterstate under one of the 8 symmetries of the board, drawn anew each time."""
    # Exploration
    epsilon: Share = 0.1
    """Share of random moves."""

    def __post_init__(self) -> None:
        check(self)


TD: Method[TDConfig, Any] = Method(
    name="td",
    config=TDConfig,
    learner="othello_lab.agent.td.learner:TDLearner",
    policy="othello_lab.agent.td.learner:TDPolicy",
)
"""TD(lambda) on afterstates."""
