"""Read the files of a run, and return charts of games won, learning and speed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.experiment.run.outcomes import (
    FROM_OPENINGS,
    SELF,
    STAND_IN,
    Evaluation,
    View,
    against,
    by_opponent,
    total,
)
from othello_lab.experiment.run.record import RunRecord
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.charts import Chart, Floats, Look, Mark, Series, look, of_training
from othello_lab.experiment.show.verdict import random_mover_in
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.game.short_names import short_name

MEANS = 300  # The maximum number of points of a curve. A longer column is downsampled.
POOL = "pool "  # The prefix of scores against training opponents in metrics.jsonl.
_WINDOW = 100  # minimum window of running means, in training games
_FEW = 20  # maximum number of points of a curve with markers
_OF_UPDATES = (
    *("loss", "q_mean", "target_gap", "q_legal", "q_illegal"),
    *("steps_per_second", "updates_per_second"),
)  # metrics that are meaningless before the first update
_GAMES = "training games"
_NAME = 28  # line width of an opponent's name, in characters

Curve = tuple[list[int], list[float]]  # The episode numbers (x) and the values (y).


def stamps_of(folder: Path) -> list[tuple[float, int]]:
    """Return the modification time (seconds since 1970) and size of each file, the newest first."""
    files = (path.stat() for path in folder.glob("[!.]*.*"))
    return sorted(((file.st_mtime, file.st_size) for file in files), reverse=True)


def last_change(folder: Path) -> float:
    """Return the modification time of a run's newest file, in seconds since 1970, or 0 without files."""
    return max((changed for changed, _ in stamps_of(folder)), default=0.0)


@dataclass(frozen=True)
class RunFiles:
    """The contents of a run's files."""

    folder: RunFolder
    record: RunRecord
    view: View  # The perspective on training games: the agent's, or black's in self-play.
    games: int  # The number of recorded training games.
    outcomes: NDArray[np.str_]  # Training outcomes in episodes.csv, [games]. A missing outcome is "".
    evaluations: list[Evaluation]
    rounds: list[Evaluation]  # The rows of rounds.csv, which batched self-play writes.
    curves: dict[str, Curve]  # The curves of metrics.jsonl, by name.

    @property
    def last(self) -> list[Evaluation]:
        """The results of the last evaluation."""
        return [it for it in self.evaluations if it.episode == self.evaluations[-1].episode]


def read(folder: RunFolder) -> RunFiles:
    """Return the contents of a run's files. Raises OSError, and RunFolderError for an invalid config.json."""
    record, episodes, rounds = folder.read_record(), folder.episodes(), folder.rounds()
    view = View(bool(record.selfplay) or record.environment_stats.opponent == SELF)
    outcomes = np.array([view.outcome(episode) or "" for episode in episodes], np.str_)
    games = rounds[-1].episode if rounds else episodes[-1].index if episodes else 0
    curves = curves_of(folder.metrics())
    return RunFiles(folder, record, view, games, outcomes, folder.evaluations(), rounds, curves)


def curves_of(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Curve]:
    """Return curves of the finite numbers in metrics.jsonl, by name."""
    curves: dict[str, Curve] = {}
    for record in metrics:
        agent = record.get("agent")
        numbers = {**record, **agent} if isinstance(agent, Mapping) else record
        void = () if numbers.get("updates", 1) else _OF_UPDATES
        for name, value in numbers.items():
            if isinstance(value, int | float) and _is_finite(value) and name not in void:
                episodes, values = curves.setdefault(name, ([], []))
                episodes.append(int(record["episode"]))
                values.append(float(value))
    return curves


def _is_finite(value: float) -> bool:
    with suppress(OverflowError):  # an int of an untrusted file may be larger than any float
        return isfinite(value)
    return False


def running_mean(values: ArrayLike, window: int) -> NDArray[np.float64]:
    """Return the running mean of the last `window` values (fewer values at the start), float [n]."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(sums))
    begins = np.maximum(ends - window, 0)
    averages: NDArray[np.float64] = (sums[ends] - sums[begins]) / (ends - begins)
    return averages


def _means(column: Sequence[float]) -> list[float]:
    """Downsample a column to at most MEANS means of neighbouring values."""
    return [float(part.mean()) for part in np.array_split(column, min(len(column), MEANS))]


class Panel(NamedTuple):
    """A small chart of numbers in metrics.jsonl."""

    title: str
    says: str
    axis: str
    lines: Mapping[str, str]  # Labels by metric name. The label of a single metric is empty.
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
    """Yield a chart for each panel that has data, and a chart for the training opponents."""
    for panel in PANELS:
        yield from _panel(panel, curves, of_training)
    lines = {name: short_name(name.removeprefix(POOL)) for name in curves if name.startswith(POOL)}
    says = "won and half of the drawn training games against each, explored moves among them; good: up"
    yield from _panel(Panel("Training opponents", says, "share of games", lines), curves, look)


def _panel(panel: Panel, curves: Mapping[str, Curve], looks: Callable[[int], Look]) -> Iterator[Chart]:
    present = [(label, *curves[name]) for name, label in panel.lines.items() if name in curves]
    lines = [_line(label, _means(x), _means(y), looks(place)) for place, (label, x, y) in enumerate(present)]
    if lines:
        yield Chart(panel.title, panel.says, _GAMES, panel.axis, lines, 0.0 if panel.from_zero else None)


def _line(label: str, x: Floats, y: Floats, look: Look) -> Series:
    look = look if len(x) <= _FEW else look._replace(marker="")
    return Series(label, [float(value) for value in x], [float(value) for value in y], look)


def rates(run: RunFiles, points: int, by_colour: bool) -> Chart:
    """Return a chart of training and evaluation results, with at most `points` points per running mean."""
    training = _rounds(run) if run.rounds else _training(run, points)
    repeated = [result for result in run.evaluations if not result.opponent.endswith(FROM_OPENINGS)]
    itself = " against itself, no measure of its strength" if run.view.selfplay else ""
    says = (
        f"lines: training games{itself}; points: games without learning and exploration, {WILSON}; good: up"
    )
    series = [*training, *_evaluations(repeated, by_colour)]
    marks = [*_random_mover(run.record)]
    return Chart("While it learned", says, _GAMES, "share of games", series, 0, 1, percent=True, marks=marks)


def _training(run: RunFiles, points: int) -> Iterator[Series]:
    for place, (wanted, what) in enumerate(run.view.shares_shown):
        hits = np.isin(run.outcomes, [*wanted])
        if len(hits):
            window = max(_WINDOW, len(hits) // 100)
            first = min(window, len(hits)) // 5  # the first windows have too few games
            at = np.unique(np.linspace(first, len(hits) - 1, min(len(hits), points)).astype(np.intp))
            shares = running_mean(hits, window)[at]
            yield _line(f"training: {what}, last {window:,} games", at + 1, shares, of_training(place))


def _rounds(run: RunFiles) -> Iterator[Series]:
    rounds = [result for result in run.rounds if result.opponent == SELF]
    for place, (wanted, what) in enumerate(run.view.shares_shown if rounds else ()):
        ends = _means([result.episode for result in rounds])
        shares = _means([result.tally.share(wanted) for result in rounds])
        yield _line(f"training: {what}, against itself", ends, shares, of_training(place))


def _evaluations(evaluations: Iterable[Evaluation], by_colour: bool) -> Iterator[Series]:
    """Yield the shares won in evaluations. Results as white have hollow markers and dashed lines."""
    for place, (opponent, results) in enumerate(by_opponent(evaluations).items()):
        for colour in dict.fromkeys(result.colour if by_colour else "" for result in results):
            games = [result for result in results if colour in ("", result.colour)]
            seat, white = f" as {colour}" if colour else "", colour == "white"
            style = look(place)._replace(dashes="--" if white else "-", hollow=white)
            yield _points(f"evaluation: won{seat}{against(opponent)}", games, style)


def _points(label: str, results: Sequence[Evaluation], look: Look) -> Series:
    episodes = list(dict.fromkeys(result.episode for result in results))
    tallies = [total(result for result in results if result.episode == episode) for episode in episodes]
    low, high = zip(*(wilson(tally.win_rate, tally.games) for tally in tallies), strict=True)
    return Series(label, episodes, [tally.win_rate for tally in tallies], look, low, high, kind="points")


def _random_mover(record: RunRecord) -> Iterator[Mark]:
    if tally := random_mover_in(record):
        seat = f" as black against {STAND_IN}" if record.environment_stats.opponent == SELF else ""
        label = f"a random mover wins {tally.win_rate:.0%}{seat}"
        yield Mark(tally.win_rate, label, Look("training-1", "", ":"))


def finals(run: RunFiles) -> Chart:
    """Return a chart of the shares won against each opponent in the last evaluation, over both colours."""
    # Opponents in the chart of `rates` come first, so that both charts use the same styles.
    ordered = sorted(run.evaluations, key=lambda result: result.opponent.endswith(FROM_OPENINGS))
    opponents = list(dict.fromkeys(result.opponent.removesuffix(FROM_OPENINGS) for result in ordered))
    names, series = list[str](), list[Series]()
    for opponent, results in by_opponent(run.last).items():
        style = look(opponents.index(opponent.removesuffix(FROM_OPENINGS)))
        point = _points("", results, style._replace(hollow=run.record.is_held_out(opponent)))
        series.append(replace(point, x=[len(names)]))
        names.append(wrapped(f"{run.record.result_name(opponent)}: {point.y[0]:.0%}", width=_NAME))
    says = "without learning and exploration; hollow: never met in training; good: right"
    title, share = f"After {run.last[0].episode:,} games", "share of games won"
    return Chart(title, says, "", share, series, 0, 1, percent=True, names=names, horizontal=True)
