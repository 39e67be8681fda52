"""The comparison as pictures: what runs win, how their training went, and what their kept policies score."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from othello_lab.experiment.compare.sweep.comparison import Group, Matchup, matchups
from othello_lab.experiment.compare.sweep.tables import PER_POLICY, PolicyResult, scores
from othello_lab.experiment.run.outcomes import SELF, Episode, Outcome, by_opponent
from othello_lab.experiment.run.record import known
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.charts import Chart, Look, Series, has_bands, look
from othello_lab.experiment.show.plots import figure_of
from othello_lab.experiment.show.run_curves import Curve, curves_of, running_mean, window_of
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import OVER_RUNS, STUDENT, Estimate, mean_of

POINTS = 300
"""Of a curve."""
Floats: TypeAlias = NDArray[np.float64]
Read: TypeAlias = Callable[[RunFolder], Curve | None]
"""Reads a curve of one run; None if it has none."""


class Running(NamedTuple):
    """The mean of some runs along their training. Each float [points]."""

    games: Floats
    """Training games that were over."""
    mean: Floats
    low: Floats
    high: Floats
    """Where the mean may truly be; the mean itself where there is one run only."""
    each: Floats
    """The runs themselves, [runs, points]."""


def reward(folder: RunFolder) -> Curve | None:
    """Return the running mean of the reward of a game; None for a run against itself."""
    return _of_episodes(folder, lambda games, window: running_mean([game.reward for game in games], window))


def won(folder: RunFolder) -> Curve | None:
    """Return the running share of training games that were won; None for a run against itself."""
    return _of_episodes(
        folder, lambda games, window: running_mean([game.outcome is Outcome.WIN for game in games], window)
    )


def loss(folder: RunFolder) -> Curve | None:
    """Return the learner's loss as it told it."""
    return curves_of(folder.metrics()).get("loss")


def _of_episodes(folder: RunFolder, smooth: Callable[[Sequence[Episode], int], Floats]) -> Curve | None:
    itself = known(folder.config()).environment_stats.opponent == SELF
    games = [] if itself else folder.episodes()
    if not games:
        return None
    window = window_of(len(games))
    first = min(window, len(games)) // 5  # the windows before hold too few games to say anything
    return [game.index for game in games][first:], smooth(games, window).tolist()[first:]


def running(folders: Sequence[RunFolder], read: Read) -> Running | None:
    """Return the mean of the runs that have such a curve, to where the first of them ends; None without."""
    curves = [curve for curve in map(read, folders) if curve]
    if not curves:
        return None
    first, last = max(games[0] for games, _ in curves), min(games[-1] for games, _ in curves)
    games = np.linspace(first, max(first, last), POINTS)
    values = np.array([np.interp(games, *curve) for curve in curves])  # [runs, points]
    return Running(games, *_mean_and_interval(values), values)


def _mean_and_interval(values: Floats) -> tuple[Floats, Floats, Floats]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    found = [mean_of(column) for column in values.T.tolist()]
    low, high = np.array([each.interval for each in found]).T
    return np.array([each.value for each in found]), low, high


_LANE, _LINE = 0.08, 0.16
"""Inches: around a name, and of a line of it."""
_GAMES = "training games"
_SEEDS = "the mean of runs that differ in the seed only"
_BAND = f"thick: {_SEEDS}; thin: each of them; band: {STUDENT} over the seeds"


def of_evaluations(groups: Sequence[Group]) -> Figure:
    """Return a picture with a row for each board and each opponent that all on that board met.

    Without a common opponent, a row for each that any has met there.
    """
    names = [wrapped(group.name, most=2) for group in groups]
    height = max(3.6, 1.8 + sum(_LANE + _LINE * (1 + name.count("\n")) for name in names))
    charts = list[Chart]()
    for matchup in _shown(groups):
        own = {place: group for place, group in enumerate(groups) if group.against(matchup)}
        charts += [_curves(own, matchup), _finals(own, matchup)]
    title = "Games won without learning and exploration"
    return figure_of(title, charts, 2, (6.0, height), OVER_RUNS, ratios=(3, 2))


def _shown(groups: Sequence[Group]) -> Iterator[Matchup]:
    every = matchups(groups)
    for size in dict.fromkeys(matchup.size for matchup in every):
        here = [matchup for matchup in every if matchup.size == size]
        on_it = [group for group in groups if any(run.size == size for run in group.results)]
        yield from [matchup for matchup in here if all(group.against(matchup) for group in on_it)] or here


def _curves(groups: Mapping[int, Group], matchup: Matchup) -> Chart:
    bands, series = has_bands(groups), list[Series]()
    for place, group in groups.items():
        curve = _along("", group.curve(matchup), look(place))
        series.append(curve if bands else Series("", curve.x, curve.y, curve.look))
    says = f"each run's mean{', with its interval as a band' * bands}; good: up"
    return Chart(f"{matchup}".capitalize(), says, _GAMES, "share of games won", series, 0, 1, percent=True)


def _along(label: str, found: Mapping[int, Estimate], own: Look) -> Series:
    """Return estimates over training games."""
    low, high = zip(*(each.interval for each in found.values()), strict=True)
    return Series(label, list(found), [each.value for each in found.values()], own, low, high)


def _finals(groups: Mapping[int, Group], matchup: Matchup) -> Chart:
    """Return a line for each group, its name beside the look of its curve: the legend."""
    series = list[Series]()
    for line, (place, group) in enumerate(groups.items()):
        found, rates = group.estimate(matchup), [tally.win_rate for tally in group.finals(matchup)]
        if len(rates) > 1:
            series.append(Series("", [line] * len(rates), rates, look(place), kind="dots"))
        (low, high), own = found.interval, look(place)
        series.append(Series("", [line], [found.value], own, [low], [high], kind="points"))
    says = "small points: single seeds; large: their mean and interval; good: right"
    names = [wrapped(group.name, most=2) for group in groups.values()]
    axis = "share of games won"
    return Chart("At the end", says, "", axis, series, 0, 1, percent=True, names=names, lying=True)


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
    """Return a picture with a curve for each group of runs that differ in the seed only; None without data.

    A panel that no run has data for is left out.
    """
    charts = [chart for panel in _PANELS if (chart := _running(panel, groups))]
    if not charts:
        return None
    says = _BAND if has_bands(groups) else _SEEDS
    return figure_of("While they learned", charts, 1, (9.0, 3.0), legend=says)


def _running(panel: _Panel, groups: Mapping[str, Sequence[RunFolder]]) -> Chart | None:
    found = {
        place: (name, curve)
        for place, (name, runs) in enumerate(groups.items())
        if (curve := running(runs, panel.read))
    }
    if not found:
        return None
    series = [each for place, own in found.items() for each in _of_runs(*own, look(place), has_bands(groups))]
    low, high = _limits(panel.read, [curve for _, curve in found.values()])
    return Chart(panel.title, panel.says, _GAMES, panel.axis, series, low, high, percent=panel.read is won)


def _of_runs(name: str, curve: Running, own: Look, bands: bool) -> Iterator[Series]:
    if not bands:
        yield Series(name, curve.games, curve.mean, own)
        return
    yield Series(name, curve.games, curve.mean, own, curve.low, curve.high)
    yield from (Series("", curve.games, each, own, kind="thin") for each in curve.each)


def _limits(read: Callable[..., object], curves: Sequence[Running]) -> tuple[float, float]:
    """Return the ends of where the curves are: the bands of few seeds would leave them no room."""
    if read is won:
        return 0.0, 1.0
    low = 0.0 if read is loss else float(min(curve.each.min() for curve in curves))
    high = float(max(curve.each.max() for curve in curves))
    room = 0.1 * (high - low) or 1.0
    return low - room * (read is not loss), high + room


def of_policies(results: Sequence[PolicyResult]) -> Figure:
    """Return the picture of at least one match of a kept policy: a panel for each opponent."""
    groups = list(dict.fromkeys(result.policy.group for result in results))
    charts = [_scores(opponent, played, groups) for opponent, played in by_opponent(results).items()]
    title = "What was learned, checkpoint by checkpoint"
    return figure_of(title, charts, 2, (5.2, 3.6), legend=PER_POLICY)


def _scores(opponent: str, results: Sequence[PolicyResult], groups: Sequence[str]) -> Chart:
    series = list[Series]()
    for place, group in enumerate(groups):
        if found := scores(result for result in results if result.policy.group == group):
            curve = _along(group, found, look(place))
            series.append(Series(group, curve.x, curve.y, curve.look, curve.low, curve.high, kind="points"))
    says = "wins and half the draws, frozen, from the openings; good: up"
    return Chart(f"Against {opponent}", says, _GAMES, "score", series, 0, 1)
