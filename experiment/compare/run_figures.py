"""Draw pictures that compare the games won and the training of runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from othello_lab.experiment.compare.runs import Group, Matchup, matchups
from othello_lab.experiment.run.outcomes import SELF, Episode, Outcome
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.charts import Chart, Series, has_bands, look
from othello_lab.experiment.show.plots import figure_of
from othello_lab.experiment.show.run_curves import Curve, curves_of, running_mean, window_of
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import OVER_RUNS, STUDENT, mean_of

_POINTS = 300  # the number of points of a curve
_LANE, _LINE = 0.08, 0.16  # inches: the space around a name, and the height of a line of text
_GAMES = "training games"
_SEEDS = "the mean of runs that differ in the seed only"
_BAND = f"thick: {_SEEDS}; thin: each of them; band: {STUDENT} over the seeds"
Floats: TypeAlias = NDArray[np.float64]
Read: TypeAlias = Callable[[RunFolder], Curve | None]
"""A function that returns a curve of a run, or None if the run does not have this curve."""


def of_evaluations(groups: Sequence[Group]) -> Figure:
    """Return a figure with one row for each board size and opponent.

    For each board size, the figure shows the opponents that all groups played. If there are no such
    opponents, the figure shows all opponents.
    """
    names = [wrapped(group.name, most=2) for group in groups]
    height = max(3.6, 1.8 + sum(_LANE + _LINE * (1 + name.count("\n")) for name in names))
    charts = list[Chart]()
    for matchup in _shown(groups):
        places = {place: group for place, group in enumerate(groups) if group.curves(matchup)}
        charts += [_curves(places, matchup), _finals(places, matchup)]
    title = "Games won without learning and exploration"
    return figure_of(title, charts, 2, (6.0, height), OVER_RUNS, ratios=(3, 2))


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
    return Chart(f"{matchup}".capitalize(), says, _GAMES, "share of games won", series, 0, 1, percent=True)


def _finals(groups: Mapping[int, Group], matchup: Matchup) -> Chart:
    """Return a chart with a line for each group. The names in the chart are also the legend of the curves."""
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


class Running(NamedTuple):
    """The mean curve of runs during training. The arrays are float [points]."""

    games: Floats
    """The number of finished training games."""
    mean: Floats
    low: Floats
    high: Floats
    """The upper end of the interval of the mean. For one run, both ends are equal to the mean."""
    each: Floats
    """The curves of the runs, float [runs, points]."""


def reward(folder: RunFolder) -> Curve | None:
    """Return the running mean of the reward of a game. Return None if the agent trains against itself."""
    return _of_episodes(folder, lambda game: game.reward)


def won(folder: RunFolder) -> Curve | None:
    """Return the running share of won training games. Return None if the agent trains against itself."""
    return _of_episodes(folder, lambda game: game.outcome is Outcome.WIN)


def loss(folder: RunFolder) -> Curve | None:
    """Return the loss of the learner. Return None if the loss was not recorded."""
    return curves_of(folder.metrics()).get("loss")


def _of_episodes(folder: RunFolder, value: Callable[[Episode], float]) -> Curve | None:
    itself = known(folder.config()).environment_stats.opponent == SELF
    games = [] if itself else folder.episodes()
    if not games:
        return None
    window = window_of(len(games))
    first = min(window, len(games)) // 5  # earlier windows have too few games
    means = running_mean([value(game) for game in games], window)
    return [game.index for game in games][first:], means.tolist()[first:]


def running(folders: Sequence[RunFolder], read: Read) -> Running | None:
    """Return the mean curve, up to the end of the shortest run. Return None if no run has a curve."""
    curves = [curve for curve in map(read, folders) if curve]
    if not curves:
        return None
    first, last = max(games[0] for games, _ in curves), min(games[-1] for games, _ in curves)
    games = np.linspace(first, max(first, last), _POINTS)
    values = np.array([np.interp(games, *curve) for curve in curves])  # [runs, points]
    mean = low = high = values[0]
    if len(curves) > 1:
        estimates = [mean_of(column) for column in values.T.tolist()]
        mean = np.array([each.value for each in estimates])
        low, high = np.array([each.interval for each in estimates]).T
    return Running(games, mean, low, high, values)


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


def of_training(groups: Mapping[str, Sequence[RunFolder]]) -> Figure | None:
    """Return a figure with a panel for each kind of curve. Return None if there are no curves."""
    charts = [chart for panel in _PANELS if (chart := _chart_of(panel, groups))]
    if not charts:
        return None
    says = _BAND if has_bands(groups) else _SEEDS
    return figure_of("While they learned", charts, 1, (9.0, 3.0), legend=says)


def _chart_of(panel: _Panel, groups: Mapping[str, Sequence[RunFolder]]) -> Chart | None:
    series, curves = list[Series](), list[Running]()
    for place, (name, runs) in enumerate(groups.items()):
        if curve := running(runs, panel.read):
            curves.append(curve)
            if has_bands(groups):
                series.append(Series(name, curve.games, curve.mean, look(place), curve.low, curve.high))
                series += [Series("", curve.games, each, look(place), kind="thin") for each in curve.each]
            else:
                series.append(Series(name, curve.games, curve.mean, look(place)))
    if not curves:
        return None
    low, high = 0.0, 1.0
    if panel.read is not won:
        # The limits come from the curves, because with few seeds, the bands are much wider than the curves.
        high = float(max(curve.each.max() for curve in curves))
        low = 0.0 if panel.read is loss else float(min(curve.each.min() for curve in curves))
        room = 0.1 * (high - low) or 1.0
        low, high = low - room * (panel.read is not loss), high + room
    return Chart(panel.title, panel.says, _GAMES, panel.axis, series, low, high, percent=panel.read is won)
