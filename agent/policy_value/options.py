"""The options of a policy-value network, and its base, an evaluator that the network corrects."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from othello_lab.agent.learner import Options
from othello_lab.agent.options import AtLeastOne, Blocks, Positive, Schedule, Share, option, read_options
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.registry import RegistryError

NO_BASE: Final = "none"


@dataclass(frozen=True)
class NetworkOptions:
    """The options of the network and its updates."""

    width: AtLeastOne = option(256, "Network", "Number of units in each layer.")
    blocks: Blocks = option(2, "Network", "Number of residual blocks. Each block has two layers.")
    base: Literal["none", "ntuple:pretrained"] = option(
        NO_BASE,
        "Network",
        "An evaluator whose values the network sees and corrects: ntuple:pretrained, or none.",
    )
    precision: Literal["float32", "bfloat16"] = option(
        "float32",
        "Network",
        "Number format of the network's matrix products: float32, or bfloat16, which is faster on "
        "processors that support it.",
    )
    learning_rate: Positive = option(1e-3, "Learning", "Step size of Adam.")
    average: Share = option(
        0.1,
        "Learning",
        "When exploring is off, the mean of the weights over the last updates plays. This option is the "
        "share of all updates in this mean. 0: the latest weights play.",
    )


C = TypeVar("C", bound=NetworkOptions)


def configured(name: str, defaults: C, options: Options, size: int, episodes: int | None = None) -> C:
    """Return a copy of `defaults` with the options from key=value texts. Raises ValueError."""
    config = replace(defaults, **read_options(name, type(defaults), options))
    make_base(config, size)
    return config


def never_at_random(options: NetworkOptions) -> Schedule:
    """Return a schedule without random moves. The learner's policy or search explores instead."""
    return Schedule(epsilon_start=0.0)


def make_base(options: NetworkOptions, size: int) -> Evaluator | None:
    """Return the base that the options name, or None. Raises ValueError for an unsupported board size."""
    try:
        return None if options.base == NO_BASE else make_evaluator(options.base, size)
    except RegistryError as error:
        raise ValueError(f"base={options.base}: {error}") from None
