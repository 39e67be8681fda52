"""Game records: files of games in several formats.

Read and written: JSON lines of our own, GGF, WTHOR, and transcripts (.txt). Only read: SGF and PGN. The
suffix of the file name decides; a .txt may hold any text format, or positions.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from othello_lab.game import files
from othello_lab.game.board import Board
from othello_lab.game.files import DATA, read_bytes
from othello_lab.game.game import parse_start
from othello_lab.game.notation import printable
from othello_lab.game.records import ggf, jsonl, pgn, sgf, txt, wthor
from othello_lab.game.records.record import (
    BestPlay,
    Entry,
    Forfeited,
    Record,
    RecordError,
    decoded,
    first_few,
    strict,
)

__all__ = [
    "DATABASES",
    "SIZE",
    "SUFFIXES",
    "WRITTEN",
    "BestPlay",
    "Entry",
    "Forfeited",
    "Record",
    "RecordError",
    "check_suffix",
    "entries",
    "faults_of",
    "files_of",
    "format_of",
    "of_text",
    "one",
    "read",
    "readable",
    "suffix_of",
    "write",
]

SIZE: Final = txt.SIZE
"""Of transcripts of which nothing else is said."""
WRITTEN: Final = (".jsonl", ".ggf", ".wtb", ".txt")
"""What the names of files that are written can end with."""
SUFFIXES: Final = (*WRITTEN, ".sgf", ".pgn")
"""What the names of files that are read can end with."""
DATABASES: Final = (".sqlite", ".db")
"""Suffixes of the database of a tournament, which is no file of games."""
_LOG = logging.getLogger(__name__)
_MOST_FAULTS: Final = 1000
"""The number of games that cannot be read after which a file is no file of games."""


def read(path: Path, size: int = SIZE) -> list[Record]:
    """Return the games of a file, its texts made printable.

    `size` is that of files which do not say theirs (.txt, .pgn); the others do. Raises RecordError,
    which says where the fault is, and OSError.
    """
    return strict(entries(path, size))


def readable(path: Path, size: int = SIZE) -> tuple[list[Record], list[RecordError]]:
    """Return the games of a file that can be read, and why others cannot.

    Raises RecordError where none can, and OSError.
    """
    every = entries(path, size)
    faults = faults_of(every)
    return [entry for entry in every if not isinstance(entry, RecordError)], faults


def faults_of(every: Sequence[Entry]) -> list[RecordError]:
    """Return why some games cannot be read; raise RecordError where none can."""
    faults = [entry for entry in every if isinstance(entry, RecordError)]
    if faults and len(faults) == len(every):
        raise faults[0]
    return faults


def one(path: Path, number: int = 1, size: int = SIZE) -> Record:
    """Return game `number`, from 1, of a file; raise RecordError where there is none, and OSError."""
    found = entries(path, size)
    if not 1 <= number <= len(found):
        there = f"its games are 1 to {len(found)}" if found else "it has no games"
        raise RecordError(f"{path}: there is no game {number}: {there}")
    return strict([found[number - 1]])[0]


def entries(path: Path, size: int = SIZE) -> list[Entry]:
    """Return what stands in a file, in its order: games, or in place of one why it cannot be read.

    Raises RecordError for what is no file of games, and OSError.
    """
    suffix_of(path)  # its error names the file
    found, faults = list[Entry](), 0
    try:
        for entry in _entries(path, size):
            faults += isinstance(entry, RecordError)
            if faults > _MOST_FAULTS:
                raise RecordError(f"more than {_MOST_FAULTS:,} games cannot be read; {entry}")
            found.append(_with_place(entry, path))
    except RecordError as error:
        raise _in_file(path, error) from None
    _warn(path, found)
    return found


def _warn(path: Path, found: Iterable[Entry]) -> None:
    """Log the first results that contradict the moves of their games, and how many more there are."""
    every = [
        f"{path}: game {number}: {entry.warning}"
        for number, entry in enumerate(found, 1)
        if isinstance(entry, Record) and entry.warning
    ]
    for line in first_few("warning", every, "whose result contradicts the moves"):
        _LOG.warning("%s", line)


def _with_place(entry: Entry, path: Path) -> Entry:
    return _in_file(path, entry) if isinstance(entry, RecordError) else _printable(entry)


def _in_file(path: Path, error: RecordError) -> RecordError:
    return RecordError(f"{path}: {_one_line(error)}")


def _one_line(error: RecordError) -> str:
    """Return what is wrong, in one line whatever words of a file are in it."""
    return " ".join(printable(str(error)).split())


def _printable(record: Record) -> Record:
    forfeit = record.forfeit and Forfeited(record.forfeit.by, printable(record.forfeit.reason))
    return replace(
        record,
        black=printable(record.black),
        white=printable(record.white),
        forfeit=forfeit,
        event=printable(record.event),
        date=printable(record.date),
        warning=printable(record.warning),
    )


def of_text(text: str, size: int = SIZE) -> Record:
    """Return the first game of a text in any format that is text, or the one that begins at a position.

    `size` is that of transcripts which do not say theirs. Raises ValueError.
    """
    kind = _kind_of(text)
    if kind == ".txt":
        return Record(parse_start(text, size))
    entry = next(_READERS[kind](text.encode(errors="replace"), size), RecordError("there is no game"))
    if isinstance(entry, RecordError):
        raise RecordError(_one_line(entry))
    if not entry.game.moves and entry.game.start == Board.start(entry.game.size):
        raise RecordError("there is no move in it")
    if entry.warning:
        _LOG.warning("%s", printable(entry.warning))
    return _printable(entry)


def format_of(path: Path) -> str:
    """Return the suffix of the format that a file has: a .txt may hold any that is text.

    Raises RecordError for an unknown suffix, and OSError.
    """
    suffix = suffix_of(path)
    return _kind_of(decoded(read_bytes(path, DATA))) if suffix == ".txt" else suffix


def _kind_of(text: str) -> str:
    """Return the suffix of the format in which a text begins."""
    return next((kind for kind, signs in _BEGINNINGS.items() if signs.match(text[:_LOOKED_AT])), ".txt")


_LOOKED_AT: Final = 4000
"""Characters at the beginning of a text."""
_BEGINNINGS: Final = {
    ".sgf": re.compile(r"\s*\(\s*;[^()]*\bGM\s*\[\s*[0-9]"),
    ".ggf": re.compile(r"[\s0-9]*\(\s*;"),
    ".pgn": re.compile(r'(?:\s*+(?:\{[^}]*\}|[;%].*))*+\s*\[\s*[A-Za-z]\w*\s+"'),
    ".jsonl": re.compile(r'\s*\{\s*"'),
}
_READERS: Final[dict[str, Callable[[bytes, int], Iterator[Entry]]]] = {
    ".jsonl": lambda data, _: jsonl.entries(data),
    ".ggf": lambda data, _: ggf.entries(data),
    ".txt": txt.entries,
    ".sgf": lambda data, _: sgf.entries(data),
    ".pgn": pgn.entries,
}
"""All but WTHOR's, which has names in other files."""


def _entries(path: Path, size: int) -> Iterator[Entry]:
    kind = format_of(path)
    if kind == ".wtb":
        return wthor.entries(read_bytes(path, DATA), wthor.read_names(path))
    return _READERS[kind](read_bytes(path, DATA), size)


def write(path: Path, records: Iterable[Record]) -> None:
    """Write games to the files of `files_of`.

    Raises RecordError for a game that the format cannot hold, and OSError.
    """
    _WRITERS[check_suffix(path)](path, records)


def _write_wthor(path: Path, records: Iterable[Record]) -> None:
    data, names = wthor.dump(records)
    files.replace(path, data)
    wthor.write_names(path, names)


_WRITERS: Final[dict[str, Callable[[Path, Iterable[Record]], object]]] = {
    ".jsonl": lambda path, records: files.replace(path, jsonl.dump(records)),
    ".ggf": lambda path, records: files.replace(path, ggf.dump(records)),
    ".wtb": _write_wthor,
    ".txt": lambda path, records: files.replace(path, txt.dump(records)),
}


def files_of(path: Path) -> tuple[Path, ...]:
    """Return the files that `write` makes: the one of that name, and of WTHOR those of names beside it."""
    return (path, *wthor.files_beside(path)) if path.suffix.lower() == ".wtb" else (path,)


def check_suffix(path: Path, size: int | None = None) -> str:
    """Return the suffix of a file that is to be written.

    Raises RecordError for an unknown one, or one not for boards of this size.
    """
    suffix = suffix_of(path, WRITTEN)
    if suffix == ".wtb" and size not in (None, wthor.SIZE):
        raise RecordError(f"{path}: {wthor.refusal(f'not {size}x{size}')}")
    return suffix


def suffix_of(path: Path, known: Sequence[str] = SUFFIXES) -> str:
    """Return the suffix of a file of games, by default of one to be read; raise RecordError for another."""
    suffix = path.suffix.lower()
    if suffix not in known:
        hint = "; `othello report` reads the database of a tournament" if suffix in DATABASES else ""
        raise RecordError(f"{path}: unknown format; supported: {', '.join(known)}{hint}")
    return suffix
