"""The games of a tournament, and the database that keeps them and who takes part."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from othello_lab.experiment.compare.tournament import schema
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.compare.tournament.schema import GAME, PLAYER, StoreError, told
from othello_lab.experiment.run.lock import held
from othello_lab.game import Colour
from othello_lab.game.records import Record

DRAW = "draw"


class Key(NamedTuple):
    """Which game it is."""

    black: str
    """The player's id, as is `white`."""
    white: str
    seed: int
    opening: str
    """The transcript of the moves that are given; "" is the standard start."""
    repeat: int
    """Counts from 0 the games that are alike in all else."""


class Played(NamedTuple):
    """A finished game."""

    key: Key
    moves: str
    """The whole transcript, the opening included; forced passes are not written."""
    winner: str
    """black, white or draw."""
    disc_diff: int | None
    """Black's discs minus white's at the end; None if the game was forfeited."""
    final_score: int | None
    """The same with the empty squares for the winner."""
    forfeit: str | None
    """Why the loser could not go on; None for a game that came to its end on the board."""

    @property
    def points(self) -> float:
        """What it brought black: 1, 1/2 or 0."""
        return {Colour.BLACK.value: 1.0, DRAW: 0.5}.get(self.winner, 0.0)


def finished(key: Key, record: Record) -> Played:
    """Return what is kept of a game that was played."""
    outcome = None if record.forfeit else record.game.board.outcome()
    return Played(
        key,
        record.game.transcript(),
        record.winner.value if record.winner else DRAW,
        outcome.disc_diff if outcome else None,
        outcome.final_score if outcome else None,
        record.forfeit.reason if record.forfeit else None,
    )


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

    def games(self) -> Iterator[Played]:
        """Yield all games in the order of their keys."""
        with told(self.path):
            query = f"SELECT {GAME} FROM game ORDER BY black, white, seed, opening, repeat"  # noqa: S608  constants
            for row in self._connection.execute(query):
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
