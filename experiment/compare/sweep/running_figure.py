"""The running means of several runs as a picture."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from experiment.compare.sweep.running import POINTS, Read, Running, loss, reward, running, won
from experiment.run.results.run_folder import RunFolder
from experiment.show.palette import has_bands, look
from experiment.show.titles import entitle, headline, legend_beside
from experiment.study.statistics.means import STUDENT

_MEAN = "the mean of runs that differ in the seed only"
_EXPLANATION = f"thick: {_MEAN}; thin: each of them; band: {STUDENT} over the seeds"
_MARKS = POINTS // 8
"""How far the markers of a curve are apart."""


class _Panel(NamedTuple):
    title: str
    says: str
    axis: str
    read: Read


_PANELS = (
    _Panel("Reward", "of a training game, running mean; good: up", "reward a game", reward),
    _Panel("Loss", "error of the predicted values; good: small, no jumps", "error", loss),
    _Panel("Won", "share of the training games, exploration included, running mean; good: up", "share", won),
)


def figure_of(groups: Mapping[str, Sequence[RunFolder]]) -> Figure | None:
    """Return a picture with a curve for each group of runs that differ in the seed only; None without data.

    A panel that no run has data for is left out.
    """
    shown = [panel for panel in _PANELS if any(running(runs, panel.read) for runs in groups.values())]
    if not shown:
        return None
    figure = Figure(figsize=(9, 1.0 + 2.7 * len(shown)), layout="constrained")
    for axes, panel in zip(figure.subplots(len(shown), 1, squeeze=False)[:, 0], shown, strict=True):
        _draw(axes, panel, groups)
    legend_beside(figure, _EXPLANATION if has_bands(groups) else _MEAN)
    headline(figure, "While they learned")
    return figure


def _draw(axes: Axes, panel: _Panel, groups: Mapping[str, Sequence[RunFolder]]) -> None:
    found = {name: curve for name, runs in groups.items() if (curve := running(runs, panel.read))}
    for name, curve in found.items():
        own = look(list(groups).index(name))
        (line,) = axes.plot(curve.games, curve.mean, own.dashes, color=own.colour, lw=1.8, label=name)
        line.set(marker=own.marker, markersize=4.5, markevery=_MARKS)
        if has_bands(groups):
            axes.plot(curve.games, curve.each.T, own.dashes, color=own.colour, lw=0.6, alpha=0.6)
            axes.fill_between(curve.games, curve.low, curve.high, color=own.colour, alpha=0.12, lw=0)
    _limit(axes, panel, list(found.values()))
    entitle(axes, panel.title, panel.says)
    axes.set_ylabel(panel.axis)
    axes.set_xlabel("training games")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)


def _limit(axes: Axes, panel: _Panel, curves: Sequence[Running]) -> None:
    """Show where the curves are: the bands of few seeds would leave them no room."""
    if panel.read is won:
        axes.set_ylim(-0.02, 1.02)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        return
    low = 0.0 if panel.read is loss else min(curve.each.min() for curve in curves)
    high = max(curve.each.max() for curve in curves)
    room = 0.1 * (high - low) or 1.0
    axes.set_ylim(low - room * (panel.read is not loss), high + room)
