"""Save unfinished games to disk, so that `othello play` can resume them."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import msgspec
from filelock import FileLock, Timeout

from othello_lab.game import Colour, Game
from othello_lab.game.records import Record, RecordError, jsonl
from othello_lab.game.safe_files import open_regular, replace

SUFFIX = ".json"
MOST = 100  # The maximum number of saved games. The oldest games are deleted first.
_PATIENCE = 1.0  # The lock timeout in seconds, because `saved_games` briefly locks each file.
_LONGEST = 1_000_000  # The maximum number of bytes read from a file. Every saved game is smaller.


class SavedGame(msgspec.Struct, tag_field="kind", tag="othello-lab unfinished game 1"):
    """An unfinished game."""

    game: Game = msgspec.field(name="record")  # The game with all moves, including moves to redo.
    ply: int  # The number of moves before the shown position.
    seats: Mapping[Colour, str | None]  # Each side's player text, such as `level:3`, or None for a person.
    adviser: str
    saved: Annotated[datetime, msgspec.Meta(tz=True)]

    def __post_init__(self) -> None:
        """Raise ValueError if the fields are inconsistent."""
        if not 0 <= self.ply <= len(self.game.moves):
            raise ValueError(f"ply is {self.ply}, but there are {len(self.game.moves)} moves")
        if {*self.seats} != {*Colour}:
            raise ValueError("seats: expected black and white")


class SaveFile:
    """The file of one unfinished game, with a lock. Only the process that holds the lock uses the game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # The lock is not thread-local, because different threads may lock and release the file.
        self._lock = FileLock(path.with_suffix(".lock"), thread_local=False)

    def lock(self, patience: float = 0.0) -> None:
        """Lock the file with a timeout of `patience` seconds. Raises Timeout or OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(timeout=patience)

    def open(self) -> SavedGame:
        """Lock the file and return the game. Raises RecordError, and the errors of `lock`."""
        self.lock(_PATIENCE)
        try:
            return read(self.path)
        except RecordError:
            self.release()
            raise

    @property
    def exists(self) -> bool:
        """Whether the file exists."""
        return self.path.exists()

    def write(self, game: SavedGame) -> None:
        """Lock the file if necessary, and write the game atomically. Raises OSError on failure."""
        if not self._lock.is_locked:
            self.lock()
        text = msgspec.json.encode(game, enc_hook=lambda game: jsonl.as_json(Record(game)))
        replace(self.path, text + b"\n")

    def delete(self) -> None:
        """Delete the game. Ignore errors."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Unlock the file."""
        self._lock.release()
        if not self.exists:
            with suppress(OSError):
                self.path.with_suffix(".lock").unlink(missing_ok=True)


def new_file(folder: Path) -> SaveFile:
    """Return a file for a new game, not yet written or locked."""
    return SaveFile(folder / f"{uuid4().hex}{SUFFIX}")


def saved_games(folder: Path) -> tuple[list[tuple[SaveFile, SavedGame]], list[str]]:
    """Return up to MOST unlocked games, newest first, and file errors. Delete older unlocked games."""
    games, faults = [], list[str]()
    for path in folder.glob(f"*{SUFFIX}"):
        file = SaveFile(path)
        with suppress(Timeout, OSError):
            file.lock()
            try:
                games.append((file, read(path)))
            except RecordError as error:
                faults.append(str(error))
            file.release()
    games.sort(key=lambda item: item[1].saved, reverse=True)
    for file, _ in games[MOST:]:
        file.delete()
    return games[:MOST], faults


def read(path: Path) -> SavedGame:
    """Read a saved game. Raises RecordError, with a one-line message, for an unreadable or invalid file."""
    try:
        with open_regular(path) as file:
            text = file.read(_LONGEST)
        return msgspec.json.decode(text, type=SavedGame, dec_hook=lambda _, data: jsonl.from_json(data).game)
    except OSError as error:
        why = error.strerror or str(error)
    except (msgspec.DecodeError, ValueError, OverflowError, RecursionError) as error:
        why = str(error)
    raise RecordError(f"{path} is no unfinished game: {why}")
