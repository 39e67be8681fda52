"""The interquartile mean of learners that were judged on several tasks, and its stratified bootstrap.

Agarwal, Schwarzer, Castro, Courville and Bellemare, "Deep reinforcement learning at the edge of the
statistical precipice", NeurIPS 2021, sections 4.1 and 4.3. Runs are seeds here, tasks are opponents.
"""

from math import inf

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.study.statistics.intervals import Estimate, Interval

SAMPLES = 5000
"""Times that the seeds are drawn anew."""
STRATIFIED = "95 % interval (stratified bootstrap: the seeds drawn anew for each opponent)"
"""What to write beside `interquartile_mean`."""


def interquartile_mean(scores: NDArray[np.float64], seed: int = 0) -> Estimate:
    """Return the mean of the middle half of the scores, [seeds, opponents], and its interval.

    `seed` is of what the bootstrap draws: the same scores have the same interval. One seed says nothing about
    others: an interval without end.
    """
    found = float(middle_mean(scores.ravel()))
    if len(scores) == 1:
        return Estimate(found, Interval(-inf, inf))
    rng = np.random.default_rng(seed)
    drawn = rng.integers(len(scores), size=(SAMPLES, *scores.shape))  # [samples, seeds, opponents]
    samples = np.take_along_axis(scores[None], drawn, axis=1)
    low, high = np.percentile(middle_mean(samples.reshape(SAMPLES, -1)), (2.5, 97.5))
    return Estimate(found, Interval(float(low), float(high)))


def middle_mean(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of the last axis without the lowest and the highest quarter of it, rounded down."""
    cut, count = scores.shape[-1] // 4, scores.shape[-1]
    middle: NDArray[np.float64] = np.sort(scores, axis=-1)[..., cut : count - cut].mean(axis=-1)
    return middle
