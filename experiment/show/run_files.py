"""A run's files, read on as they grow."""

import time
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiment.run.episodes.outcomes import Outcome
from experiment.run.evaluation.opponents import SELF
from experiment.run.evaluation.result import Evaluation
from experiment.run.record import known
from experiment.run.results.rows import (
    EPISODE_COLUMNS,
    EVALUATION_COLUMNS,
    read_episode,
    read_evaluation,
    read_rows,
)
from experiment.run.results.run_folder import RunFolder
from experiment.run.results.text_files import json_objects
from experiment.show.curves import Curve, curves_of
from experiment.show.tail import Tail, last_change
from experiment.show.view import View, is_selfplay

_CODES: dict[Outcome | None, int] = {Outcome.WIN: 0, Outcome.DRAW: 1, Outcome.LOSS: 2, None: 3}


class Following:
    """A run's files, read on; a run that is resumed cuts them back, and then they are read again."""

    def __init__(self, folder: RunFolder) -> None:
        """Begin with nothing read; raises RunFolderError for a folder without a readable config.json."""
        self.folder = folder
        self.config: dict[str, Any] = folder.config()
        self.evaluations: list[Evaluation] = []
        self.rounds: list[Evaluation] = []
        """Of self-play by the thousand."""
        self.curves: dict[str, Curve] = {}
        """The numbers of metrics.jsonl by name."""
        self.games = 0
        """How many training games are recorded."""
        self._outcomes = array("b")
        self._tails = {
            name: Tail(folder.path / name)
            for name in ("episodes.csv", "rounds.csv", "evaluations.csv", "metrics.jsonl")
        }
        self._config_written = 0.0
        self._heard = last_change(folder.path)

    @property
    def silent(self) -> float:
        """For how many seconds nothing new has come."""
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
        """Read what is new, and tell whether anything is.

        Raises RunFolderGoneError if the folder is there no more, RunFolderError for a damaged config.json.
        """
        self.folder.check_there()
        first = not self._config_written
        news = [self._read_config(), self._read_games(), self._read_rounds()]
        found = any([*news, self._read_evaluations(), self._read_metrics()])
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
        for episode in read_rows(lines, EPISODE_COLUMNS, read_episode):
            self._outcomes.append(_CODES[self.view.outcome(episode)])
            self.games = episode.index
        return anew or bool(lines)

    def _read_rounds(self) -> bool:
        news = _read_on(self._tails["rounds.csv"], self.rounds)
        if news:
            self.games = self.rounds[-1].episode if self.rounds else 0
        return news

    def _read_evaluations(self) -> bool:
        return _read_on(self._tails["evaluations.csv"], self.evaluations)

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
    """Add the new rows of a file to those that are known, or begin again with them."""
    anew, lines = tail.look()
    if anew:
        known.clear()
    known.extend(read_rows(lines, EVALUATION_COLUMNS, read_evaluation))
    return anew or bool(lines)


def read(folder: RunFolder) -> Following:
    """Return all that a run has written until now; raises RunFolderError."""
    run = Following(folder)
    run.look()
    return run
