"""Unfinished games on disk: each move saves the game, and a later program offers it again."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from filelock import FileLock, Timeout

from othello_lab.game import Colour
from othello_lab.game.records import Record, RecordError, jsonl
from othello_lab.game.safe_files import open_regular, replace

SUFFIX = ".json"
MOST = 100
"""The number of games that are kept; older ones are deleted."""
PATIENCE = 1.0
"""Seconds to wait for a lock: a program that lists the games locks each for a moment."""
_KIND = "othello-lab unfinished game 1"
_LONGEST = 1_000_000
"""Bytes of a file that are read; no game is as long."""


@dataclass(frozen=True)
class SavedGame:
    """An unfinished game."""

    record: Record
    """The whole line."""
    ply: int
    """The number of moves before the position that was shown."""
    seats: Mapping[Colour, str | None]
    """The text of each player; None is a person."""
    adviser: str
    used: Mapping[Colour, float]
    """Seconds that each side has used."""
    saved: datetime


class SaveFile:
    """The file of one game after another; only the process with its lock writes or offers the game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Not bound to a thread: the program may begin in one thread and end in another.
        self._lock = FileLock(path.with_suffix(".lock"), thread_local=False)

    def lock(self, patience: float = 0.0) -> None:
        """Lock the file within `patience` seconds; raise OSError, or Timeout if another process has it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(timeout=patience)

    @property
    def exists(self) -> bool:
        """Whether there is a game to go on with."""
        return self.path.exists()

    def write(self, game: SavedGame) -> None:
        """Write the game atomically, and lock the file from now on; raise OSError."""
        if not self._lock.is_locked:
            self.lock()
        replace(self.path, json.dumps(_as_json(game)) + "\n")

    def delete(self) -> None:
        """Delete the game, if that is possible."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Let other programs have the file."""
        self._lock.release()
        if not self.exists:
            with suppress(OSError):
                self.path.with_suffix(".lock").unlink(missing_ok=True)


class SaveFolder:
    """The folder of the unfinished games."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new_file(self) -> SaveFile:
        """Return a file for a new game; nothing is written or locked yet."""
        return SaveFile(self.folder / f"{uuid4().hex}{SUFFIX}")

    def lock_all(self) -> tuple[list[tuple[SaveFile, SavedGame]], list[str]]:
        """Lock all games that no process plays, newest first; return also the faults of unreadable files.

        The caller releases the files.
        """
        games, faults = [], list[str]()
        for path in self._paths():
            with suppress(Timeout, OSError):
                file = SaveFile(path)
                file.lock()
                try:
                    games.append((file, read(path)))
                except RecordError as error:
                    faults.append(str(error))
                    file.release()
        games.sort(key=lambda item: item[1].saved, reverse=True)
        for file, _ in games[MOST:]:
            file.delete()
            file.release()
        return games[:MOST], faults

    def _paths(self) -> list[Path]:
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == SUFFIX)
        except OSError:  # no game was saved yet
            return []


def read(path: Path) -> SavedGame:
    """Return the game of a file; raise RecordError, in one line, if it has none."""
    try:
        with open_regular(path) as file:
            return _from_json(json.loads(file.read(_LONGEST)))
    except OSError as error:
        why = error.strerror or str(error)
    except (ValueError, OverflowError, RecursionError) as error:
        why = str(error)
    raise RecordError(f"{path} is no unfinished game: {why}")


def _as_json(game: SavedGame) -> dict[str, Any]:
    return {
        "kind": _KIND,
        "record": jsonl.as_json(game.record),
        "ply": game.ply,
        "seats": {colour.value: text for colour, text in game.seats.items()},
        "adviser": game.adviser,
        "used": {colour.value: round(seconds, 3) for colour, seconds in game.used.items()},
        "saved": game.saved.isoformat(),
    }


def _from_json(data: object) -> SavedGame:
    match data:
        case {
            "kind": str(kind),
            "record": dict(line),
            "ply": int(ply),
            "seats": {"black": None | str() as black, "white": None | str() as white},
            "adviser": str(adviser),
            "used": {"black": int() | float() as black_used, "white": int() | float() as white_used},
            "saved": str(saved),
        } if kind == _KIND:
            record = jsonl.from_json(line)
            if not 0 <= ply <= len(record.game.moves):
                raise ValueError(f"ply is {ply}, but there are {len(record.game.moves)} moves")
            seats = {Colour.BLACK: black, Colour.WHITE: white}
            used = {Colour.BLACK: float(black_used), Colour.WHITE: float(white_used)}
            when = datetime.fromisoformat(saved).astimezone(UTC)
            return SavedGame(record, ply, seats, adviser, used, when)
    raise ValueError(f"expected an object of kind {_KIND!r} with all its fields")
