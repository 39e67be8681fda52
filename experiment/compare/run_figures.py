"""Plot the win rates of groups of runs side by side."""

from collections.abc import Iterator, Mapping, Sequence

from matplotlib.figure import Figure

from othello_lab.experiment.compare.runs import Group, Matchup, matchups
from othello_lab.experiment.show.charts import Chart, Series, has_bands, look
from othello_lab.experiment.show.plots import figure_of, height_of
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import OVER_RUNS


def of_evaluations(groups: Sequence[Group]) -> Figure:
    """Return a figure with a row per matchup. Per board size, show only matchups of all groups, if any."""
    names = [wrapped(group.name, most=2) for group in groups]
    charts = list[Chart]()
    for matchup in _shown(groups):
        places = {place: group for place, group in enumerate(groups) if group.curves(matchup)}
        charts += [_curves(places, matchup), _finals(places, matchup)]
    title = "Games won without learning and exploration"
    return figure_of(title, charts, 2, (6.0, max(3.6, height_of(names))), OVER_RUNS)


def _shown(groups: Sequence[Group]) -> Iterator[Matchup]:
    every = matchups(groups)
    for size in dict.fromkeys(matchup.size for matchup in every):
        of_size = [matchup for matchup in every if matchup.size == size]
        here = [group for group in groups if any(each.size == size for each in matchups([group]))]
        common = [matchup for matchup in of_size if all(group.curves(matchup) for group in here)]
        yield from common or of_size


def _curves(groups: Mapping[int, Group], matchup: Matchup) -> Chart:
    bands, series = has_bands(groups), list[Series]()
    for place, group in groups.items():
        curve = group.curve(matchup)
        low, high = zip(*(each.interval for each in curve.values()), strict=True)
        ends = (low, high) if bands else ()
        series.append(Series("", list(curve), [each.value for each in curve.values()], look(place), *ends))
    says = f"each run's mean{', with its interval as a band' * bands}; good: up"
    return Chart(
        f"{matchup}".capitalize(), says, "training games", "share of games won", series, 0, 1, percent=True
    )


def _finals(groups: Mapping[int, Group], matchup: Matchup) -> Chart:
    """Return a chart of final win rates with one row per group. The row labels also label the curves."""
    series = list[Series]()
    for line, (place, group) in enumerate(groups.items()):
        estimate, rates = group.estimate(matchup), [tally.win_rate for tally in group.finals(matchup)]
        if len(rates) > 1:
            series.append(Series("", [line] * len(rates), rates, look(place), kind="dots"))
        low, high = estimate.interval
        series.append(Series("", [line], [estimate.value], look(place), [low], [high], kind="points"))
    says = "small points: single seeds; large: their mean and interval; good: right"
    names = [wrapped(group.name, most=2) for group in groups.values()]
    axis = "share of games won"
    return Chart("At the end", says, "", axis, series, 0, 1, percent=True, names=names, horizontal=True)
