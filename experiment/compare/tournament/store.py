"""The database of a tournament, an SQLite file with players and games. The file may be untrusted."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

import msgspec

from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.run.lock import held
from othello_lab.game import Colour
from othello_lab.game.errors import FailedError
from othello_lab.game.records import Record

VERSION = 1  # The PRAGMA user_version.
APPLICATION = 0x4F54484C  # The PRAGMA application_id, `OTHL` as a number.
# The tables have no row IDs or timestamps, so that equal games give equal content.
SCHEMA = """
CREATE TABLE tournament (       -- one row
    size INTEGER NOT NULL CHECK (size BETWEEN 4 AND 16)         -- length of a side of the board
);
CREATE TABLE player (
    id TEXT PRIMARY KEY,        -- 16 hexadecimal digits of SHA-256('["text", "digest"]'), null for no digest
    text TEXT NOT NULL,         -- registry text
    digest TEXT,                -- SHA-256 of the player's file, or of the digests of several; null without
    UNIQUE (text, digest)
) WITHOUT ROWID;
CREATE TABLE game (
    black TEXT NOT NULL REFERENCES player,
    white TEXT NOT NULL REFERENCES player,
    seed TEXT NOT NULL,         -- decimal, 0 to 2^128 - 1
    opening TEXT NOT NULL,      -- transcript of the opening, such as 'd3c3'
    repeat INTEGER NOT NULL CHECK (repeat >= 0),
    moves TEXT NOT NULL,        -- transcript of the whole game, without forced passes
    winner TEXT NOT NULL CHECK (winner IN ('black', 'white', 'draw')),
    disc_diff INTEGER,          -- black's discs minus white's at the end; null for a forfeited game
    final_score INTEGER,        -- the same with the empty squares for the winner
    forfeit TEXT,               -- the reason for a forfeit; null for a game that was played to its end
    PRIMARY KEY (black, white, seed, opening, repeat)
) WITHOUT ROWID;
"""
_TABLES = {("table", "tournament"), ("table", "player"), ("table", "game")}
# The columns of the tables `player` and `game`, in order.
PLAYER = "id, text, digest"
GAME = "black, white, seed, opening, repeat, moves, winner, disc_diff, final_score, forfeit"
DRAW = "draw"


class Key(NamedTuple):
    """The key of a game."""

    black: str  # The id of the black player.
    white: str
    seed: int
    opening: str  # The transcript of the opening, or "" for the standard start.
    repeat: int  # The index among the games with the same players, seed and opening.


class Played(NamedTuple):
    """A finished game, which is a row of the table `game`."""

    key: Key
    moves: str
    winner: str
    disc_diff: int | None
    final_score: int | None
    forfeit: str | None

    @property
    def points(self) -> float:
        """Black's points: 1, 1/2 or 0."""
        return {Colour.BLACK.value: 1.0, DRAW: 0.5}.get(self.winner, 0.0)


def finished(key: Key, record: Record) -> Played:
    """Return the row of a finished game."""
    outcome = None if record.forfeit else record.game.board.outcome()
    return Played(
        key,
        record.game.transcript(),
        record.winner.value if record.winner else DRAW,
        outcome.disc_diff if outcome else None,
        outcome.final_score if outcome else None,
        record.forfeit.reason if record.forfeit else None,
    )


_PlayerRow = tuple[str, str, str | None]
_Seed = Annotated[str, msgspec.Meta(pattern="^[0-9]{1,39}$")]
_Winner = Literal["black", "white", "draw"]
# SQLite does not enforce column types, so msgspec checks the types.
_GameRow = tuple[str, str, _Seed, str, int, str, _Winner, int | None, int | None, str | None]


class StoreError(FailedError):
    """A database cannot be used or written."""


_KEPT = "the games so far are kept, the same command goes on"
_DAMAGED = "is damaged: bring back a copy, or name another file; nothing was changed"
_MEANING = {
    "SQLITE_NOTADB": "is no SQLite database: name another file",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_FULL": f"cannot be written, the disk is full: {_KEPT}",
    "SQLITE_IOERR": f"cannot be read or written, an error of the disk: {_KEPT}",
    "SQLITE_BUSY": f"is locked by another program: wait for its end; {_KEPT}",
    "SQLITE_READONLY": "cannot be written: the file or its folder is read-only",
    "SQLITE_CANTOPEN": "cannot be opened: the file or its folder does not exist or cannot be read",
    "SQLITE_PERM": "cannot be opened: the file or its folder does not exist or cannot be read",
    "SQLITE_INTERRUPT": "takes too long to check: it is damaged, or no tournament; name another file",
}
_LOCK_SECONDS = 10.0  # timeout for a locked database
_SECONDS, _BYTES_A_SECOND = 5.0, 4_000_000  # timeout of the checks: _SECONDS + file size / _BYTES_A_SECOND
_LONGEST = 1_000_000  # maximum size of a value, in bytes
_OFTEN = 10_000  # SQLite instructions between two checks of the timeout


class Store:
    """The players and games in a database. The methods raise StoreError."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self.size = _checked_size(path, connection)  # The size of the board.

    def entrants(self) -> list[Entrant]:
        """Return all players, sorted by id."""
        with _explained(self.path):
            rows = self._connection.execute(f"SELECT {PLAYER} FROM player ORDER BY id")  # noqa: S608  constants
            players = msgspec.convert(rows.fetchall(), list[_PlayerRow])
        entrants = [Entrant(text, digest) for _, text, digest in players]
        if any(who.id != player[0] for who, player in zip(entrants, players, strict=True)):
            raise StoreError(f"{self.path} {_DAMAGED}")
        return entrants

    def games(self) -> Iterator[Played]:
        """Yield all games in the order of their keys."""
        with _explained(self.path):
            query = f"SELECT {GAME} FROM game ORDER BY black, white, seed, opening, repeat"  # noqa: S608  constants
            for row in self._connection.execute(query):
                black, white, seed, opening, repeat, *values = msgspec.convert(row, _GameRow)
                played = Played(Key(black, white, int(seed), opening, repeat), *values)
                if played.forfeit is not None and played.winner == DRAW:
                    raise msgspec.ValidationError
                yield played

    def add_entrants(self, entrants: Iterable[Entrant]) -> None:
        """Add the entrants that are not in the database yet."""
        rows = [(who.id, *who) for who in entrants]
        with _explained(self.path), self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO player VALUES (?, ?, ?)", rows)

    def add(self, games: Iterable[Played]) -> None:
        """Add new games in one transaction: the database stores either all games or none."""
        rows = [(*key[:2], str(key.seed), *key[3:], *values) for key, *values in games]
        marks = ", ".join("?" * len(GAME.split(",")))
        with _explained(self.path), self._connection:
            self._connection.executemany(f"INSERT INTO game VALUES ({marks})", rows)  # noqa: S608  question marks


@contextmanager
def reading(path: Path) -> Iterator[Store]:
    """Open an existing database for reading, even while another process writes. Raises StoreError."""
    if not path.is_file():
        raise StoreError(f"there is no tournament {path}: name players to begin one")
    # Mode rw lets SQLite remove its -wal and -shm files. `immutable` ignores games in the -wal file.
    mode = "rw" if os.access(path.absolute().parent, os.W_OK) else "ro&immutable=1"
    with _connected(path, mode) as connection:
        connection.execute("PRAGMA query_only = ON")
        if _is_new(connection):
            raise StoreError(f"{path} is empty: no tournament was begun there")
        yield Store(path, connection)


@contextmanager
def writing(path: Path, size: int) -> Iterator[Store]:
    """Open or create a database for writing, and lock the file. Raises StoreError, OSError and InUseError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with held(path), _connected(path, "rwc") as connection:
        if _is_new(connection):
            _create(connection, size)
        store = Store(path, connection)
        if store.size != size:
            raise StoreError(
                f"{path} is a tournament on {store.size}x{store.size}, not {size}x{size}: name another file"
            )
        connection.execute("PRAGMA synchronous = NORMAL")  # only a power failure can lose the last games
        yield store


@contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    with _explained(path), closing(sqlite3.connect(uri, timeout=_LOCK_SECONDS, uri=True)) as connection:
        size = path.stat().st_size if path.exists() else 0
        deadline = time.monotonic() + _SECONDS + size / _BYTES_A_SECOND
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _OFTEN)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        yield connection


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Convert SQLite errors and values of a wrong type to a StoreError that names the file."""
    try:
        yield
    except (UnicodeDecodeError, msgspec.ValidationError):
        raise StoreError(f"{path} {_DAMAGED}") from None
    except sqlite3.Error as error:
        # Reduce an extended code (SQLITE_IOERR_WRITE) to SQLITE_IOERR. Errors of sqlite3 itself have no code.
        name = "_".join(getattr(error, "sqlite_errorname", "SQLITE_CORRUPT").split("_")[:2])
        reason = " ".join(str(error).split())[:200]
        raise StoreError(f"{path} {_MEANING.get(name, f'is no tournament, or damaged: {reason}')}") from None


def _create(connection: sqlite3.Connection, size: int) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    with connection:
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA}")
        connection.execute("INSERT INTO tournament VALUES (?)", [size])
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _is_new(connection: sqlite3.Connection) -> bool:
    return not (
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        or _pragma(connection, "application_id")
        or _pragma(connection, "user_version")
    )


def _checked_size(path: Path, connection: sqlite3.Connection) -> int:
    """Check a database and return the size of its board. Raises StoreError or sqlite3.Error."""
    if _pragma(connection, "application_id") != APPLICATION:
        raise StoreError(f"{path} is a database, but no tournament: name another file")
    if (version := _pragma(connection, "user_version")) != VERSION:
        raise StoreError(
            f"{path} has version {version} of the format, this program reads version {VERSION}: "
            "use the program that wrote it, or name another file"
        )
    # Check this first: a view may be an endless query, and a trigger runs when a row is written. SQLite
    # itself creates indexes for primary keys, and tables for ANALYZE.
    for kind, name in connection.execute("SELECT type, name FROM sqlite_master LIMIT 100"):
        if (kind, name) not in _TABLES and not (kind in ("index", "table") and name.startswith("sqlite_")):
            raise StoreError(
                f"{path} has a {kind[:20]} {name[:60]!r}, as no tournament has: name another file"
            )
    # Check this before other queries, because a page cycle in a damaged file yields rows forever.
    if _pragma(connection, "quick_check(1)") != "ok":
        raise StoreError(f"{path} {_DAMAGED}")
    for columns, table in ((PLAYER, "player"), (GAME, "game")):
        connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")  # noqa: S608  constants
    sizes = connection.execute("SELECT size FROM tournament LIMIT 2").fetchall()
    strangers = connection.execute("PRAGMA foreign_key_check").fetchone()
    if len(sizes) != 1 or sizes[0][0] not in range(4, 17, 2) or strangers:
        raise StoreError(f"{path} {_DAMAGED}")
    connection.set_progress_handler(None, 0)
    return int(sizes[0][0])


def _pragma(connection: sqlite3.Connection, name: str) -> Any:  # noqa: ANN401  a number or a text
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
