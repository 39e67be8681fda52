"""Spaces of Gymnasium as ranges of a task specification, and their values as arrays of RL-Glue, both ways."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np
from gymnasium import Space, spaces
from numpy.typing import ArrayLike, NDArray

from rlglue import taskspec
from rlglue.taskspec import Bound, Range, Special
from rlglue.types import RL_Abstract_Type


class WrongNumbersError(ValueError):
    """An action or an observation that does not have the numbers that its space asks for."""


def ranges_of(space: Space[Any]) -> taskspec.Space:
    """Return a space of numbers as the task specification tells it; raise ValueError for any other space.

    Discrete, MultiDiscrete, MultiBinary and Boxes of whole numbers are ints, other Boxes doubles.
    """
    found = _grouped(_bounds(space))
    return taskspec.Space(ints=found) if _is_whole(space) else taskspec.Space(doubles=found)


def space_of(ranges: taskspec.Space) -> Space[Any]:
    """Return ranges as a space: one int as Discrete, other ints and doubles as a Box of one dimension.

    Raises ValueError where there are both, none, or chars.
    """
    if ranges.charcount or bool(ranges.ints) == bool(ranges.doubles):
        raise ValueError(f"{str(ranges) or 'nothing'!r} is no space of ints alone or of doubles alone")
    single = ranges.ints[0] if ranges.int_count == 1 else None
    if single and isinstance(single.low, int) and isinstance(single.high, int):
        return spaces.Discrete(single.high - single.low + 1, start=single.low)
    numbers = [item for item in ranges.ints or ranges.doubles for _ in range(item.count)]
    dtype = np.int32 if ranges.ints else np.float64
    return spaces.Box(_limits(numbers, -1, dtype), _limits(numbers, 1, dtype), dtype=dtype)


def write(value: ArrayLike, space: Space[Any], into: RL_Abstract_Type) -> None:
    """Put a value of a space into an action or an observation."""
    numbers = np.asarray(value).ravel()
    if _is_whole(space):
        into.intArray = numbers.astype(np.int32)
    else:
        into.doubleArray = numbers.astype(np.float64)


def read(source: RL_Abstract_Type, space: Space[Any]) -> Any:  # noqa: ANN401  whatever is in the space
    """Return the value of a space that an action or an observation holds.

    Raises WrongNumbersError for another count of numbers, and for whole ones that are not in the space.
    """
    numbers: NDArray[Any] = np.asarray(source.intArray if _is_whole(space) else source.doubleArray)
    shape, dtype = space.shape or (), space.dtype
    if numbers.size != np.prod(shape, dtype=int):
        raise WrongNumbersError(f"there are {numbers.size} numbers in {source}, expected those of {space}")
    value = numbers.reshape(shape).astype(dtype)
    if _is_whole(space) and not space.contains(value):
        raise WrongNumbersError(f"{numbers.tolist()} is not in {space}")
    return dtype.type(value) if isinstance(space, spaces.Discrete) and dtype else value


def _bounds(space: Space[Any]) -> Iterable[tuple[float, float]]:
    """Return the lowest and the highest value of each number of a space."""
    if isinstance(space, spaces.Discrete):
        return [(int(space.start), int(space.start + space.n - 1))]
    if isinstance(space, spaces.MultiDiscrete):
        first = space.start.ravel()
        return zip(first.tolist(), (first + space.nvec.ravel() - 1).tolist(), strict=True)
    if isinstance(space, spaces.MultiBinary):
        return [(0, 1)] * int(np.prod(space.shape))
    if isinstance(space, spaces.Box):
        return zip(space.low.ravel().tolist(), space.high.ravel().tolist(), strict=True)
    raise ValueError(
        f"RL-Glue cannot tell of {space}: expected Discrete, MultiDiscrete, MultiBinary or Box, such as from "
        "gymnasium.wrappers.FlattenObservation"
    )


def _is_whole(space: Space[Any]) -> bool:
    return not (isinstance(space, spaces.Box) and space.dtype.kind == "f")


def _grouped(bounds: Iterable[tuple[float, float]]) -> tuple[Range, ...]:
    """Return one range for equal bounds that follow each other."""
    return tuple(Range(_bound(low), _bound(high), len([*equal])) for (low, high), equal in groupby(bounds))


def _bound(number: float) -> Bound:
    if np.isinf(number):
        return Special.POSINF if number > 0 else Special.NEGINF
    return number


def _limits(numbers: list[Range], side: int, dtype: type[np.generic]) -> NDArray[Any]:
    """Return the lower (-1) or upper (1) bounds; without one it is infinite, or the widest of an int."""
    widest = float(np.iinfo(np.int32).max) if dtype is np.int32 else np.inf
    bounds = [item.low if side < 0 else item.high for item in numbers]
    return np.array([side * widest if isinstance(bound, Special) else bound for bound in bounds], dtype)
