"""Incremental reading of a run's files, and the curves in them."""

import errno
import os
import time
from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.experiment.run.outcomes import SELF, Evaluation, Outcome, View
from othello_lab.experiment.run.record import is_selfplay, known
from othello_lab.experiment.run.run_folder import EPISODES, EVALUATIONS, RunFolder, json_objects
from othello_lab.game.files import DATA, open_regular

WINDOW = 100
"""Training games of the running rates, at least: see `window_of`."""
MEANS = 300
"""Points of a curve of the learner's numbers; more numbers are averaged."""

POOL = "pool "
"""Prefix of the numbers of training opponents in metrics.jsonl."""
_OF_UPDATES = (
    *("loss", "q_mean", "target_gap", "q_legal", "q_illegal"),
    *("steps_per_second", "updates_per_second"),
)
"""Numbers that mean nothing before the learner's first update."""

Curve = tuple[list[int], list[float]]
"""Episodes and values."""
_CODES: dict[Outcome | None, int] = {Outcome.WIN: 0, Outcome.DRAW: 1, Outcome.LOSS: 2, None: 3}


class News(NamedTuple):
    """New lines of a file."""

    anew: bool
    """Whether the file was replaced or cut back: lines read before are void."""
    lines: list[str]
    """Lines completed since the last read."""


class Tail:
    """Reads the lines added to a file, which may be replaced or missing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, int] | None = None
        self._read = 0

    def look(self) -> News:
        """Return the lines added since the last call; an incomplete last line is left for the next call."""
        with suppress(FileNotFoundError), open_regular(self._path) as file:
            state = _status(file.fileno())
            anew = self._file not in (None, state[0]) or state[1] < self._read
            if anew or self._file is None:
                self._file, self._read = state[0], 0
            if state[1] - self._read > DATA:
                raise OSError(errno.EFBIG, "the file is too large", str(self._path))
            file.seek(self._read)
            data = file.read()
            complete = data[: data.rfind(b"\n") + 1]
            self._read += len(complete)
            return News(anew, complete.decode("utf-8", "replace").split("\n")[:-1])
        gone, self._file, self._read = self._file is not None, None, 0
        return News(gone, [])


def _status(descriptor: int) -> tuple[tuple[int, int], int]:
    """Return the identity and the length of a file."""
    status = os.fstat(descriptor)
    return (status.st_dev, status.st_ino), status.st_size


def last_change(folder: Path) -> float:
    """Return when a run last wrote to a file of its folder, seconds since 1970."""
    return max((path.stat().st_mtime for path in folder.glob("[!.]*.*")), default=0.0)


class Following:
    """Follows the files of a run as they grow; a resume cuts them back, and then they are read again."""

    def __init__(self, folder: RunFolder) -> None:
        """Read config.json alone; raises RunFolderError for a folder without a readable one."""
        self.folder = folder
        self.config: dict[str, Any] = folder.config()
        self.evaluations: list[Evaluation] = []
        self.rounds: list[Evaluation] = []
        """Rows of rounds.csv, of batched self-play."""
        self.curves: dict[str, Curve] = {}
        """The numbers of metrics.jsonl by name."""
        self.games = 0
        """Number of recorded training games."""
        self._outcomes = array("b")
        self._tails = {
            name: Tail(folder.path / name)
            for name in ("episodes.csv", "rounds.csv", "evaluations.csv", "metrics.jsonl")
        }
        self._config_written = 0.0
        self._heard = last_change(folder.path)

    @property
    def silent(self) -> float:
        """Seconds since the last new line."""
        return max(0.0, time.time() - self._heard)

    @property
    def view(self) -> View:
        """Whose outcomes training games show."""
        return View(is_selfplay(self.config) or known(self.config).environment_stats.opponent == SELF)

    def outcomes(self, wanted: Iterable[Outcome]) -> NDArray[np.bool_]:
        """Return which training games ended in one of some ways, bool [games recorded one by one]."""
        codes = np.frombuffer(self._outcomes, np.int8) if self._outcomes else np.zeros(0, np.int8)
        return np.isin(codes, [_CODES[outcome] for outcome in wanted])

    def look(self) -> bool:
        """Read new lines; return whether there were any.

        Raises RunFolderGoneError if the folder was deleted, RunFolderError for a damaged config.json.
        """
        self.folder.check_there()
        first = not self._config_written
        news = [self._read_config(), self._read_games(), self._read_rounds()]
        evaluated = _read_on(self._tails["evaluations.csv"], self.evaluations)
        found = any([*news, evaluated, self._read_metrics()])
        if found and not first:
            self._heard = time.time()
        return found

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
        news = _read_on(self._tails["rounds.csv"], self.rounds)
        if news:
            self.games = self.rounds[-1].episode if self.rounds else 0
        return news

    def _read_metrics(self) -> bool:
        anew, lines = self._tails["metrics.jsonl"].look()
        if anew:
            self.curves = {}
        records = [record for record in json_objects(lines) if type(record.get("episode")) is int]
        for name, (episodes, values) in curves_of(records).items():
            known = self.curves.setdefault(name, ([], []))
            known[0].extend(episodes)
            known[1].extend(values)
        return anew or bool(lines)


def _read_on(tail: Tail, known: list[Evaluation]) -> bool:
    """Append the new rows of a file; start again if the file was replaced."""
    anew, lines = tail.look()
    if anew:
        known.clear()
    known.extend(EVALUATIONS.read(lines))
    return anew or bool(lines)


def read(folder: RunFolder) -> Following:
    """Return a run with its files read to the end; raises RunFolderError."""
    run = Following(folder)
    run.look()
    return run


def running_mean(values: ArrayLike, window: int) -> NDArray[np.float64]:
    """Return the mean of the window that ends at each value, float [n]; the first windows are shorter."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(sums))
    begins = np.maximum(ends - window, 0)
    averages: NDArray[np.float64] = (sums[ends] - sums[begins]) / (ends - begins)
    return averages


def window_of(games: int) -> int:
    """Return the window of running rates, in training games, for a run of this many games."""
    return max(WINDOW, games // 100)


def curves_of(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Curve]:
    """Return the numbers of metrics.jsonl by name; what is missing or no finite number is left out."""
    curves: dict[str, Curve] = {}
    for record in metrics:
        told = record.get("agent")
        told = told if isinstance(told, Mapping) else {}
        silent = () if told.get("updates", 1) else _OF_UPDATES
        for name, value in {**record, **told}.items():
            if isinstance(value, int | float) and _is_finite(value) and name not in silent:
                episodes, values = curves.setdefault(name, ([], []))
                episodes.append(int(record["episode"]))
                values.append(float(value))
    return curves


def _is_finite(value: float) -> bool:
    """Tell whether a number can be drawn: an int of a stranger's file may be larger than any float."""
    with suppress(OverflowError):
        return isfinite(value)
    return False


def means(column: Sequence[float]) -> NDArray[np.float64]:
    """Return a column as it is, or as MEANS means of neighbours if it is longer."""
    return np.array([part.mean() for part in np.array_split(column, min(len(column), MEANS))])
