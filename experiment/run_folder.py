"""The run folder: everything that a run leaves behind. Written by the experiment alone.

Each line is written when it is complete, so a kill loses nothing that was finished.
"""

import csv
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any, Self, TextIO

from experiment.evaluation import Evaluation
from experiment.loop import Episode
from experiment.outcomes import Outcome, Tally

EPISODE_COLUMNS = (
    "episode",
    "outcome",
    "reward",
    "steps",
    "discs_own",
    "discs_opponent",
    "colour",
    "illegal",
)
EVALUATION_COLUMNS = ("episode", "opponent", "colour", "games", "win", "draw", "loss")
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


class RunFolderError(ValueError):
    """A run folder that cannot be made, found or read."""


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that the agent has saved: after so many episodes, under that name."""

    episode: int
    name: str


class RunFolder:
    """One run's folder, `<runs>/<name>/`; use it as a context while writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.logs = path / "logs"
        self.checkpoints = path / "checkpoints"
        self.plots = path / "plots"
        self.tensorboard = path / "tensorboard"
        self._files: dict[str, TextIO] = {}

    @classmethod
    def create(cls, runs: Path, name: str) -> "RunFolder":
        """Make the folder of a new run; raise RunFolderError if the name is taken or is none."""
        if not _NAME.fullmatch(name):
            raise RunFolderError(f"{name!r} is no name of a run: use letters, digits, '-', '_' and '.' only")
        folder = cls(runs / name)
        try:
            folder.path.mkdir(parents=True)
            folder.logs.mkdir()
        except FileExistsError:
            raise RunFolderError(
                f"{folder.path} exists already: give another --name, or go on with it by --resume {name}"
            ) from None
        except OSError as error:
            raise RunFolderError(f"{folder.path} could not be made: {error.strerror}") from None
        return folder

    @classmethod
    def open(cls, runs: Path, name: str) -> "RunFolder":
        """Return the folder of a run given by its name or its path; raise RunFolderError if there is none."""
        for path in (runs / name, Path(name)):
            if (path / "config.json").is_file():
                return cls(path)
        raise RunFolderError(f"there is no run in {runs / name}: expected a folder with a config.json")

    def discard_if_empty(self) -> None:
        """Remove the folder of a run that never began and left no log."""
        with suppress(OSError):  # whatever is not empty stays
            self.logs.rmdir()
            self.path.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    # Writing

    def write_config(self, config: dict[str, Any]) -> None:
        """Write config.json, all of it or nothing."""
        self._replace("config.json", json.dumps(config, indent=2) + "\n")

    def add_episode(self, episode: Episode) -> None:
        """Append a row to episodes.csv: no times, fixed formats, so the same seed gives the same bytes."""
        row = (
            episode.index,
            episode.outcome,
            f"{episode.reward:.6g}",
            episode.steps,
            episode.discs_own,
            episode.discs_opponent,
            episode.colour,
            episode.illegal,
        )
        self._append_row("episodes.csv", EPISODE_COLUMNS, row)

    def add_evaluation(self, evaluation: Evaluation) -> None:
        """Append a row to evaluations.csv."""
        tally = evaluation.tally
        counts = (tally.games, tally.win, tally.draw, tally.loss)
        row = (evaluation.episode, evaluation.opponent, evaluation.colour, *counts)
        self._append_row("evaluations.csv", EVALUATION_COLUMNS, row)

    def add_metrics(self, episode: int, values: dict[str, Any]) -> None:
        """Append a line to metrics.jsonl, with the time."""
        record = {"time": round(time.time(), 3), "episode": episode, **values}
        self._file("metrics.jsonl").write(json.dumps(record) + "\n")

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Record that the agent has saved."""
        record = {"episode": checkpoint.episode, "name": checkpoint.name}
        self._file("checkpoints.jsonl").write(json.dumps(record) + "\n")

    def _append_row(self, name: str, columns: tuple[str, ...], row: tuple[object, ...]) -> None:
        csv.writer(self._file(name, columns), lineterminator="\n").writerow(row)

    def _file(self, name: str, columns: tuple[str, ...] = ()) -> TextIO:
        """The open file, line-buffered, begun with its header."""
        if name not in self._files:
            path = self.path / name
            begin = columns and (not path.exists() or not path.stat().st_size)
            self._files[name] = file = path.open("a", encoding="utf-8", newline="", buffering=1)
            if begin:
                csv.writer(file, lineterminator="\n").writerow(columns)
        return self._files[name]

    def _replace(self, name: str, text: str) -> None:
        temporary = self.path / f".{name}.tmp"
        with temporary.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path / name)

    # Reading

    def config(self) -> dict[str, Any]:
        """Return what config.json holds; raise RunFolderError if it cannot be read."""
        try:
            value: dict[str, Any] = json.loads((self.path / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise RunFolderError(f"{self.path / 'config.json'} cannot be read: {error}") from None
        return value

    def episodes(self) -> list[Episode]:
        """Return the episodes recorded."""
        return [_episode(row) for row in self._rows("episodes.csv")]

    def evaluations(self) -> list[Evaluation]:
        """Return the evaluations recorded, without their notes."""
        return [_evaluation(row) for row in self._rows("evaluations.csv")]

    def metrics(self) -> list[dict[str, Any]]:
        """Return the lines of metrics.jsonl."""
        return [json.loads(line) for line in self._lines("metrics.jsonl")]

    def newest_checkpoint(self) -> Checkpoint | None:
        """Return the last checkpoint recorded, None if there is none."""
        checkpoints = [Checkpoint(**json.loads(line)) for line in self._lines("checkpoints.jsonl")]
        return max(checkpoints, key=lambda checkpoint: checkpoint.episode, default=None)

    def _rows(self, name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(self._lines(name)))

    def _lines(self, name: str) -> list[str]:
        """The complete lines of a file; a kill may have left half a line at the end."""
        path = self.path / name
        if not path.exists():
            return []
        text = path.read_text(encoding="utf-8")
        return text[: text.rfind("\n") + 1].splitlines()

    def cut_back(self, episode: int, again: bool = False) -> None:
        """Drop everything that was recorded after so many episodes, to go on from there.

        With `again` the evaluations at that very episode go as well, since they are made anew.
        """
        self._keep("episodes.csv", lambda line: _number(line) <= episode)
        self._keep("evaluations.csv", lambda line: _number(line) <= episode - again)
        for name in ("metrics.jsonl", "checkpoints.jsonl"):
            self._keep(name, lambda line: int(json.loads(line)["episode"]) <= episode)

    def _keep(self, name: str, wanted: Callable[[str], bool]) -> None:
        lines = self._lines(name)
        if lines:
            self._replace(name, _joined(line for line in lines if wanted(line)))


def _number(line: str) -> int:
    """The episode of a row, 0 for the header."""
    first = line.partition(",")[0]
    return int(first) if first.isdigit() else 0


def _joined(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _episode(row: dict[str, str]) -> Episode:
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


def _evaluation(row: dict[str, str]) -> Evaluation:
    games, win, draw, loss = (int(row[name]) for name in ("games", "win", "draw", "loss"))
    tally = Tally(win, draw, loss, games - win - draw - loss)
    return Evaluation(int(row["episode"]), row["opponent"], row["colour"], tally)


def new_name() -> str:
    """Return a name that no other run has: date, time and a random part."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"


def versions() -> dict[str, str | None]:
    """Return the versions that a run depends on; None for a package that is not installed."""
    found: dict[str, str | None] = {"python": python_version()}
    for package in ("othello-lab", "numpy", "numba", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found
