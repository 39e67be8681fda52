"""Every value of a TD agent."""

from dataclasses import dataclass

from agent.ranges import check_layers, check_ranges, check_words

CHOICES = {
    "network": ("mlp", "conv"),
    "units": ("sigmoid", "tanh", "relu"),
    "output": ("sigmoid", "tanh"),
}
"""The values of the options that take a word."""
_AT_LEAST_ONE = ("channels", "dense", "batch")
_SHARES = ("lam", "gamma", "epsilon")
_RATES = ("learning_rate", "batch_rate")


@dataclass(frozen=True)
class TDConfig:
    """One frozen value per knob."""

    # The network
    network: str = "mlp"
    """mlp, or conv: two layers of 3x3 convolutions and a fully connected one, with ReLU."""
    hidden: tuple[int, ...] = (128,)
    """mlp: units of each hidden layer."""
    units: str = "relu"
    """mlp: what the hidden units do: sigmoid, tanh or relu."""
    channels: int = 32
    """conv: planes of each convolution."""
    dense: int = 64
    """conv: units of the fully connected layer."""
    output: str = "tanh"
    """sigmoid: the network says the chance to win, from 0 to 1, and a draw is half of it;
    tanh: the expected result, from -1 to 1."""
    # Learning game by game
    lam: float = 0.9
    """Lambda: how much of an error the predictions before it take, the less the older they are."""
    learning_rate: float = 0.01
    """Alpha: the step along the trace, in the units of the output."""
    gamma: float = 1.0
    """Discount from one decision to the next."""
    cut: bool = True
    """Forget the trace at a move that is not the best: what follows says nothing of the moves before it.
    Games played by the thousand are always cut there."""
    # Learning from many games at once
    batch: int = 64
    """Afterstates of a step."""
    batch_rate: float = 2e-3
    """Learning rate of Adam."""
    symmetries: bool = True
    """Look at each afterstate under one of the 8 symmetries of the board, drawn anew each time."""
    # Exploration
    epsilon: float = 0.1
    """Share of random moves."""

    def __post_init__(self) -> None:
        check_words(self, CHOICES)
        check_ranges(self, at_least_one=_AT_LEAST_ONE, shares=_SHARES, above_zero=_RATES)
        check_layers(self.hidden)
