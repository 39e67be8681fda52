"""Timing: work of ours beside that of other libraries, in rounds that take turns."""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, TypeVar

from othello_lab.game.extras import how_to_install

T = TypeVar("T")

Work = Callable[[], float]
"""Does a piece of work and returns how much: leaves, games, positions."""
ROUNDS: Final = 3
OURS: Final = "othello-lab"
_MODULES: Final = {"open_spiel": "pyspiel"}
"""Name in the registry: name of the module, where the one does not say the other."""


@dataclass(frozen=True)
class Task:
    """One row of a table: work of ours and of others by name, over the time of a clock."""

    name: str
    unit: str
    ours: Work
    others: dict[str, Work] = field(default_factory=dict)
    clock: Callable[[], float] = time.thread_time

    def row(self, seconds: float) -> str:
        """Measure each contestant for this many seconds in each of the rounds; return the medians."""
        contestants = {OURS: self.ours, **self.others}
        found = in_turns(contestants, lambda work: rate(work, self.clock, seconds), ROUNDS)
        ours, *others = ((name, statistics.median(rates)) for name, rates in found.items())
        beside = "".join(f"   {name} {other:,.0f}, x{ours[1] / other:,.2f}" for name, other in others)
        return f"{self.name:28}{ours[1]:>15,.0f} {self.unit:12}{beside}".rstrip()


def table(tasks: Iterable[Task], seconds: float, *others: str) -> Iterator[str]:
    """Yield the rows of tasks, and a line for each of the other libraries that is not installed."""
    for task in tasks:
        yield task.row(seconds)
    yield from not_compared(*others)


def in_turns(
    contestants: Mapping[str, T], measure: Callable[[T], float], rounds: int
) -> dict[str, list[float]]:
    """Return the figures of each contestant in each of the rounds: a noisy machine disturbs them alike."""
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, contestant in contestants.items():
            found[name].append(measure(contestant))
    return found


def rate(work: Work, clock: Callable[[], float], seconds: float) -> float:
    """Repeat the work for at least so long and return how much of it was done in a second."""
    work()  # compiles, fills the caches
    start, done = clock(), 0.0
    while (elapsed := clock() - start) < seconds:
        done += work()
    return done / elapsed


def installed(name: str) -> Any:  # noqa: ANN401  a module without types, or None
    """Return the module of a library, by its name in the registry; None where it is not installed."""
    try:
        return import_module(_MODULES.get(name, name.replace("-", "_")))
    except ImportError:
        return None


def not_compared(*names: str) -> Iterator[str]:
    """Yield a line for each library that is not installed."""
    for name in names:
        if installed(name) is None:
            yield f"not compared with {name}: to do so, {how_to_install(name)}"
