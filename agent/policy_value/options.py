"""The options of a network with a policy and a value."""

from dataclasses import dataclass
from typing import Annotated

from othello_lab.agent.options import AtLeastOne, AtLeastZero, Positive, Schedule, Share, one_of

WEIGHTS = "network."
"""What the names of the weights that play begin with in a checkpoint."""
NO_BASE = "none"
SAMPLE = 8
"""Positions by which a network knows the evaluator again that it stands on."""


@dataclass(frozen=True)
class NetworkOptions:
    """The network, and how its weights move."""

    width: AtLeastOne = 256
    """Units of each layer."""
    blocks: AtLeastZero = 2
    """Residual blocks of two layers each."""
    base: Annotated[str, one_of(NO_BASE, "ntuple:pretrained")] = NO_BASE
    """An evaluator that the network stands on: it sees what that says of each move, and its own is added."""
    precision: Annotated[str, one_of("float32", "bfloat16")] = "float32"
    """What the network computes in: float32, or bfloat16, faster on processors that have it."""
    learning_rate: Positive = 1e-3
    """Adam's."""
    average: Share = 0.1
    """The weights that play when exploration is frozen are the mean over about this share, the last, of all
    updates. 0: those that learn play."""


def never_at_random(options: NetworkOptions) -> Schedule:
    """Return the schedule of what explores by its policy or its search alone."""
    return Schedule(epsilon_start=0.0)
