"""A learning agent's own part of a checkpoint, besides its learner's: counters, flags, randomness."""

from dataclasses import replace
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np

from agent.checkpoint import CheckpointError, Stored, generator, typed
from agent.learner import Learner, Method, Options
from agent.saved_policy import differences

C = TypeVar("C")
L = TypeVar("L", bound=Learner)
COUNTERS = ("steps", "games", "unbeaten", "done", "learning", "exploring")
"""The agent's fields that are saved as they are."""
_POLICY = {"size", "config"}
"""All values of a checkpoint that holds a policy only."""
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Saved(msgspec.Struct):
    """The agent's own values in a checkpoint that holds all that a resume needs."""

    steps: Count
    games: Count
    unbeaten: Count
    done: bool
    learning: bool
    exploring: bool
    explore: dict[str, Any]
    """The random state that moves are explored with."""


def own_values(stored: Stored) -> tuple[Saved, np.random.Generator]:
    """Return the agent's own values and what it explores with; raises CheckpointError."""
    if stored.values.keys() <= _POLICY:
        raise CheckpointError(f"{stored.path} holds a policy only: load_policy takes it")
    saved = typed(stored.path, stored.values, Saved)
    return saved, generator(stored.path, saved.explore)


def matching_config(stored: Stored, method: Method[C, L], options: Options, own: C, size: int) -> C:
    """Return the configuration of a checkpoint, if it is that of an agent with these options.

    What follows the length of the run may differ. Raises CheckpointError.
    """
    found = method.read(stored, size).config
    follow = {name: getattr(own, name) for name in method.following(options)}
    if replace(found, **follow) != own:  # type: ignore[type-var]  # a dataclass
        raise CheckpointError(f"{stored.path} is of an agent with other options: {differences(found, own)}")
    return found
