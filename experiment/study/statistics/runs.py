"""The share of games won by runs with different seeds: the run is the unit."""

from collections.abc import Sequence

from experiment.study.statistics.means import Estimate, mean_of
from experiment.study.statistics.shares import Interval, wilson

OVER_RUNS = "95 % interval (Student's t over the seeds, at least Wilson's over all their games)"
"""What to write beside `over_runs`."""


def over_runs(shares: Sequence[float], games: Sequence[int]) -> Estimate:
    """Return the mean of the shares of at least one run, each of this many games.

    The interval holds both that of Student's t over the runs, cut off at 0 and 1, and Wilson's for all games
    together: runs that all won everything still have played few games. Of one run it is Wilson's.
    """
    mean, spread = mean_of(shares)
    drawn = wilson(mean, sum(games))
    if len(shares) == 1:
        return Estimate(mean, drawn)
    low, high = min(spread.low, drawn.low), max(spread.high, drawn.high)
    return Estimate(mean, Interval(max(0.0, low), min(1.0, high)))
