"""A learner in a checkpoint: a policy that fits its configuration, and an agent's counters and randomness."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec
import numpy as np

from othello_lab.agent.checkpoint import (
    Arrays,
    CheckpointError,
    Forms,
    Stored,
    check_arrays,
    forms_of,
    generator,
    typed,
)

C = TypeVar("C")
_MEANING = ("units", "output")
"""Options that leave the arrays of a network as they are, and change what it says."""


class SavedPolicy(NamedTuple, Generic[C]):
    """The policy of a checkpoint, whose arrays are those that its configuration describes."""

    path: Path
    size: int
    """Of the board."""
    config: C
    arrays: Arrays
    """Those of the policy alone, by their names in the checkpoint."""

    def check_fits(self, own: C, arrays: Arrays) -> None:
        """Raise CheckpointError unless the arrays have the form of these, which `own` describes, and mean the
        same.
        """
        saved, ours = ([getattr(config, name, None) for name in _MEANING] for config in (self.config, own))
        if forms_of(self.arrays) != forms_of(arrays) or saved != ours:
            raise self.refusal(own)

    def refusal(self, own: C) -> CheckpointError:
        """Return the error that says how this policy differs from what `own` describes."""
        return CheckpointError(f"{self.path} holds another network: {differences(self.config, own)}")


class Identity(msgspec.Struct):
    """The values that every checkpoint of a learner has."""

    size: int
    config: dict[str, Any]


def config_of(stored: Stored, size: int, form: type[C]) -> C:
    """Return the configuration of a checkpoint, of that dataclass, if it is for boards of `size`.

    Raises CheckpointError.
    """
    found = typed(stored.path, stored.values, Identity)
    if found.size != size:
        made = f"{found.size}x{found.size}"
        raise CheckpointError(
            f"{stored.path} is for {made} boards, this game is {size}x{size}: use the same --size"
        )
    names = {field.name for field in fields(form)}  # type: ignore[arg-type]  # a dataclass
    if unknown := sorted(found.config.keys() - names):
        raise CheckpointError(
            f"{stored.path} does not fit this version: {stored.kind} has no option {unknown[0][:40]!r}"
        )
    return typed(stored.path, found.config, form)


def arrays_of(stored: Stored, prefix: str, describe: Callable[[Arrays], Forms | None]) -> Arrays:
    """Return the arrays of a checkpoint whose names begin with a prefix; raises CheckpointError.

    They must be exactly those that `describe` returns; it is given those that there are. A shipped network
    is stored as halves, to be small, and returned as float32.
    """
    held = {name: array for name, array in stored.arrays.items() if name.startswith(prefix)}
    found = {name: a.astype(np.float32) if a.dtype == np.float16 else a for name, a in held.items()}
    try:
        forms = describe(found)
    except ValueError as error:
        raise CheckpointError(f"{stored.path} does not fit this version: {error}") from None
    if forms is None:
        raise CheckpointError(f"{stored.path} does not hold the network that it describes")
    check_arrays(stored.path, found, forms)
    return found


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


COUNTERS = tuple(name for name in Saved.__struct_fields__ if name != "explore")
"""The agent's fields that are saved as they are."""
_POLICY = {"size", "config"}
"""All values of a checkpoint that holds a policy only."""


def own_values(stored: Stored) -> tuple[Saved, np.random.Generator]:
    """Return the agent's own values and what it explores with; raises CheckpointError."""
    if stored.values.keys() <= _POLICY:
        raise CheckpointError(f"{stored.path} holds a policy only: load_policy takes it")
    saved = typed(stored.path, stored.values, Saved)
    return saved, generator(stored.path, saved.explore)


def check_config(path: Path, found: C, own: C, following: Iterable[str]) -> None:
    """Raise CheckpointError if a configuration of a checkpoint is not the agent's own.

    What follows the length of the run may differ.
    """
    follow = {name: getattr(own, name) for name in following}
    if replace(found, **follow) != own:  # type: ignore[type-var]  # a dataclass
        raise CheckpointError(f"{path} is of an agent with other options: {differences(found, own)}")


def differences(found: Any, own: Any) -> str:  # noqa: ANN401  two configurations of one method
    """Say which options differ, and how."""
    theirs, ours = asdict(found), asdict(own)
    return ", ".join(f"{key}={theirs[key]}, here {ours[key]}" for key in ours if theirs[key] != ours[key])
