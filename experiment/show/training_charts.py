"""The charts of a run: what is won along it, what the learner says of itself, and how fast it goes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from othello_lab.experiment.run.outcomes import (
    FROM_OPENINGS,
    SELF,
    STAND_IN,
    Evaluation,
    against,
    by_opponent,
    total,
)
from othello_lab.experiment.run.record import known
from othello_lab.experiment.show.charts import Chart, Floats, Look, Mark, Series, look, of_training
from othello_lab.experiment.show.evaluation_table import random_mover_in
from othello_lab.experiment.show.run_files import POOL, Curve, Following, means, running_mean, window_of
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.game.players.short_names import short_name

GAMES = "training games"
"""What all charts of a run lie over."""
_FEW = 20
"""So few points of a curve are marked each."""


class Panel(NamedTuple):
    """A small chart of numbers in metrics.jsonl."""

    title: str
    says: str
    axis: str
    lines: Mapping[str, str]
    """Names of numbers, and what to call each if there are several."""
    from_zero: bool = True


PANELS = (
    Panel("Loss", "error of the predicted values; good: small, no jumps", "error", {"loss": ""}),
    Panel(
        "Mean Q",
        "the return that it expects, -1 lost to 1 won; good: rises as it wins, stays below 1",
        "expected return",
        {"q_mean": ""},
        from_zero=False,
    ),
    Panel(
        "Target gap",
        "from its values to those it learns towards; good: small beside 1",
        "difference of Q",
        {"target_gap": ""},
    ),
    Panel(
        "Q of legal and illegal squares",
        "illegal squares are never learned: only the legal curve means anything",
        "expected return",
        {"q_legal": "legal", "q_illegal": "illegal"},
        from_zero=False,
    ),
    Panel(
        "Epsilon", "share of training moves at random; falls as planned", "share of moves", {"epsilon": ""}
    ),
    Panel(
        "Speed",
        "of training; good: even (low where a run begins)",
        "a second",
        {"steps_per_second": "decisions", "updates_per_second": "updates"},
    ),
)


def panels(curves: Mapping[str, Curve]) -> Iterator[Chart]:
    """Yield a chart for each kind of number that there is, and one of the players that it trains against."""
    for panel in PANELS:
        yield from _panel(panel, curves, of_training)
    lines = {name: short_name(name.removeprefix(POOL)) for name in curves if name.startswith(POOL)}
    says = "won and half of the drawn training games against each, explored moves among them; good: up"
    yield from _panel(Panel("Training opponents", says, "share of games", lines), curves, look)


def _panel(panel: Panel, curves: Mapping[str, Curve], looks: Any) -> Iterator[Chart]:  # noqa: ANN401
    shown = [(label, *curves[name]) for name, label in panel.lines.items() if name in curves]
    series = [_line(label, means(x), means(y), looks(place)) for place, (label, x, y) in enumerate(shown)]
    if series:
        low = 0.0 if panel.from_zero else None
        yield Chart(panel.title, panel.says, GAMES, panel.axis, series, low)


def _line(label: str, x: Floats, y: Floats, own: Look) -> Series:
    """Return a curve; its points are marked only where they are few."""
    own = own if len(x) <= _FEW else own._replace(marker="")
    return Series(label, [float(each) for each in x], [float(each) for each in y], own)


def rates(run: Following, points: int, by_colour: bool) -> Chart:
    """Return what is won in training, as curves of about `points` points, and in evaluations.

    Beside them stands what a random mover wins, where that is known. Evaluations are told apart by colour if
    that is asked for.
    """
    training = _rounds(run) if run.rounds else _training(run, points)
    repeated = [result for result in run.evaluations if not result.opponent.endswith(FROM_OPENINGS)]
    evaluations = _evaluations(repeated, by_colour)
    itself = " against itself, no measure of its strength" if run.view.selfplay else ""
    says = (
        f"lines: training games{itself}; points: games without learning and exploration, {WILSON}; good: up"
    )
    title, series, marks = "While it learned", [*training, *evaluations], [*_random_mover(run.config)]
    return Chart(title, says, GAMES, "share of games", series, 0, 1, percent=True, marks=marks)


def _training(run: Following, points: int) -> Iterator[Series]:
    """Yield running shares of training games that are recorded one by one."""
    for place, (wanted, what) in enumerate(run.view.shares_shown):
        hits = run.outcomes(wanted)
        if len(hits):
            window = window_of(len(hits))
            # The first few windows hold too few games to say anything.
            first = min(window, len(hits)) // 5
            at = np.unique(np.linspace(first, len(hits) - 1, min(len(hits), points)).astype(np.intp))
            shares = running_mean(hits, window)[at]
            yield _line(f"training: {what}, last {window:,} games", at + 1, shares, of_training(place))


def _rounds(run: Following) -> Iterator[Series]:
    """Yield what black and white won of the games against itself, as means where there are many rounds."""
    own = [result for result in run.rounds if result.opponent == SELF]
    for place, (wanted, what) in enumerate(run.view.shares_shown if own else ()):
        shares, ends = (
            means([result.tally.share(wanted) for result in own]),
            means([result.episode for result in own]),
        )
        yield _line(f"training: {what}, against itself", ends, shares, of_training(place))


def _evaluations(evaluations: Iterable[Evaluation], by_colour: bool) -> Iterator[Series]:
    """Yield the shares won without exploration: a look for each opponent, hollow and dashed as white."""
    for place, (opponent, results) in enumerate(by_opponent(evaluations).items()):
        for colour in dict.fromkeys(result.colour if by_colour else "" for result in results):
            own = [result for result in results if colour in ("", result.colour)]
            seat, white = f" as {colour}" if colour else "", colour == "white"
            style = look(place)._replace(dashes="--" if white else "-", hollow=white)
            yield _points(f"evaluation: won{seat}{against(opponent)}", own, style)


def _points(label: str, results: Sequence[Evaluation], own: Look) -> Series:
    """Return the share won at each evaluation, those of one moment together."""
    episodes = list(dict.fromkeys(result.episode for result in results))
    tallies = [total(result for result in results if result.episode == episode) for episode in episodes]
    shares = [tally.win_rate for tally in tallies]
    low, high = zip(*(wilson(tally.win_rate, tally.games) for tally in tallies), strict=True)
    return Series(label, episodes, shares, own, low, high, kind="points")


def _random_mover(config: Mapping[str, Any]) -> Iterator[Mark]:
    """Yield what a random mover reaches in training games like these, where that is known."""
    if tally := random_mover_in(record := known(config)):
        itself = record.environment_stats.opponent == SELF
        met = f" as black against {STAND_IN}" if itself else ""
        yield Mark(
            tally.win_rate, f"a random mover wins {tally.win_rate:.0%}{met}", Look("training-1", "", ":")
        )
