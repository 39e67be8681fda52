"""The options of a policy-value network, and the evaluator that such a network may stand on."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, CheckpointError, SavedPolicy
from othello_lab.agent.learner import Options
from othello_lab.agent.options import (
    LEARNING,
    NETWORK,
    AtLeastOne,
    AtLeastZero,
    Positive,
    Schedule,
    Share,
    one_of,
    option,
    read_options,
)
from othello_lab.agent.policy import move_values
from othello_lab.game.batch.games import legal_moves, planes, to_mask
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.catalogue import make_evaluator
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.openings import standard_openings
from othello_lab.game.registry import RegistryError

WEIGHTS = "network."
"""What the names of the weights that play begin with in a checkpoint."""
NO_BASE = "none"
SAMPLE = 8
"""Positions by which a network knows the evaluator again that it stands on."""


@dataclass(frozen=True)
class NetworkOptions:
    """The network, and how its weights move."""

    width: AtLeastOne = option(256, NETWORK, "Units of each layer.")
    blocks: AtLeastZero = option(2, NETWORK, "Residual blocks of two layers each.")
    base: Annotated[str, one_of(NO_BASE, "ntuple:pretrained")] = option(
        NO_BASE,
        NETWORK,
        "none, or ntuple:pretrained: the network sees this evaluator's values and adds a correction to them.",
    )
    precision: Annotated[str, one_of("float32", "bfloat16")] = option(
        "float32",
        NETWORK,
        "Numbers in the network's products: float32, or bfloat16, faster on processors that have it.",
    )
    learning_rate: Positive = option(1e-3, LEARNING, "Step size of Adam.")
    average: Share = option(
        0.1,
        LEARNING,
        "Share of all updates, the last, over which weights are averaged: the mean plays when exploring is "
        "off. 0: the latest weights play.",
    )


_ROUNDING = 0.01
"""A shipped network keeps its sample as halves."""


C = TypeVar("C", bound=NetworkOptions)


def configured(name: str, defaults: C, options: Options, size: int) -> C:
    """Return the options of a method by its name, those in texts in place of defaults; raises ValueError."""
    config = replace(defaults, **read_options(name, type(defaults), options))
    make_base(config, size)
    return config


def never_at_random(options: NetworkOptions) -> Schedule:
    """Return the schedule of a learner that explores by its policy or its search alone."""
    return Schedule(epsilon_start=0.0)


def make_base(options: NetworkOptions, size: int) -> Evaluator | None:
    """Return the evaluator that networks with these options stand on, None for none.

    Raises ValueError where there is none for boards of the size.
    """
    try:
        return None if options.base == NO_BASE else make_evaluator(options.base, size)
    except RegistryError as error:
        raise ValueError(f"base={options.base}: {error}") from None


def seen(positions: Positions, base: Evaluator | None) -> NDArray[np.float32]:
    """Return what a network is shown: the planes of an observation, [n, 4, squares].

    With a base a fifth has what that says each legal move is worth, -1 to 1.
    """
    found = planes(positions, np.float32).reshape(len(positions), 4, -1)
    if base is None:
        return found
    worths = np.zeros((len(positions), 1, positions.size**2), np.float32)
    worths[to_mask(legal_moves(positions), positions.size)[:, None]] = move_values(positions, base)
    return np.concatenate([found, worths], axis=1)


def sample_of(base: Evaluator, size: int) -> NDArray[np.float32]:
    """Return what a base says of a few positions, [SAMPLE]: a network keeps it, to know its base again."""
    boards = [Game.from_transcript(line, size).board for line in standard_openings(size, SAMPLE)]
    return base.values(Positions.of(boards)).astype(np.float32)


def base_of(saved: SavedPolicy[C]) -> Evaluator | None:
    """Return the evaluator that a saved network stands on, None for none.

    Raises CheckpointError if that name now means another evaluator.
    """
    base = make_base(saved.config, saved.size)
    if base is not None:
        check_sample(saved.path, saved.arrays, base, saved.size)
    return base


def check_sample(path: Path, arrays: Arrays, base: Evaluator, size: int) -> None:
    """Raise CheckpointError if the network in a file stood on another evaluator than this."""
    if np.abs(arrays[f"{WEIGHTS}sample"] - sample_of(base, size)).max() > _ROUNDING:
        raise CheckpointError(f"{path} stands on another network than the one that ships now: train it anew")
