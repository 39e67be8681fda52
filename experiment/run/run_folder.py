"""The folder and files of a run. The read functions replace unsafe characters of untrusted files."""

import csv
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple
from enum import StrEnum, auto
from pathlib import Path
from typing import Any, Self, TextIO, TypeVar

from othello_lab.experiment.run.lock import held_since
from othello_lab.experiment.run.outcomes import Checkpoint, Episode, Evaluation, Outcome, Tally
from othello_lab.experiment.run.record import RunRecord, known
from othello_lab.game.errors import FailedError, RefusedError
from othello_lab.game.notation import printable
from othello_lab.game.registry import did_you_mean
from othello_lab.game.safe_files import DATA, csv_text, naming, read_text, replace, replace_or_remove
from rlglue.messages import json_object

SUFFIX = ".safetensors"  # The suffix of checkpoints and policies.
FINAL_POLICY = "policy"  # The name of the policy at the end of a run.
START = "start"  # The name of the checkpoint from which a self-play run starts.
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")

Record = TypeVar("Record")


def is_name(text: str) -> bool:
    """Return whether a text is a valid run name."""
    return _NAME.fullmatch(text) is not None


def new_name() -> str:
    """Return a unique name for a run, with the date, the time and a random part."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"


def run_names(runs: Path) -> list[str]:
    """Return the names of the runs in a folder."""
    return sorted(path.parent.name for path in runs.glob("*/config.json"))


_EPISODES = ("episode", "outcome", "reward", "steps", "discs_own", "discs_opponent", "colour", "illegal")
_EVALUATIONS = ("episode", "opponent", "colour", "games", "win", "draw", "loss")  # also for rounds.csv


def _row(item: Episode | Evaluation) -> tuple[object, ...]:
    """Return a CSV row. The row has no times, so that equal seeds give equal bytes."""
    if isinstance(item, Episode):
        index, outcome, reward, *others = astuple(item)
        return index, outcome, f"{reward:.6g}", *others
    tally = item.tally
    return item.episode, item.opponent, item.colour, tally.games, tally.win, tally.draw, tally.loss


def _text(columns: Sequence[str], items: Sequence[Episode | Evaluation]) -> str:
    """Return the text of a CSV file, or "" without items."""
    return csv_text([columns, *map(_row, items)]) if items else ""


def _parsed(lines: Iterable[str], read: Callable[..., Record]) -> list[Record]:
    """Parse lines of CSV. Skip the header and damaged lines."""
    records = list[Record]()
    for line in lines:
        with suppress(ValueError, TypeError, csv.Error):  # TypeError: a wrong number of values
            # Parse each line separately, so that an unmatched quotation mark damages only one record.
            records.append(read(*next(csv.reader([printable(line)], strict=True), [])))
    return records


def _episode(
    index: str, outcome: str, reward: str, steps: str, own: str, opponent: str, colour: str, illegal: str
) -> Episode:
    discs_own, discs_opponent, actions = (int(text) if text else None for text in (own, opponent, illegal))
    result = Outcome(outcome) if outcome else None
    return Episode(int(index), result, float(reward), int(steps), discs_own, discs_opponent, colour, actions)


def _evaluation(episode: str, opponent: str, colour: str, *counts: str) -> Evaluation:
    games, win, draw, loss = map(int, counts)
    tally = Tally(win, draw, loss, games - win - draw - loss)
    if min(win, draw, loss, tally.other) < 0:
        raise ValueError(f"{games} games cannot be {win} won, {draw} drawn and {loss} lost")
    return Evaluation(int(episode), opponent, colour, tally)


def printable_values(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Apply `printable` to all texts in a JSON value. Raises ValueError if the nesting is too deep."""
    try:
        if isinstance(value, list):
            return [printable_values(item) for item in value]
        if isinstance(value, dict):
            return {printable(key): printable_values(item) for key, item in value.items()}
        return printable(value) if isinstance(value, str) else value
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def json_lines(objects: Iterable[dict[str, Any]]) -> str:
    """Return objects as JSON lines, or "" without objects."""
    return "".join(json.dumps(item) + "\n" for item in objects)


_TABLES = ("agent", "environment", "environment_stats", "experiment", "selfplay")  # tables in config.json


class RunFolderError(RefusedError):
    """A run folder cannot be made, found or read."""


class RunFolderGoneError(RunFolderError, FailedError):
    """The run folder was removed during the run."""


class RunFolder:
    """The folder of a run, `<runs>/<name>/`. As a context manager, a RunFolder closes its open files."""

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
        """Return the run folder with this name or path. Raises RunFolderError if there is no such run."""
        for path in (runs / name, Path(name)):
            if (path / "config.json").is_file():
                return cls(path)
        meant = did_you_mean(name, run_names(runs))
        raise RunFolderError(f"there is no run in {runs / name}: expected a folder with a config.json{meant}")

    @property
    def began(self) -> bool:
        """Whether the agent and the environment have connected."""
        return "task_spec" in self.config()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for file in self._files.values():
            with suppress(OSError):  # writing already raised any error
                file.close()
        self._files.clear()

    # Methods that write. Each OSError, such as that of a full disk, contains the file name.

    def check_there(self) -> None:
        """Raise RunFolderGoneError if the folder was removed."""
        if not self.record.exists():
            raise RunFolderGoneError(
                f"{self.path} has gone while the run went on, and its results with it: start a new run"
            )

    def write_config(self, config: dict[str, Any]) -> None:
        """Replace config.json atomically."""
        replace(self.record, json.dumps(config, indent=2) + "\n")

    def end_session(self, session: dict[str, Any], seconds: float) -> None:
        """Record the duration in seconds of `session` if it is the last session."""
        config = self.config()
        last = (config.get("sessions") or [{}])[-1]
        if last.get("begun") == session["begun"]:
            last["seconds"] = round(seconds, 1)
            self.write_config(config)

    def record_failure(self, why: str) -> None:
        """Record the error of the run in the last session."""
        config = self.config()
        if sessions := config.get("sessions"):
            sessions[-1]["error"] = why
            self.write_config(config)

    def record_length(self, games: int) -> None:
        """Record the number of games of a run with a time limit."""
        config = self.config()
        config["experiment"]["episodes"] = games
        self.write_config(config)

    def add_episode(self, episode: Episode) -> None:
        """Append a row to episodes.csv."""
        self._append("episodes.csv", _EPISODES, episode)

    def add_evaluation(self, evaluation: Evaluation) -> None:
        """Append a row to evaluations.csv."""
        self._append("evaluations.csv", _EVALUATIONS, evaluation)

    def add_round(self, results: Iterable[Evaluation]) -> None:
        """Append a self-play round to rounds.csv, with one row for each opponent and colour."""
        for result in results:
            self._append("rounds.csv", _EVALUATIONS, result)

    def add_metrics(self, episode: int, values: dict[str, Any]) -> None:
        """Append a line with values and the current time to metrics.jsonl."""
        self.check_there()  # writing to a removed file raises no error
        line = {"time": round(time.time(), 3), "episode": episode, **values}
        with naming(self.path / "metrics.jsonl"):
            self._file("metrics.jsonl").write(json_lines([line]))

    def write_checkpoints(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Flush all open files to the disk, then replace checkpoints.jsonl atomically."""
        self.check_there()
        for name, file in self._files.items():  # a checkpoint must not be newer than its episodes
            with naming(self.path / name):
                os.fsync(file.fileno())
        replace(self.path / "checkpoints.jsonl", json_lines(map(asdict, checkpoints)))

    def _append(self, name: str, columns: Sequence[str], item: Episode | Evaluation) -> None:
        with naming(self.path / name):
            self._file(name, csv_text([columns])).write(csv_text([_row(item)]))

    def _file(self, name: str, header: str = "") -> TextIO:
        """Return the file, open for line-buffered appending. A new file begins with `header`."""
        if name not in self._files:
            path = self.path / name
            is_new = not path.exists() or not path.stat().st_size
            self._files[name] = path.open("a", encoding="utf-8", newline="", buffering=1)
            if is_new:
                self._files[name].write(header)
        return self._files[name]

    # Reading

    def config(self) -> dict[str, Any]:
        """Return the content of config.json. Raises RunFolderError if the file cannot be read."""
        path = self.record
        try:
            config: dict[str, Any] = printable_values(json_object(read_text(path)))
            for part in _TABLES:
                if not isinstance(config.get(part) or {}, dict):
                    raise ValueError(f"{part} is no table")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise RunFolderError(f"{path} cannot be read: {why}; put it back, or start a new run") from None
        return config

    def read_record(self) -> RunRecord:
        """Return config.json for display. Raises RunFolderError if the file cannot be read."""
        return known(self.config())

    def episodes(self) -> list[Episode]:
        """Return the recorded episodes."""
        return _parsed(self._lines("episodes.csv"), _episode)

    def evaluations(self) -> list[Evaluation]:
        """Return the recorded evaluations, without their notes."""
        return _parsed(self._lines("evaluations.csv"), _evaluation)

    def rounds(self) -> list[Evaluation]:
        """Return the results of self-play rounds. The learner's games against itself count for black."""
        return _parsed(self._lines("rounds.csv"), _evaluation)

    @property
    def games_file(self) -> str:
        """The name of the file with the training games."""
        return "rounds.csv" if (self.path / "rounds.csv").exists() else "episodes.csv"

    def games(self) -> int:
        """Return the number of recorded training games, in episodes.csv only up to the first missing row."""
        if rounds := self.rounds():
            return rounds[-1].episode
        indices = [episode.index for episode in self.episodes()]
        return next((place for place, index in enumerate(indices) if index != place + 1), len(indices))

    def unreadable_rows(self) -> list[str]:
        """Return a message for each file with damaged rows, which tables and plots skip."""
        rows = {self.games_file: self.rounds() or self.episodes(), "evaluations.csv": self.evaluations()}
        lines = {name: sum(1 for line in self._lines(name) if line.strip()) - 1 for name in rows}
        damaged = {name: lines[name] - len(rows[name]) for name in rows}
        return [
            f"{name}: {count} line{'s' * (count != 1)} left out, which cannot be read"
            for name, count in damaged.items()
            if count > 0
        ]

    def metrics(self) -> list[dict[str, Any]]:
        """Return the lines of metrics.jsonl."""
        return self._json_lines("metrics.jsonl")

    def saved(self) -> list[Checkpoint]:
        """Return the recorded checkpoints, the oldest first."""
        names = {line["episode"]: str(line.get("name")) for line in self._json_lines("checkpoints.jsonl")}
        return [Checkpoint(episode, name) for episode, name in sorted(names.items()) if is_name(name)]

    def _json_lines(self, name: str) -> list[dict[str, Any]]:
        """Parse JSON lines. Skip damaged lines and objects without an integer `episode`."""
        objects = list[dict[str, Any]]()
        for line in self._lines(name):
            with suppress(ValueError):
                objects.append(printable_values(json_object(line)))
        return [item for item in objects if type(item.get("episode")) is int]

    def _lines(self, name: str) -> list[str]:
        """Return the complete lines of a file. A missing file has no lines."""
        path = self.path / name
        return read_text(path, DATA, errors="replace").split("\n")[:-1] if path.exists() else []

    def cut_back(self, episode: int) -> None:
        """Delete all records after `episode`, and the evaluations at `episode`, which may be incomplete."""
        episodes = [item for item in self.episodes() if item.index <= episode]
        evaluations = [item for item in self.evaluations() if item.episode < episode]
        rounds = [item for item in self.rounds() if item.episode <= episode]
        metrics = [line for line in self.metrics() if line["episode"] + ("evaluation" in line) <= episode]
        replace_or_remove(self.path / "episodes.csv", _text(_EPISODES, episodes))
        replace_or_remove(self.path / "evaluations.csv", _text(_EVALUATIONS, evaluations))
        replace_or_remove(self.path / "rounds.csv", _text(_EVALUATIONS, rounds))
        replace_or_remove(self.path / "metrics.jsonl", json_lines(metrics))
        self.write_checkpoints([item for item in self.saved() if item.episode <= episode])
        if not episode:
            for path in self.tensorboard.glob("events.out.tfevents.*"):
                path.unlink()


class RunState(StrEnum):
    """The state of a run."""

    STARTING = auto()
    RUNNING = auto()
    FINISHED = auto()
    STOPPED = auto()
    FAILED = auto()


def state_of(folder: RunFolder, record: RunRecord, is_complete: bool = False) -> RunState:
    """Return the state of a run. A killed run counts as running. `is_complete`: training is complete."""
    session = (record.sessions or [{}])[-1]
    if (since := held_since(folder.path)) is not None:
        if record.task_spec is None or since > folder.record.stat().st_mtime:  # config.json is older
            return RunState.STARTING
        if "seconds" not in session:
            return RunState.RUNNING
    if "error" in session:
        return RunState.FAILED
    return RunState.FINISHED if is_complete else RunState.STOPPED
