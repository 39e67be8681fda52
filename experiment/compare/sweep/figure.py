"""The comparison as a picture: learning curves, and the final win rates with their intervals."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from experiment.compare.sweep.comparison import Group, Matchup, matchups
from experiment.show.names import wrapped
from experiment.show.palette import has_bands, look
from experiment.show.titles import entitle, footnote, headline
from experiment.study.statistics.runs import OVER_RUNS

_LANE, _LINE = 0.08, 0.16
"""Inches: around a name, and of a line of it."""


def figure_of(groups: Sequence[Group]) -> Figure:
    """Return a picture with a row for each board and each opponent that all on that board met.

    Without a common opponent, a row for each that any has met there.
    """
    shown = _shown(groups)
    lines = max(1 + _named(group).count("\n") for group in groups)
    height = max(3.2, 1.4 + (_LANE + _LINE * lines) * len(groups))
    figure = Figure(figsize=(12, 0.6 + height * len(shown)), layout="constrained")
    rows = figure.subplots(len(shown), 2, squeeze=False, width_ratios=[3, 2])
    for (left, right), matchup in zip(rows, shown, strict=True):
        own = {place: group for place, group in enumerate(groups) if group.against(matchup)}
        _draw_curves(left, own, matchup)
        _draw_finals(right, own, matchup)
        entitle(left, f"{matchup}".capitalize(), _says(own))
        entitle(
            right, "At the end", "small points: single seeds; large: their mean and interval; good: right"
        )
    headline(figure, "Games won without learning and exploration")
    footnote(figure, OVER_RUNS)
    return figure


def _named(group: Group) -> str:
    return wrapped(group.name, most=2)


def _says(groups: Mapping[int, Group]) -> str:
    return f"each run's mean{', with its interval as a band' * has_bands(groups)}; good: up"


def _shown(groups: Sequence[Group]) -> list[Matchup]:
    every, shown = matchups(groups), list[Matchup]()
    for size in dict.fromkeys(matchup.size for matchup in every):
        here = [matchup for matchup in every if matchup.size == size]
        on_it = [group for group in groups if any(run.size == size for run in group.results)]
        shown += [matchup for matchup in here if all(group.against(matchup) for group in on_it)] or here
    return shown


def _draw_curves(axes: Axes, groups: Mapping[int, Group], matchup: Matchup) -> None:
    for place, group in groups.items():
        curve, own = group.curve(matchup), look(place)
        means = [found.value for found in curve.values()]
        axes.plot(list(curve), means, own.dashes, color=own.colour, lw=1.6, marker=own.marker, ms=4)
        if has_bands(groups):
            low, high = zip(*(found.interval for found in curve.values()), strict=True)
            axes.fill_between(list(curve), low, high, color=own.colour, alpha=0.1, lw=0)
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("share of games won")
    axes.set_xlabel("training games")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)


def _draw_finals(axes: Axes, groups: Mapping[int, Group], matchup: Matchup) -> None:
    """Draw a line for each group, its name beside the look of its curve: the legend."""
    names = [_named(group) for group in groups.values()]
    axes.set_yticks(range(len(names)), names, parse_math=False)
    for line, (place, group) in enumerate(groups.items()):
        own, found = look(place), group.estimate(matchup)
        rates = [tally.win_rate for tally in group.finals(matchup)]
        if len(rates) > 1:
            axes.plot(rates, [line] * len(rates), "o", color=own.colour, alpha=0.45, ms=4.5, mew=0)
        axes.plot(found.interval, [line, line], own.dashes, color=own.colour, lw=1.8)
        axes.plot([found.value], [line], own.marker, color=own.colour, ms=6.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(-0.03, 1.03)
    axes.set_xlabel("share of games won")
    axes.tick_params(axis="y", length=0, labelsize=9)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.grid(alpha=0.25)
