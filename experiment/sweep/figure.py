"""The comparison as a picture: learning curves, and the final win rates with their intervals."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from experiment.progress import shortened
from experiment.sweep.results import Group, opponents
from experiment.sweep.statistics import Estimate
from experiment.sweep.tables import INTERVAL

_COLOURS = (
    "#222222", "#c4391d", "#2f6db5", "#1f8a4c", "#c98a1b",
    "#7b4ba3", "#3a9a9a", "#d16ba5", "#8a5a3b", "#7f8c1f",
)  # fmt: skip
_STYLES = ("-", "--", ":")
"""When the colours are used up, they come again in another style."""
_LONGEST_NAME = 40
_INCHES_A_NAME = 0.24


def draw(groups: Sequence[Group], path: Path) -> None:
    """Draw the picture of some groups with results: a row for each opponent that all of them met.

    If there is no such opponent, a row for each that any has met.
    """
    shown = _shown(groups)
    height = max(2.6, 0.9 + _INCHES_A_NAME * len(groups))
    figure = Figure(figsize=(12, 0.5 + height * len(shown)), layout="constrained")
    rows = figure.subplots(len(shown), 2, squeeze=False, width_ratios=[3, 2])
    for (left, right), opponent in zip(rows, shown, strict=True):
        own = {place: group for place, group in enumerate(groups) if group.against(opponent)}
        _draw_curves(left, own, opponent)
        _draw_finals(right, own, opponent)
        left.set_title(
            f"against {shortened(opponent, _LONGEST_NAME)}" if opponent else "", loc="left", fontsize=10
        )
    rows[-1, 0].set_xlabel("training episodes")
    rows[-1, 1].set_xlabel("won at the end")
    figure.suptitle(f"Games won without exploration, mean and {INTERVAL}", fontsize=11)
    figure.savefig(path, dpi=130)


def _shown(groups: Sequence[Group]) -> list[str]:
    every = opponents(groups)
    return [name for name in every if all(group.against(name) for group in groups)] or every


def _look(place: int) -> tuple[str, str]:
    """The colour and the line style of a variant."""
    return _COLOURS[place % len(_COLOURS)], _STYLES[place // len(_COLOURS) % len(_STYLES)]


def _ends(found: Estimate) -> tuple[float, float]:
    """The ends of an interval, as far as there are win rates."""
    half = found.half or 0.0
    return max(0.0, found.mean - half), min(1.0, found.mean + half)


def _draw_curves(axes: Axes, groups: Mapping[int, Group], opponent: str) -> None:
    for place, group in groups.items():
        curve = group.curve(opponent)
        means = [found.mean for found in curve.values()]
        colour, style = _look(place)
        axes.plot(list(curve), means, style, color=colour, lw=1.6, marker="o", ms=2.5)
        low, high = zip(*(_ends(found) for found in curve.values()), strict=True)
        axes.fill_between(list(curve), low, high, color=colour, alpha=0.09, lw=0)
    axes.set_xlim(left=0)
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)


def _draw_finals(axes: Axes, groups: Mapping[int, Group], opponent: str) -> None:
    """Draw a line for each variant, its name in the colour of its curve: that is the legend."""
    names = [shortened(group.name, _LONGEST_NAME) for group in groups.values()]
    axes.set_yticks(range(len(names)), names)
    for line, ((place, group), label) in enumerate(zip(groups.items(), axes.get_yticklabels(), strict=True)):
        (colour, style), found = _look(place), group.estimate(opponent)
        rates = [tally.win_rate for tally in group.finals(opponent)]
        axes.plot(rates, [line] * len(rates), "o", color=colour, alpha=0.45, ms=4.5, mew=0)
        axes.plot(_ends(found), [line, line], style, color=colour, lw=1.8)
        axes.plot([found.mean], [line], "D", color=colour, ms=5)
        label.set_color(colour)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0, labelsize=9)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.grid(alpha=0.25)
