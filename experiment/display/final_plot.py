"""The plot of a run's end: how the agent does against everybody that it was measured with."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from experiment.display.headline import is_held_out, result_name
from experiment.display.palette import entitle, look
from experiment.episodes.outcomes import Tally
from experiment.evaluation.result import Evaluation, by_opponent, total
from experiment.statistics.shares import WILSON, wilson

_LONGEST_NAME = 26


class Final(NamedTuple):
    """One row of the plot: all colours together."""

    name: str
    tally: Tally
    held_out: bool
    """Whether it was never met in training."""


def finals_of(evaluations: Sequence[Evaluation], config: Mapping[str, Any]) -> list[Final]:
    """Return the results of the last evaluation, by opponent."""
    last = max((result.episode for result in evaluations), default=0)
    own = by_opponent(result for result in evaluations if result.episode == last)
    return [
        Final(result_name(opponent, config, _LONGEST_NAME), total(results), is_held_out(opponent, config))
        for opponent, results in own.items()
    ]


def draw_finals(axes: Axes, finals: Sequence[Final], after: int) -> None:
    """Draw a row for each: the share won, its interval and the number."""
    for line, (_, tally, held_out) in enumerate(finals):
        style = look(0 if held_out else 1)
        low, high = wilson(tally.win_rate, tally.games)
        axes.plot([low, high], [line, line], "-", color=style.colour, lw=1.6)
        face = "white" if held_out else style.colour
        axes.plot([tally.win_rate], [line], style.marker, color=style.colour, mfc=face, ms=6)
        axes.annotate(
            f"{tally.win_rate:.0%}",
            (tally.win_rate, line),
            (0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set_yticks(range(len(finals)), [final.name for final in finals], fontsize=8.5)
    axes.set_ylim(len(finals) - 0.5, -0.7)
    axes.set_xlim(-0.03, 1.03)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("share of games won")
    axes.tick_params(axis="y", length=0)
    axes.grid(alpha=0.25)
    entitle(
        axes,
        f"After {after:,} games",
        f"without learning and exploration;\n{WILSON}; good: right",
    )
