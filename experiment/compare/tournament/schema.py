"""The database of a tournament as a format: what it holds, its version, and what its errors mean."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
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
    "SQLITE_INTERRUPT": "takes too long to check: it is damaged, or no tournament; name another file",
}
_SECONDS, _BYTES_A_SECOND = 5.0, 4_000_000
"""How long checking a file may take: so long, and so long for its size. It usually takes an eighth."""
_OFTEN = 10_000
"""Instructions of SQLite between two looks at the clock."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite into StoreError, with what they mean for this file."""
    try:
        yield
    except UnicodeDecodeError:
        raise damaged(path) from None
    except sqlite3.Error as error:
        # SQLITE_IOERR_WRITE is a kind of SQLITE_IOERR. Python's own complaints, as of text, have no name.
        name = "_".join(getattr(error, "sqlite_errorname", "SQLITE_CORRUPT").split("_")[:2])
        reason = " ".join(str(error).split())[:200]
        meaning = _MEANING.get(name, f"is no tournament, or damaged: {reason}")
        raise StoreError(f"{path} {meaning}") from None


def distrust(connection: sqlite3.Connection, path: Path) -> None:
    """Have SQLite take nothing in a file for granted, and give up what takes too long, until `trust`."""
    deadline = time.monotonic() + _SECONDS + (path.stat().st_size if path.exists() else 0) / _BYTES_A_SECOND
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _OFTEN)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def trust(connection: sqlite3.Connection) -> None:
    """Let queries take as long as they take: the file has been checked."""
    connection.set_progress_handler(None, 0)


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
    _check_schema(connection, path)
    # Before any other query: pages that lead to each other in circles have rows without end.
    if _pragma(connection, "quick_check(1)") != "ok":
        raise damaged(path)
    sizes = connection.execute("SELECT size FROM tournament LIMIT 2").fetchall()
    strangers = connection.execute("PRAGMA foreign_key_check").fetchone()
    if len(sizes) != 1 or sizes[0][0] not in range(4, 17, 2) or strangers:
        raise damaged(path)
    if connection.execute(_STRANGE).fetchone():
        raise damaged(path)
    return int(sizes[0][0])


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError or sqlite3.Error for anything else than the tables of a tournament.

    A view, which may be a query without end, a trigger or a table that computes runs when it is read from or
    written to.
    """
    found = _schema_of(connection)
    for kind, name in found:
        if (kind, name) not in _own_schema():
            raise StoreError(
                f"{path} has a {kind[:20]} {name[:60]!r}, as no tournament has: name another file"
            )
    for columns, table in ((PLAYER, "player"), (GAME, "game")):
        connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")  # noqa: S608  constants
    if found != _own_schema():
        raise StoreError(f"{path} has tables that this program has not made: name another file")


_Schema = dict[tuple[str, str], str]
"""The text of each table, without comments, by its kind and name."""


@cache
def _own_schema() -> _Schema:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return _schema_of(connection)


def _schema_of(connection: sqlite3.Connection) -> _Schema:
    """Return what a database consists of, besides SQLite's own indexes and what it counts for its planner."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE NOT (type = 'index' AND sql IS NULL)"
        " AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')) LIMIT 100"
    )
    return {(str(kind), str(name)): _without_comments(str(sql)) for kind, name, sql in rows}


def _without_comments(sql: str) -> str:
    return " ".join(re.sub(r"--[^\n]*", "", sql).split())


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
