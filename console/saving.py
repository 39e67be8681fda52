"""Save unfinished games on disk, so that the next `othello play` can continue them."""

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
"""The largest number of saved games. The oldest games are deleted first."""
PATIENCE = 1.0
"""The longest wait for a lock, in seconds. A program that lists the games locks each file for a moment."""
_KIND = "othello-lab unfinished game 1"
_LONGEST = 1_000_000
"""The largest number of bytes that are read from a file. Every game is shorter."""


@dataclass(frozen=True)
class SavedGame:
    """An unfinished game."""

    record: Record
    """The game with all moves, including the moves that the person can redo."""
    ply: int
    """The number of moves before the shown position."""
    seats: Mapping[Colour, str | None]
    """The text of the player of each side, such as `level:3`, or None for a person."""
    adviser: str
    saved: datetime


class SaveFile:
    """A file with one unfinished game, and its lock. Only the process that holds the lock uses the game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # One thread may lock the file and another thread may release it, so the lock is not thread-local.
        self._lock = FileLock(path.with_suffix(".lock"), thread_local=False)

    def lock(self, patience: float = 0.0) -> None:
        """Lock the file. Wait at most `patience` seconds.

        Raises Timeout if another process holds the lock, and OSError if the file cannot be locked.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(timeout=patience)

    @property
    def exists(self) -> bool:
        """Whether the file contains a game."""
        return self.path.exists()

    def write(self, game: SavedGame) -> None:
        """Lock the file if necessary, and write the game atomically. Raises OSError if this fails."""
        if not self._lock.is_locked:
            self.lock()
        replace(self.path, json.dumps(_as_json(game)) + "\n")

    def delete(self) -> None:
        """Delete the game. Errors are ignored."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Unlock the file."""
        self._lock.release()
        if not self.exists:
            with suppress(OSError):
                self.path.with_suffix(".lock").unlink(missing_ok=True)


class SaveFolder:
    """The folder of the unfinished games."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new_file(self) -> SaveFile:
        """Return a file for a new game. The file is not written or locked yet."""
        return SaveFile(self.folder / f"{uuid4().hex}{SUFFIX}")

    def lock_all(self) -> tuple[list[tuple[SaveFile, SavedGame]], list[str]]:
        """Lock the unlocked games and return them, newest first, with error lines for unreadable files.

        The caller must release the files.
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
        except OSError:  # the folder does not exist, because no game was saved yet
            return []


def read(path: Path) -> SavedGame:
    """Read the game of a file. Raises RecordError with a one-line message if there is no valid game."""
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
            "saved": str(saved),
        } if kind == _KIND:
            record = jsonl.from_json(line)
            if not 0 <= ply <= len(record.game.moves):
                raise ValueError(f"ply is {ply}, but there are {len(record.game.moves)} moves")
            seats = {Colour.BLACK: black, Colour.WHITE: white}
            when = datetime.fromisoformat(saved).astimezone(UTC)
            return SavedGame(record, ply, seats, adviser, when)
    raise ValueError(f"expected an object of kind {_KIND!r} with all its fields")
