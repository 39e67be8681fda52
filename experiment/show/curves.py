"""Curves of a run, taken from its files."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from experiment.run.episodes.outcomes import Episode, Outcome

WINDOW = 100
"""Training games of the running rates, at least: see `window_of`."""
MEANS = 300
"""This many points has a curve of the learner's numbers; where there are more numbers, they are means."""

POOL = "pool "
"""What the numbers of training opponents begin with in metrics.jsonl."""
_OF_UPDATES = (
    *("loss", "q_mean", "target_gap", "q_legal", "q_illegal"),
    *("steps_per_second", "updates_per_second"),
)
"""Before the learner's first update there is nothing to say of these."""

Curve = tuple[list[int], list[float]]
"""Episodes and values."""


def running_rate(episodes: Sequence[Episode], wanted: set[Outcome], window: int) -> NDArray[np.float64]:
    """Return the share of wanted outcomes in the window that ends at each episode, float [episodes].

    The first windows are as long as there are episodes.
    """
    return running_mean([episode.outcome in wanted for episode in episodes], window)


def running_mean(values: ArrayLike, window: int) -> NDArray[np.float64]:
    """Return the mean of the window that ends at each value, float [n]; the first windows are shorter."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(sums))
    begins = np.maximum(ends - window, 0)
    averages: NDArray[np.float64] = (sums[ends] - sums[begins]) / (ends - begins)
    return averages


def window_of(games: int) -> int:
    """Return how many training games a running rate is taken over, in a run of this many."""
    return max(WINDOW, games // 100)


def curves_of(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Curve]:
    """Return the numbers of metrics.jsonl by name; what is missing or no finite number is left out."""
    curves: dict[str, Curve] = {}
    for record in metrics:
        told = record.get("agent") or {}
        silent = () if told.get("updates", 1) else _OF_UPDATES
        for name, value in {**record, **told}.items():
            if isinstance(value, int | float) and isfinite(value) and name not in silent:
                episodes, values = curves.setdefault(name, ([], []))
                episodes.append(int(record["episode"]))
                values.append(float(value))
    return curves


def means(column: Sequence[float]) -> NDArray[np.float64]:
    """Return a column as it is, or as MEANS means of neighbours if it is longer."""
    return np.array([part.mean() for part in np.array_split(column, min(len(column), MEANS))])
