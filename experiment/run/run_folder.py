"""The run folder: everything that a run leaves behind. Written by the experiment alone.

Each line is written when it is complete, so a kill loses nothing that was finished. A folder may come from a
stranger: every text that is read from it is made printable here, before anything shows it.
"""

import csv
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, NamedTuple, Self, TextIO, TypeVar

from othello_lab.experiment.run.names import is_name, run_names
from othello_lab.experiment.run.outcomes import Checkpoint, Episode, Evaluation, Outcome, Tally
from othello_lab.game.errors import FailedError, RefusedError
from othello_lab.game.files import complete_lines, csv_text, naming, read_text, replace, replace_or_remove
from othello_lab.game.notation import printable, printable_values
from othello_lab.game.registry import did_you_mean
from rlglue.messages import json_object

Record = TypeVar("Record")


class Rows(NamedTuple, Generic[Record]):
    """A CSV file's columns, and how a record becomes a row and is read from one."""

    columns: tuple[str, ...]
    row: Callable[[Record], tuple[object, ...]]
    record: Callable[[dict[str, str]], Record]
    """Raises ValueError for a row that holds none."""

    def text(self, records: Iterable[Record]) -> str:
        """Return the whole file; "" without records."""
        rows = [self.row(record) for record in records]
        return csv_text([self.columns, *rows]) if rows else ""

    def read(self, lines: Iterable[str]) -> Iterator[Record]:
        """Yield what the lines hold; the header and lines that a crash has spoilt are passed over."""
        for line in lines:
            with suppress(ValueError, csv.Error):
                # Line by line, so that a stray quote does not swallow those that follow.
                values = next(csv.reader([printable(line)], strict=True), [])
                yield self.record(dict(zip(self.columns, values, strict=True)))


def _episode_row(episode: Episode) -> tuple[object, ...]:
    """Return the row of an episode: no times, fixed formats, so the same seed gives the same bytes."""
    return (
        episode.index,
        episode.outcome,
        f"{episode.reward:.6g}",
        episode.steps,
        episode.discs_own,
        episode.discs_opponent,
        episode.colour,
        episode.illegal,
    )


def _read_episode(row: dict[str, str]) -> Episode:
    def number(name: str) -> int | None:
        return int(row[name]) if row[name] else None

    return Episode(
        int(row["episode"]),
        Outcome(row["outcome"]) if row["outcome"] else None,
        float(row["reward"]),
        int(row["steps"]),
        number("discs_own"),
        number("discs_opponent"),
        row["colour"],
        number("illegal"),
    )


def _evaluation_row(evaluation: Evaluation) -> tuple[object, ...]:
    """Return the row of an evaluation, without its notes."""
    tally = evaluation.tally
    counts = (tally.games, tally.win, tally.draw, tally.loss)
    return (evaluation.episode, evaluation.opponent, evaluation.colour, *counts)


def _read_evaluation(row: dict[str, str]) -> Evaluation:
    games, win, draw, loss = (int(row[name]) for name in ("games", "win", "draw", "loss"))
    tally = Tally(win, draw, loss, games - win - draw - loss)
    if min(win, draw, loss, tally.other) < 0:
        raise ValueError(f"{games} games cannot be {win} won, {draw} drawn and {loss} lost")
    return Evaluation(int(row["episode"]), row["opponent"], row["colour"], tally)


EPISODES = Rows(
    ("episode", "outcome", "reward", "steps", "discs_own", "discs_opponent", "colour", "illegal"),
    _episode_row,
    _read_episode,
)
EVALUATIONS = Rows(
    ("episode", "opponent", "colour", "games", "win", "draw", "loss"), _evaluation_row, _read_evaluation
)
"""Of evaluations, and of rounds of self-play."""


def json_lines(objects: Iterable[dict[str, Any]]) -> str:
    """Return lines of JSON; "" without objects."""
    return "".join(json.dumps(each) + "\n" for each in objects)


def json_objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects in lines of JSON; a crash may have spoilt some lines, which are passed over."""
    for line in lines:
        with suppress(ValueError):
            yield printable_values(json_object(line))


_TABLES = ("agent", "environment", "environment_stats", "experiment", "selfplay")
"""Parts of config.json."""


class RunFolderError(RefusedError):
    """A run folder that cannot be made, found or read."""


class RunFolderGoneError(RunFolderError, FailedError):
    """A run folder that was there, and is not any more."""


class RunFolder:
    """One run's folder, `<runs>/<name>/`; use it as a context while writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record = path / "config.json"
        self.logs = path / "logs"
        self.checkpoints = path / "checkpoints"
        self.plots = path / "plots"
        self.tensorboard = path / "tensorboard"
        self._files: dict[str, TextIO] = {}

    @classmethod
    def open(cls, runs: Path, name: str) -> "RunFolder":
        """Return the run of a name or a path; raise RunFolderError if there is none."""
        for path in (runs / name, Path(name)):
            if (path / "config.json").is_file():
                return cls(path)
        meant = did_you_mean(name, run_names(runs))
        raise RunFolderError(f"there is no run in {runs / name}: expected a folder with a config.json{meant}")

    @property
    def began(self) -> bool:
        """Whether agent and environment have met: the task is recorded then."""
        return "task_spec" in self.config()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for file in self._files.values():
            with suppress(OSError):  # each line was written at once: an error was told then
                file.close()
        self._files.clear()

    # Writing: an OSError, of a full disk for example, has the name of the file

    def check_there(self) -> None:
        """Raise RunFolderGoneError if somebody has removed the folder."""
        if not self.record.exists():
            raise RunFolderGoneError(
                f"{self.path} has gone while the run went on, and its results with it: start a new run"
            )

    def write_config(self, config: dict[str, Any]) -> None:
        """Write config.json, all of it or nothing."""
        replace(self.record, json.dumps(config, indent=2) + "\n")

    def end_session(self, session: dict[str, Any], seconds: float) -> None:
        """Record how long a session took, unless nothing was recorded of it."""
        config = self.config()
        last = (config.get("sessions") or [{}])[-1]
        if last.get("begun") == session["begun"]:
            last["seconds"] = round(seconds, 1)
            self.write_config(config)

    def record_failure(self, why: str) -> None:
        """Record in the last session why the run failed, if it had begun one."""
        config = self.config()
        if sessions := config.get("sessions"):
            sessions[-1]["error"] = why
            self.write_config(config)

    def record_length(self, games: int) -> None:
        """Record how many games a run had that was to end after a given time."""
        config = self.config()
        config["experiment"]["episodes"] = games
        self.write_config(config)

    def add_episode(self, episode: Episode) -> None:
        """Append a row to episodes.csv."""
        self._append("episodes.csv", EPISODES, episode)

    def add_evaluation(self, evaluation: Evaluation) -> None:
        """Append a row to evaluations.csv."""
        self._append("evaluations.csv", EVALUATIONS, evaluation)

    def add_round(self, results: Iterable[Evaluation]) -> None:
        """Append the games of a round of self-play to rounds.csv, a row for each opponent and colour."""
        for result in results:
            self._append("rounds.csv", EVALUATIONS, result)

    def add_metrics(self, episode: int, values: dict[str, Any]) -> None:
        """Append a line to metrics.jsonl, with the time."""
        self.check_there()  # now and then: an open file takes what is written also when it has no name
        self._add_line("metrics.jsonl", {"time": round(time.time(), 3), "episode": episode, **values})

    def add_lost(self, episode: int, game: dict[str, Any]) -> None:
        """Append a game to lost.jsonl that was played after that episode, in training or an evaluation."""
        self._add_line("lost.jsonl", {**game, "episode": episode})

    def write_checkpoints(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Record which checkpoints there are, all of them or, if a kill comes, those recorded before.

        What was written until now is on the disk first: no checkpoint is ahead of its episodes.
        """
        self.check_there()
        for name, file in self._files.items():
            with naming(self.path / name):
                os.fsync(file.fileno())
        replace(self.path / "checkpoints.jsonl", json_lines(map(asdict, checkpoints)))

    def _append(self, name: str, rows: Rows[Record], record: Record) -> None:
        with naming(self.path / name):
            self._file(name, csv_text([rows.columns])).write(csv_text([rows.row(record)]))

    def _add_line(self, name: str, line: dict[str, Any]) -> None:
        with naming(self.path / name):
            self._file(name).write(json_lines([line]))

    def _file(self, name: str, header: str = "") -> TextIO:
        """The open file, line-buffered, begun with its header."""
        if name not in self._files:
            path = self.path / name
            begin = not path.exists() or not path.stat().st_size
            self._files[name] = path.open("a", encoding="utf-8", newline="", buffering=1)
            if begin:
                self._files[name].write(header)
        return self._files[name]

    # Reading

    def config(self) -> dict[str, Any]:
        """Return what config.json holds; raise RunFolderError if it cannot be read."""
        path = self.record
        try:
            return _with_tables(printable_values(json_object(read_text(path))))
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise RunFolderError(f"{path} cannot be read: {why}; put it back, or start a new run") from None

    def episodes(self) -> list[Episode]:
        """Return the episodes recorded."""
        return list(EPISODES.read(self._lines("episodes.csv")))

    def evaluations(self) -> list[Evaluation]:
        """Return the evaluations recorded, without their notes."""
        return list(EVALUATIONS.read(self._lines("evaluations.csv")))

    def rounds(self) -> list[Evaluation]:
        """Return the results of rounds of self-play; where black and white are both its own, black's."""
        return list(EVALUATIONS.read(self._lines("rounds.csv")))

    @property
    def games_file(self) -> str:
        """The file that says how training games went: a row for each of them, or for each round."""
        return "rounds.csv" if (self.path / "rounds.csv").exists() else "episodes.csv"

    def games(self) -> int:
        """Return how many training games are recorded; with a row for each, those before the first gap."""
        if rounds := self.rounds():
            return rounds[-1].episode
        indices = [episode.index for episode in self.episodes()]
        return next((place for place, index in enumerate(indices) if index != place + 1), len(indices))

    def unreadable_rows(self) -> list[str]:
        """Say of which files lines could not be read, so that they are missing in what is shown."""
        found = {self.games_file: self.rounds() or self.episodes(), "evaluations.csv": self.evaluations()}
        written = {name: sum(1 for line in self._lines(name) if line.strip()) - 1 for name in found}
        lost = {name: written[name] - len(rows) for name, rows in found.items()}
        return [
            f"{name}: {count} line{'s' * (count != 1)} left out, which cannot be read"
            for name, count in lost.items()
            if count > 0
        ]

    def metrics(self) -> list[dict[str, Any]]:
        """Return the lines of metrics.jsonl."""
        return self._json_lines("metrics.jsonl")

    def saved(self) -> list[Checkpoint]:
        """Return the checkpoints recorded, oldest first."""
        lines = self._json_lines("checkpoints.jsonl")
        found = {line["episode"]: str(line.get("name")) for line in lines}
        return [Checkpoint(episode, name) for episode, name in sorted(found.items()) if is_name(name)]

    def _json_lines(self, name: str) -> list[dict[str, Any]]:
        """The lines that hold an object with an episode."""
        return [line for line in json_objects(self._lines(name)) if type(line.get("episode")) is int]

    def _lines(self, name: str) -> list[str]:
        return complete_lines(self.path / name)

    def cut_back(self, episode: int) -> None:
        """Discard what was recorded after that episode, to resume from there; 0: discard everything.

        The evaluations right after it go too, and are played again: some of their games may be missing.
        """
        episodes = [each for each in self.episodes() if each.index <= episode]
        evaluations = [each for each in self.evaluations() if each.episode < episode]
        rounds = [each for each in self.rounds() if each.episode <= episode]
        metrics = [line for line in self.metrics() if line["episode"] + ("evaluation" in line) <= episode]
        lost = [line for line in self._json_lines("lost.jsonl") if line["episode"] < episode]
        replace_or_remove(self.path / "episodes.csv", EPISODES.text(episodes))
        replace_or_remove(self.path / "evaluations.csv", EVALUATIONS.text(evaluations))
        replace_or_remove(self.path / "rounds.csv", EVALUATIONS.text(rounds))
        replace_or_remove(self.path / "metrics.jsonl", json_lines(metrics))
        replace_or_remove(self.path / "lost.jsonl", json_lines(lost))
        self.write_checkpoints([c for c in self.saved() if c.episode <= episode])
        if not episode:
            for path in self.tensorboard.glob("events.out.tfevents.*"):
                path.unlink()


def _with_tables(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration whose parts are tables, or not there; raise ValueError for another."""
    for part in _TABLES:
        if not isinstance(config.get(part) or {}, dict):
            raise ValueError(f"{part} is no table")
    return config
