"""The limits and the report of a search."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from othello_lab.game.search.textbook import DEEPEST
from othello_lab.game.values import WON


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search for one move."""

    depth: int = DEEPEST  # The maximum depth in plies.
    # The time limit. None means no limit, with which the same seed gives the same move.
    seconds: float | None = None
    # The number of empty squares at which the solver takes over. None means ENDGAME or more.
    endgame: int | None = None
    # The maximum number of positions visited before the solver takes over. None means no limit.
    nodes: int | None = None
    # The maximum number of new simulations of a tree search. None means no limit.
    simulations: int | None = None
    # Whether to cut branches with ProbCut, if the evaluator has predictions.
    probcut: bool = True
    # The memory of the tree or of the transposition table in MiB. The solver has a second table.
    hash_mib: int = 16


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a search."""

    move: int  # A square, or PASS if the side to move must pass.
    # The value for the side to move, in discs if solved, or an evaluation from -1e9 (lost) to 1e9.
    value: float
    depth: int  # The depth in plies of the last complete search.
    solved: bool  # Whether the move and the value are exact.
    variation: tuple[int, ...]  # The known part of the principal variation, which begins with `move`.
    nodes: int
    seconds: float

    @property
    def on_one_scale(self) -> float:
        """The value as an evaluation, which is WON, 0 or -WON if solved."""
        return float(WON * np.sign(self.value)) if self.solved else self.value


@contextmanager
def alarm(seconds: float | None, started: float, stop: Callable[[], None]) -> Iterator[None]:
    """Return a context manager that calls `stop` in a timer thread `seconds` after `started`."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(max(0.0, started + seconds - time.perf_counter()), stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
