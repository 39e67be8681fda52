"""Training itself as running means: the reward of a game, the loss, the share that was won."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from experiment.run.episodes.outcomes import Episode, Outcome
from experiment.run.evaluation.opponents import SELF
from experiment.run.record import known
from experiment.run.results.run_folder import RunFolder
from experiment.show.run_files import Curve, curves_of, running_mean, running_rate, window_of
from experiment.study.statistics.intervals import mean_of

POINTS = 300
"""Of a curve."""
Floats: TypeAlias = NDArray[np.float64]
Read: TypeAlias = Callable[[RunFolder], Curve | None]
"""Reads a curve of one run; None if it has none."""


class Running(NamedTuple):
    """The mean of some runs along their training. Each float [points]."""

    games: Floats
    """Training games that were over."""
    mean: Floats
    low: Floats
    high: Floats
    """Where the mean may truly be; the mean itself where there is one run only."""
    each: Floats
    """The runs themselves, [runs, points]."""


def reward(folder: RunFolder) -> Curve | None:
    """Return the running mean of the reward of a game; None for a run against itself."""
    return _of_episodes(folder, lambda games, window: running_mean([game.reward for game in games], window))


def won(folder: RunFolder) -> Curve | None:
    """Return the running share of training games that were won; None for a run against itself."""
    return _of_episodes(folder, lambda games, window: running_rate(games, {Outcome.WIN}, window))


def loss(folder: RunFolder) -> Curve | None:
    """Return the learner's loss as it told it."""
    return curves_of(folder.metrics()).get("loss")


def _of_episodes(folder: RunFolder, smooth: Callable[[Sequence[Episode], int], Floats]) -> Curve | None:
    itself = known(folder.config()).environment_stats.opponent == SELF
    games = [] if itself else folder.episodes()
    if not games:
        return None
    window = window_of(len(games))
    first = min(window, len(games)) // 5  # the windows before hold too few games to say anything
    return [game.index for game in games][first:], smooth(games, window).tolist()[first:]


def running(folders: Sequence[RunFolder], read: Read) -> Running | None:
    """Return the mean of the runs that have such a curve, to where the first of them ends; None without."""
    curves = [curve for curve in map(read, folders) if curve]
    if not curves:
        return None
    first, last = max(games[0] for games, _ in curves), min(games[-1] for games, _ in curves)
    games = np.linspace(first, max(first, last), POINTS)
    values = np.array([np.interp(games, *curve) for curve in curves])  # [runs, points]
    return Running(games, *_mean_and_interval(values), values)


def _mean_and_interval(values: Floats) -> tuple[Floats, Floats, Floats]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    found = [mean_of(column) for column in values.T.tolist()]
    low, high = np.array([each.interval for each in found]).T
    return np.array([each.value for each in found]), low, high
