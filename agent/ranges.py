"""The ranges of a configuration's options, each of which says in a line what it expects."""

import math
from collections.abc import Callable, Iterable, Mapping

_Fits = Callable[[float], bool]


def check_words(config: object, words: Mapping[str, tuple[str, ...]]) -> None:
    """Raise ValueError unless each of these fields is one of its words, two or more."""
    for name, allowed in words.items():
        if getattr(config, name) not in allowed:
            listed = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
            raise ValueError(f"{name} is {getattr(config, name)!r}, expected {listed}")


def check_ranges(
    config: object,
    at_least_one: Iterable[str] = (),
    at_least_zero: Iterable[str] = (),
    shares: Iterable[str] = (),
    above_zero: Iterable[str] = (),
) -> None:
    """Raise ValueError unless the fields of these names are in range, or None."""
    _check(config, at_least_one, lambda value: value >= 1, "1 or more")
    _check(config, at_least_zero, lambda value: 0 <= value < math.inf, "0 or more")
    _check(config, shares, lambda value: 0 <= value <= 1, "0 to 1")
    _check(config, above_zero, lambda value: 0 < value < math.inf, "a number above 0")


def _check(config: object, names: Iterable[str], fits: _Fits, expected: str) -> None:
    for name in names:
        value = getattr(config, name)
        if value is not None and not fits(value):
            raise ValueError(f"{name} is {value}, expected {expected}")


def check_layers(hidden: tuple[int, ...]) -> None:
    """Raise ValueError for the option `hidden` with a layer that has no units."""
    if min(hidden, default=1) < 1:
        raise ValueError(f"hidden is {list(hidden)}, expected layers of 1 or more units")
