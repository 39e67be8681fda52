"""The scores of kept policies as a picture: a panel for each opponent."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from experiment.compare.sweep.policies import PER_POLICY, PolicyResult, by_opponent, scores
from experiment.show.palette import look
from experiment.show.titles import entitle, headline, legend_beside

_COLUMNS = 2


def figure_of(results: Sequence[PolicyResult]) -> Figure:
    """Return the picture of at least one result."""
    panels = by_opponent(results)
    groups = list(dict.fromkeys(result.policy.group for result in results))
    columns = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(5.2 * columns, 0.8 + 3.2 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).flat
    for own, (opponent, played) in zip(axes, panels.items(), strict=False):
        _draw(own, opponent, played, groups)
    for empty in list(axes)[len(panels) :]:
        empty.set_visible(False)
    legend_beside(figure, PER_POLICY)
    headline(figure, "What was learned, checkpoint by checkpoint")
    return figure


def _draw(axes: Axes, opponent: str, results: Sequence[PolicyResult], groups: Sequence[str]) -> None:
    for place, group in enumerate(groups):
        curve, own = scores(result for result in results if result.policy.group == group), look(place)
        values = [found.value for found in curve.values()]
        below = [found.value - found.interval.low for found in curve.values()]
        above = [found.interval.high - found.value for found in curve.values()]
        axes.errorbar(
            list(curve),
            values,
            yerr=[below, above],
            fmt=own.marker + own.dashes,
            color=own.colour,
            lw=1.3,
            ms=5,
            capsize=2,
            label=group,
        )
    entitle(axes, f"Against {opponent}", "wins and half the draws, frozen, from the openings; good: up")
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("score")
    axes.set_xlabel("training games")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)
