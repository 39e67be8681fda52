"""The plot of a run's end: how the agent does against everybody that it was measured with."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from experiment.run.episodes.outcomes import Tally
from experiment.run.evaluation.opponents import FROM_OPENINGS
from experiment.run.evaluation.result import Evaluation, by_opponent, total
from experiment.show.headline import is_held_out, result_name
from experiment.show.lanes import Lane, draw_lanes
from experiment.show.palette import look
from experiment.show.titles import entitle
from experiment.study.statistics.shares import WILSON, wilson


class Final(NamedTuple):
    """What came out against one opponent: all colours together."""

    name: str
    tally: Tally
    held_out: bool
    """Whether it was never met in training."""
    place: int
    """Its place among the opponents, by which it has its colour: those with a curve come first."""

    @property
    def lane(self) -> Lane:
        """It as a line of the plot."""
        share = self.tally.win_rate
        interval = wilson(share, self.tally.games)
        return Lane(self.name, f"{share:.0%}", share, interval, look(self.place), self.held_out)


def finals_of(evaluations: Sequence[Evaluation], config: Mapping[str, Any]) -> list[Final]:
    """Return the results of the last evaluation, by opponent."""
    last = max((result.episode for result in evaluations), default=0)
    names = _opponents(evaluations)
    own = by_opponent(result for result in evaluations if result.episode == last)
    return [
        Final(
            result_name(opponent, config),
            total(results),
            is_held_out(opponent, config),
            names.index(opponent.removesuffix(FROM_OPENINGS)),
        )
        for opponent, results in own.items()
    ]


def _opponents(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return everybody that a run was evaluated with, those with a curve along the run first."""
    names = sorted((result.opponent for result in evaluations), key=lambda name: name.endswith(FROM_OPENINGS))
    return list(dict.fromkeys(name.removesuffix(FROM_OPENINGS) for name in names))


def draw_finals(axes: Axes, finals: Sequence[Final], after: int) -> None:
    """Draw a lane for each: the share won and its interval."""
    draw_lanes(axes, [final.lane for final in finals])
    axes.set_xlim(-0.03, 1.03)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("share of games won")
    says = f"without learning and exploration; {WILSON}; hollow: never met in training; good: right"
    entitle(axes, f"After {after:,} games", says)
