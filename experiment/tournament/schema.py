"""The database of a tournament as a format: what it holds, its version, and what its errors mean."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = 1
"""Stands in PRAGMA user_version."""
APPLICATION = 0x4F54484C
"""Stands in PRAGMA application_id: "OTHL"."""
SCHEMA = """
CREATE TABLE tournament (       -- one row
    size INTEGER NOT NULL CHECK (size BETWEEN 4 AND 16)         -- length of a side of the board
);
CREATE TABLE player (
    id TEXT PRIMARY KEY,        -- 16 hexadecimal digits of SHA-256('["text", "digest"]'), null for no digest
    text TEXT NOT NULL,         -- registry text
    digest TEXT,                -- SHA-256 of the file behind it, or of the digests of several; null without
    UNIQUE (text, digest)
) WITHOUT ROWID;
CREATE TABLE game (
    black TEXT NOT NULL REFERENCES player,
    white TEXT NOT NULL REFERENCES player,
    seed TEXT NOT NULL,         -- decimal, 0 to 2^128 - 1
    opening TEXT NOT NULL,      -- transcript of the moves that were given, such as 'd3c3'
    repeat INTEGER NOT NULL CHECK (repeat >= 0),
    moves TEXT NOT NULL,        -- transcript of the whole game; forced passes are not written
    winner TEXT NOT NULL CHECK (winner IN ('black', 'white', 'draw')),
    disc_diff INTEGER,          -- black's discs minus white's at the end; null for a forfeited game
    final_score INTEGER,        -- the same with the empty squares for the winner
    forfeit TEXT,               -- why the loser could not go on; null for a game that came to its end
    PRIMARY KEY (black, white, seed, opening, repeat)
) WITHOUT ROWID;
"""
"""No numbers of rows, no times: the same games are the same content, whenever and wherever played."""
PLAYER, GAME = (
    "id, text, digest",
    "black, white, seed, opening, repeat, moves, winner, disc_diff, final_score, forfeit",
)
"""The columns of both tables in their order."""


class StoreError(ValueError):
    """A database that cannot be used, or written to."""


_STRANGE = """
SELECT 1 FROM player
WHERE typeof(id) <> 'text' OR typeof(text) <> 'text' OR typeof(digest) NOT IN ('text', 'null')
UNION ALL
SELECT 1 FROM game
WHERE typeof(seed) <> 'text' OR seed GLOB '*[^0-9]*' OR length(seed) NOT BETWEEN 1 AND 39
   OR typeof(opening) <> 'text' OR typeof(repeat) <> 'integer' OR typeof(moves) <> 'text'
   OR winner NOT IN ('black', 'white', 'draw') OR typeof(forfeit) NOT IN ('text', 'null')
   OR typeof(disc_diff) NOT IN ('integer', 'null') OR typeof(final_score) NOT IN ('integer', 'null')
   OR (forfeit IS NOT NULL AND winner = 'draw')
LIMIT 1
"""
"""Finds rows of which the program cannot have written any: a column of SQLite takes values of all types."""
_KEPT = "the games so far are kept, the same command goes on"
_MEANING = {
    "SQLITE_NOTADB": "is no SQLite database: name another file",
    "SQLITE_CORRUPT": "is damaged: bring back a copy, or name another file; nothing was changed",
    "SQLITE_FULL": f"cannot be written, the disk is full: {_KEPT}",
    "SQLITE_IOERR": f"cannot be read or written, an error of the disk: {_KEPT}",
    "SQLITE_BUSY": f"is locked by another program: wait for its end; {_KEPT}",
    "SQLITE_READONLY": "cannot be written: it, or its folder, is read-only",
    "SQLITE_CANTOPEN": "cannot be opened: it, or its folder, is not there or not to be read",
    "SQLITE_PERM": "cannot be opened: it, or its folder, is not there or not to be read",
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite into StoreError, with what they mean for this file."""
    try:
        yield
    except sqlite3.Error as error:
        # SQLITE_IOERR_WRITE is a kind of SQLITE_IOERR.
        name = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
        meaning = _MEANING.get(name, f"is no tournament, or damaged: {error}")
        raise StoreError(f"{path} {meaning}") from None


def damaged(path: Path) -> StoreError:
    """Return the error of a database whose content cannot be."""
    return StoreError(f"{path} {_MEANING['SQLITE_CORRUPT']}")


def checked_size(connection: sqlite3.Connection, path: Path) -> int:
    """Return the size of the board; raise StoreError or sqlite3.Error for what is no whole tournament."""
    application, version = (_pragma(connection, name) for name in ("application_id", "user_version"))
    if application != APPLICATION:
        raise StoreError(f"{path} is a database, but no tournament: name another file")
    if version != VERSION:
        raise StoreError(
            f"{path} has version {version} of the format, this program reads version {VERSION}: "
            "use the program that wrote it, or name another file"
        )
    sizes = connection.execute("SELECT size FROM tournament").fetchall()
    strangers = connection.execute("PRAGMA foreign_key_check").fetchone()
    if _pragma(connection, "quick_check(1)") != "ok" or len(sizes) != 1 or strangers:
        raise damaged(path)
    for columns, table in ((PLAYER, "player"), (GAME, "game")):
        connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")  # noqa: S608  constants
    if connection.execute(_STRANGE).fetchone():
        raise damaged(path)
    return int(sizes[0][0])


def is_new(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing was ever written there."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return not (tables or _pragma(connection, "application_id") or _pragma(connection, "user_version"))


def create(connection: sqlite3.Connection, size: int) -> None:
    """Write the schema, all of it or nothing."""
    connection.execute("PRAGMA journal_mode = WAL")
    with connection:
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA}")
        connection.execute("INSERT INTO tournament VALUES (?)", [size])
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
