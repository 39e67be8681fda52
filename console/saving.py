"""Unfinished games on disk: kept while they go on, and offered again."""

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
from othello_lab.game.files import open_regular, replace
from othello_lab.game.records import Record, RecordError, jsonl

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


PATIENCE = 1.0
"""Seconds: whoever looks at all games holds each for a moment."""


class Place:
    """Where one game after another is kept; while this process holds it, no other writes or offers it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Not bound to a thread: the one that ends a program need not be the one that began it.
        self._lock = FileLock(path.with_suffix(".lock"), thread_local=False)

    def hold(self, patience: float = 0.0) -> None:
        """Hold the place; raise OSError where it cannot be, filelock.Timeout where another does.

        `patience` is how many seconds the other has to let it go.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(timeout=patience)

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
        with open_regular(path) as file:
            return _from_json(json.loads(file.read(_LONGEST)))
    except OSError as error:
        why = error.strerror or str(error)
    except (ValueError, OverflowError, RecursionError) as error:
        why = str(error)
    raise RecordError(f"{path} is no unfinished game: {why}")


def _as_json(kept: KeptGame) -> dict[str, Any]:
    return {
        "kind": _KIND,
        "record": jsonl.as_json(kept.record),
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
            found = jsonl.from_json(record)
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
