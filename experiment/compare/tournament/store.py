"""The database of a tournament: who takes part, and every game."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from experiment.compare.tournament import schema
from experiment.compare.tournament.entrants import Entrant
from experiment.compare.tournament.game import Key, Played
from experiment.compare.tournament.schema import GAME, PLAYER, StoreError, told
from experiment.run.results.lock import held

_SECONDS = 10.0
"""How long to wait for another program that has locked the file."""


class Store:
    """The players and games in a database; its methods raise StoreError."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self.size = schema.checked_size(connection, path)
        """Of the board."""
        schema.trust(connection)

    def entrants(self) -> list[Entrant]:
        """Return all players, by their ids."""
        with told(self.path):
            rows = self._connection.execute(f"SELECT {PLAYER} FROM player ORDER BY id")  # noqa: S608  constants
            found = {id_: Entrant(text, digest) for id_, text, digest in rows}
        if any(who.id != id_ for id_, who in found.items()):
            raise schema.damaged(self.path)
        return list(found.values())

    def games(self, seed: int | None = None) -> Iterator[Played]:
        """Yield all games in the order of their keys, or those of a seed."""
        chosen = "" if seed is None else "WHERE seed = ?"
        with told(self.path):
            query = f"SELECT {GAME} FROM game {chosen} ORDER BY black, white, seed, opening, repeat"  # noqa: S608  constants
            for row in self._connection.execute(query, [str(seed)] if chosen else []):
                black, white, of_seed, opening, repeat, *rest = row
                yield Played(Key(black, white, int(of_seed), opening, repeat), *rest)

    def keys(self) -> set[Key]:
        """Return which games were played."""
        with told(self.path):
            rows = self._connection.execute("SELECT black, white, seed, opening, repeat FROM game")
            return {Key(black, white, int(seed), *which) for black, white, seed, *which in rows}

    def add_entrants(self, entrants: Iterable[Entrant]) -> None:
        """Add those that are not there yet."""
        rows = [(who.id, *who) for who in entrants]
        with told(self.path), self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO player VALUES (?, ?, ?)", rows)

    def add(self, games: Iterable[Played]) -> None:
        """Add games that are not there yet, all of them or, after an error or a kill, none."""
        rows = [(*key[:2], str(key.seed), *key[3:], *rest) for key, *rest in games]
        marks = ", ".join("?" * len(GAME.split(",")))
        with told(self.path), self._connection:
            self._connection.executemany(f"INSERT INTO game VALUES ({marks})", rows)  # noqa: S608  question marks


@contextmanager
def reading(path: Path) -> Iterator[Store]:
    """Open a tournament that is there, also while another process writes to it; raise StoreError."""
    if not path.is_file():
        raise StoreError(f"there is no tournament {path}: name players to begin one")
    # Who may write leaves no files behind; who may not sees what was written before the last writer began.
    mode = "rw" if os.access(path.absolute().parent, os.W_OK) else "ro&immutable=1"
    with _connected(path, mode) as connection:
        connection.execute("PRAGMA query_only = ON")
        if schema.is_new(connection):
            raise StoreError(f"{path} is empty: no tournament was begun there")
        yield Store(path, connection)


@contextmanager
def writing(path: Path, size: int) -> Iterator[Store]:
    """Open a tournament for boards of `size`, or begin it, for this process alone.

    Raises StoreError, InUseError if another process plays it, OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with held(path), _connected(path, "rwc") as connection:
        if schema.is_new(connection):
            schema.create(connection, size)
        store = Store(path, connection)
        if store.size != size:
            raise StoreError(
                f"{path} is a tournament on {store.size}x{store.size}, not {size}x{size}: name another file"
            )
        connection.execute("PRAGMA synchronous = NORMAL")  # a kill loses nothing, a power cut the last games
        yield store


@contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    with told(path):
        where = f"file:{quote(str(path.absolute()))}?mode={mode}"
        connection = sqlite3.connect(where, timeout=_SECONDS, uri=True)
        try:
            schema.distrust(connection, path)
            yield connection
        finally:
            connection.close()
