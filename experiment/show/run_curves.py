"""The curves of a run: reading its files while they grow, and charts of games won, learning and speed."""

import errno
import os
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
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
    Outcome,
    View,
    against,
    by_opponent,
    total,
)
from othello_lab.experiment.run.record import is_selfplay, known
from othello_lab.experiment.run.run_folder import EPISODES, EVALUATIONS, RunFolder, json_objects
from othello_lab.experiment.show.charts import Chart, Floats, Look, Mark, Series, look, of_training
from othello_lab.experiment.show.random_mover import random_mover_in
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.game.players.short_names import short_name
from othello_lab.game.safe_files import DATA, open_regular

MEANS = 300
"""Maximum number of points of a curve. Longer columns are reduced to means of neighbouring values."""
POOL = "pool "
"""Prefix of the names of scores against training opponents in metrics.jsonl."""
_WINDOW = 100
"""Minimum window of running means, in training games."""
_FEW = 20
"""Curves with more points than this have no markers."""
_OF_UPDATES = (
    *("loss", "q_mean", "target_gap", "q_legal", "q_illegal"),
    *("steps_per_second", "updates_per_second"),
)
"""Metrics that are ignored before the learner's first update, because they have no meaning yet."""
_GAMES = "training games"

Curve = tuple[list[int], list[float]]
"""Numbers of episodes, and a value for each."""
_CODES: dict[Outcome | None, int] = {Outcome.WIN: 0, Outcome.DRAW: 1, Outcome.LOSS: 2, None: 3}


class Tail:
    """A reader of the lines that are added to a file. The file may be missing, and may be replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, int] | None = None
        self._read = 0

    def look(self) -> tuple[bool, list[str]]:
        """Return whether the earlier lines are invalid, and the new lines.

        Earlier lines are invalid if the file was replaced, truncated or deleted. An incomplete last line is
        read by a later call. Raises OSError if there is too much new data.
        """
        with suppress(FileNotFoundError), open_regular(self._path) as file:
            status = os.fstat(file.fileno())
            identity, size = (status.st_dev, status.st_ino), status.st_size
            anew = self._file not in (None, identity) or size < self._read
            if anew or self._file is None:
                self._file, self._read = identity, 0
            if size - self._read > DATA:
                raise OSError(errno.EFBIG, "the file is too large", str(self._path))
            file.seek(self._read)
            data = file.read()
            complete = data[: data.rfind(b"\n") + 1]
            self._read += len(complete)
            return anew, complete.decode("utf-8", "replace").split("\n")[:-1]
        gone, self._file, self._read = self._file is not None, None, 0
        return gone, []


def last_change(folder: Path) -> float:
    """Return the time of the newest file in a run's folder, in seconds since 1970; 0 without files."""
    return max((path.stat().st_mtime for path in folder.glob("[!.]*.*")), default=0.0)


class Following:
    """The contents of a run's growing files. If a resume truncates the files, they are read again."""

    def __init__(self, folder: RunFolder) -> None:
        """Read config.json; raise RunFolderError if it cannot be read."""
        self.folder = folder
        self.config: dict[str, Any] = folder.config()
        self.evaluations: list[Evaluation] = []
        self.rounds: list[Evaluation] = []
        """Rows of rounds.csv, which batched self-play writes."""
        self.curves: dict[str, Curve] = {}
        """The curves of metrics.jsonl, by name."""
        self.games = 0
        """Number of recorded training games."""
        self._outcomes = array("b")
        names = ("episodes.csv", "rounds.csv", "evaluations.csv", "metrics.jsonl")
        self._tails = {name: Tail(folder.path / name) for name in names}
        self._config_written = 0.0
        self._changed = last_change(folder.path)

    @property
    def silent(self) -> float:
        """Seconds since the last new line."""
        return max(0.0, time.time() - self._changed)

    @property
    def view(self) -> View:
        """The way training games are counted: by colour in self-play, otherwise by the agent's result."""
        return View(is_selfplay(self.config) or known(self.config).environment_stats.opponent == SELF)

    def outcomes(self, wanted: Iterable[Outcome]) -> NDArray[np.bool_]:
        """Return which training games in episodes.csv ended with one of these outcomes, bool [games]."""
        codes = np.frombuffer(self._outcomes, np.int8) if self._outcomes else np.zeros(0, np.int8)
        return np.isin(codes, [_CODES[outcome] for outcome in wanted])

    def look(self) -> bool:
        """Read new lines of all files; return whether anything changed.

        Raises RunFolderGoneError if the folder was deleted, and RunFolderError for a damaged config.json.
        """
        self.folder.check_there()
        first = not self._config_written
        changed = [self._read_config(), self._read_games(), self._read_rounds()]
        changed += [self._read_rows("evaluations.csv", self.evaluations), self._read_metrics()]
        if any(changed) and not first:
            self._changed = time.time()
        return any(changed)

    def _read_config(self) -> bool:
        written = self.folder.record.stat().st_mtime
        if written == self._config_written:
            return False
        self._config_written, self.config = written, self.folder.config()
        return True

    def _read_games(self) -> bool:
        anew, lines = self._tails["episodes.csv"].look()
        if anew:
            self.games, self._outcomes = 0, array("b")
        for episode in EPISODES.read(lines):
            self._outcomes.append(_CODES[self.view.outcome(episode)])
            self.games = episode.index
        return anew or bool(lines)

    def _read_rounds(self) -> bool:
        changed = self._read_rows("rounds.csv", self.rounds)
        if changed:
            self.games = self.rounds[-1].episode if self.rounds else 0
        return changed

    def _read_rows(self, name: str, rows: list[Evaluation]) -> bool:
        anew, lines = self._tails[name].look()
        if anew:
            rows.clear()
        rows.extend(EVALUATIONS.read(lines))
        return anew or bool(lines)

    def _read_metrics(self) -> bool:
        anew, lines = self._tails["metrics.jsonl"].look()
        if anew:
            self.curves = {}
        records = [record for record in json_objects(lines) if type(record.get("episode")) is int]
        for name, (episodes, values) in curves_of(records).items():
            curve = self.curves.setdefault(name, ([], []))
            curve[0].extend(episodes)
            curve[1].extend(values)
        return anew or bool(lines)


def read(folder: RunFolder) -> Following:
    """Return a run with its files read to the end; raise RunFolderError if it cannot be read."""
    run = Following(folder)
    run.look()
    return run


def curves_of(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Curve]:
    """Return the curves of the finite numbers of metrics.jsonl, by name."""
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
    """Return the mean of the last `window` values at each value, float [n]; fewer values at the start."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(sums))
    begins = np.maximum(ends - window, 0)
    averages: NDArray[np.float64] = (sums[ends] - sums[begins]) / (ends - begins)
    return averages


def window_of(games: int) -> int:
    """Return the window of running means for a run of `games` training games."""
    return max(_WINDOW, games // 100)


def _means(column: Sequence[float]) -> list[float]:
    """Return a column; if it is longer than MEANS, return MEANS means of neighbouring values."""
    return [float(part.mean()) for part in np.array_split(column, min(len(column), MEANS))]


class Panel(NamedTuple):
    """A small chart of numbers in metrics.jsonl."""

    title: str
    says: str
    axis: str
    lines: Mapping[str, str]
    """Names in metrics.jsonl and their labels; a single name has the label ""."""
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
    """Yield a chart for each panel that has data, and one for the training opponents."""
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
    """Return a curve, with markers if it has few points."""
    look = look if len(x) <= _FEW else look._replace(marker="")
    return Series(label, [float(value) for value in x], [float(value) for value in y], look)


def rates(run: Following, points: int, by_colour: bool) -> Chart:
    """Return a chart of the shares won in training (curves of about `points` points) and in evaluations.

    A mark shows the share that a random mover wins, if it was measured.
    """
    training = _rounds(run) if run.rounds else _training(run, points)
    repeated = [result for result in run.evaluations if not result.opponent.endswith(FROM_OPENINGS)]
    itself = " against itself, no measure of its strength" if run.view.selfplay else ""
    says = (
        f"lines: training games{itself}; points: games without learning and exploration, {WILSON}; good: up"
    )
    series = [*training, *_evaluations(repeated, by_colour)]
    marks = [*_random_mover(run.config)]
    return Chart("While it learned", says, _GAMES, "share of games", series, 0, 1, percent=True, marks=marks)


def _training(run: Following, points: int) -> Iterator[Series]:
    """Yield the running shares of training games from episodes.csv."""
    for place, (wanted, what) in enumerate(run.view.shares_shown):
        hits = run.outcomes(wanted)
        if len(hits):
            window = window_of(len(hits))
            # The first windows have too few games for a meaningful share.
            first = min(window, len(hits)) // 5
            at = np.unique(np.linspace(first, len(hits) - 1, min(len(hits), points)).astype(np.intp))
            shares = running_mean(hits, window)[at]
            yield _line(f"training: {what}, last {window:,} games", at + 1, shares, of_training(place))


def _rounds(run: Following) -> Iterator[Series]:
    """Yield the shares of self-play games that black and white won, from rounds.csv."""
    rounds = [result for result in run.rounds if result.opponent == SELF]
    for place, (wanted, what) in enumerate(run.view.shares_shown if rounds else ()):
        ends = _means([result.episode for result in rounds])
        shares = _means([result.tally.share(wanted) for result in rounds])
        yield _line(f"training: {what}, against itself", ends, shares, of_training(place))


def _evaluations(evaluations: Iterable[Evaluation], by_colour: bool) -> Iterator[Series]:
    """Yield the shares won in evaluations. Each opponent has its own look; white is hollow and dashed."""
    for place, (opponent, results) in enumerate(by_opponent(evaluations).items()):
        for colour in dict.fromkeys(result.colour if by_colour else "" for result in results):
            games = [result for result in results if colour in ("", result.colour)]
            seat, white = f" as {colour}" if colour else "", colour == "white"
            style = look(place)._replace(dashes="--" if white else "-", hollow=white)
            yield _points(f"evaluation: won{seat}{against(opponent)}", games, style)


def _points(label: str, results: Sequence[Evaluation], look: Look) -> Series:
    """Return the share won at each evaluation, with its interval; both colours are added up."""
    episodes = list(dict.fromkeys(result.episode for result in results))
    tallies = [total(result for result in results if result.episode == episode) for episode in episodes]
    low, high = zip(*(wilson(tally.win_rate, tally.games) for tally in tallies), strict=True)
    return Series(label, episodes, [tally.win_rate for tally in tallies], look, low, high, kind="points")


def _random_mover(config: Mapping[str, Any]) -> Iterator[Mark]:
    """Yield a mark at the share of training games that a random mover would win, if it was measured."""
    record = known(config)
    if tally := random_mover_in(record):
        seat = f" as black against {STAND_IN}" if record.environment_stats.opponent == SELF else ""
        label = f"a random mover wins {tally.win_rate:.0%}{seat}"
        yield Mark(tally.win_rate, label, Look("training-1", "", ":"))
