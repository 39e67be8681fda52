"""Games on disk: files that a person names, and unfinished games, kept while they go on and offered again."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from filelock import FileLock, Timeout

from othello_lab.game import Colour, records
from othello_lab.game.files import replace
from othello_lab.game.records import (
    SIZE,
    SUFFIXES,
    Record,
    RecordError,
    check_suffix,
    files_of,
    jsonl,
    one,
    write,
)
from othello_lab.game.records.record import strict


def save(path: Path, record: Record, overwrite: bool = False) -> None:
    """Write one game to a file in the format of its suffix.

    Raises RecordError, in one line, where the file is there and not to be overwritten, where it cannot be
    written, and for a game that the format cannot hold.
    """
    check_suffix(path, record.game.size)
    for file in files_of(path):
        if file.exists() and not overwrite:
            raise RecordError(f"{file} is there already: name a new file")
    try:
        write(path, [record])
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror or error}") from None


def load(text: str, number: int = 1, size: int = SIZE) -> Record:
    """Return game `number`, from 1, of the file that a text names, or the game that a text says.

    `size` is that of transcripts that say none. Raises RecordError, in one line, where it is missing.
    """
    path = path_of(text)
    if path.suffix.lower() in SUFFIXES:
        return _of_file(path, number, size)
    if number > 1:
        raise RecordError(f"there is no game {number}: moves or a position are one game, a file has several")
    return of_text(text, size)


def of_text(text: str, size: int) -> Record:
    """Return the game of a transcript or of SGF, PGN or GGF, or the one that begins at a position.

    Raises RecordError, which says what else there could be.
    """
    try:
        return records.of_text(text, size)
    except ValueError as error:
        kinds = ", ".join(SUFFIXES)
        raise RecordError(f"{error} (the name of a file of games ends with {kinds})") from None


def path_of(text: str) -> Path:
    """Return the path that a person typed, `~` being the home; raise RecordError for what names no path."""
    if "\0" in text:
        raise RecordError("no file has a name with the character of code 0")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError as error:  # the home of a user that does not exist
        raise RecordError(f"{text}: {error}") from None


def is_there(name: str) -> bool:
    """Tell whether there is a file of a name that a person typed."""
    try:
        return path_of(name).exists()
    except (RecordError, OSError):
        return False


def _of_file(path: Path, number: int, size: int) -> Record:
    try:
        return one(path, number, size)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror or error}") from None


SUFFIX = ".json"
MOST = 100
"""This many games are kept; of more the oldest are dropped."""
_KIND = "othello-lab unfinished game 1"
_LONGEST = 1_000_000
"""Bytes of a file that is looked at; no game is as long."""


@dataclass(frozen=True)
class KeptGame:
    """All that is needed to go on with a game."""

    record: Record
    """The whole line."""
    ply: int
    """How many of its moves are made; what follows can be made again."""
    seats: Mapping[Colour, str | None]
    """What each player is made from; None is a person."""
    adviser: str
    """What the giver of hints is made from."""
    used: Mapping[Colour, float]
    """Seconds that each side has used."""
    saved: datetime


class Place:
    """Where one game after another is kept; while this process holds it, no other writes or offers it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Not bound to a thread: the one that ends a program need not be the one that began it.
        self._lock = FileLock(path.with_suffix(".lock"), thread_local=False)

    def hold(self) -> None:
        """Hold the place; raise OSError where it cannot be, filelock.Timeout where another process does."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(timeout=0)

    @property
    def is_keeping(self) -> bool:
        """Whether there is a game that could be gone on with."""
        return self.path.exists()

    def keep(self, kept: KeptGame) -> None:
        """Write the game, all or nothing, and hold the place from now on; raise OSError."""
        if not self._lock.is_locked:
            self.hold()
        replace(self.path, json.dumps(_as_json(kept)) + "\n")

    def drop(self) -> None:
        """Keep nothing any more; what cannot be deleted stays."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def forget(self) -> None:
        """Keep nothing any more, and let the place go."""
        self.drop()
        self.close()

    def close(self) -> None:
        """Let others have what is kept here."""
        self._lock.release()
        if not self.is_keeping:
            with suppress(OSError):
                self.path.with_suffix(".lock").unlink(missing_ok=True)


class Shelf:
    """The folder of the games that are kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self) -> Place:
        """Return a place for a new game, which nobody holds before there is something to keep."""
        return Place(self.folder / f"{uuid4().hex}{SUFFIX}")

    def take(self) -> tuple[list[tuple[Place, KeptGame]], list[str]]:
        """Hold all games that no process plays, the newest first; return also what is wrong with other files.

        Close the places that are not wanted. Files that are no games are left alone.
        """
        taken, complaints = [], list[str]()
        for path in self._files():
            with suppress(Timeout, OSError):
                place = Place(path)
                place.hold()
                try:
                    taken.append((place, read(path)))
                except RecordError as error:
                    complaints.append(str(error))
                    place.close()
        taken.sort(key=lambda found: found[1].saved, reverse=True)
        for place, _ in taken[MOST:]:
            place.forget()
        return taken[:MOST], complaints

    def _files(self) -> list[Path]:
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == SUFFIX)
        except OSError:  # nothing was ever kept
            return []


def read(path: Path) -> KeptGame:
    """Return the game in a file; raise RecordError, in one line, for a file that holds none."""
    try:
        with path.open("rb") as file:
            return _from_json(json.loads(file.read(_LONGEST)))
    except OSError as error:
        why = error.strerror or str(error)
    except (ValueError, RecursionError) as error:
        why = str(error)
    raise RecordError(f"{path} is no unfinished game: {why}")


def _as_json(kept: KeptGame) -> dict[str, Any]:
    return {
        "kind": _KIND,
        "record": json.loads(jsonl.dump([kept.record])),
        "ply": kept.ply,
        "seats": {colour.value: text for colour, text in kept.seats.items()},
        "adviser": kept.adviser,
        "used": {colour.value: round(seconds, 3) for colour, seconds in kept.used.items()},
        "saved": kept.saved.isoformat(),
    }


def _from_json(data: object) -> KeptGame:
    """Return the game; raise ValueError for anything else."""
    match data:
        case {
            "kind": str(kind),
            "record": dict(record),
            "ply": int(ply),
            "seats": {"black": None | str() as black, "white": None | str() as white},
            "adviser": str(adviser),
            "used": {"black": int() | float() as black_used, "white": int() | float() as white_used},
            "saved": str(saved),
        } if kind == _KIND:
            (found,) = strict(jsonl.entries(json.dumps(record).encode()))
            if not 0 <= ply <= len(found.game.moves):
                raise ValueError(f"ply is {ply}, but there are {len(found.game.moves)} moves")
            return KeptGame(
                found,
                ply,
                {Colour.BLACK: black, Colour.WHITE: white},
                adviser,
                {Colour.BLACK: float(black_used), Colour.WHITE: float(white_used)},
                datetime.fromisoformat(saved).astimezone(UTC),
            )
    raise ValueError(f"expected an object of kind {_KIND!r} with all its fields")
