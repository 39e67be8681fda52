"""Files of games in several formats. The suffix decides the format, but .txt may hold any text format."""

import codecs
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from othello_lab.game import safe_files
from othello_lab.game.board import Board
from othello_lab.game.game import parse_start
from othello_lab.game.notation import USUAL_SIZE, printable
from othello_lab.game.records import ggf, jsonl, pgn, sgf, txt, wthor
from othello_lab.game.records.record import Entry, Forfeited, Record, RecordError, first_few
from othello_lab.game.safe_files import DATA, read_bytes

__all__ = ["Entry", "Forfeited", "Record", "RecordError"]

WRITTEN: Final = (".jsonl", ".ggf", ".wtb", ".txt")  # The suffixes of the output formats.
SUFFIXES: Final = (*WRITTEN, ".sgf", ".pgn")  # The suffixes of the input formats.
DATABASES: Final = (".sqlite", ".db")  # The database of a tournament, which is not a file of games.
_LOG = logging.getLogger(__name__)
_MOST_FAULTS: Final = 1000  # The maximum number of unreadable games in a file of games.
_LOOKED_AT: Final = 4000  # The length of the prefix that identifies a text format.
_UTF16: Final = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


class _Format(NamedTuple):
    """The pattern and the functions of a text format."""

    beginning: str  # A regular expression for the prefix of a text in this format.
    # The parser of a text. The second argument is the default board size.
    entries: Callable[[str, int], Iterator[Entry]]
    dump: Callable[[Iterable[Record]], str] | None = None


# All formats except WTHOR, which is binary. A .txt file has the first format whose pattern matches.
_TEXT_FORMATS: Final = {
    ".sgf": _Format(r"\s*\(\s*;[^()]*\bGM\s*\[\s*[0-9]", sgf.entries),
    ".ggf": _Format(r"[\s0-9]*\(\s*;", ggf.entries, ggf.dump),
    ".pgn": _Format(r'(?:\s*+(?:\{[^}]*\}|[;%].*))*+\s*\[\s*[A-Za-z]\w*\s+"', pgn.entries),
    ".jsonl": _Format(r'\s*\{\s*"', jsonl.entries, jsonl.dump),
    ".txt": _Format("", txt.entries, txt.dump),
}


def readable(path: Path, size: int = USUAL_SIZE) -> tuple[list[Record], list[RecordError]]:
    """Return the readable games and the errors of a file. Raises RecordError if no game is readable."""
    listing = entries(path, size)
    faults = faults_of(listing)
    return [entry for entry in listing if isinstance(entry, Record)], faults


def faults_of(listing: Sequence[Entry]) -> list[RecordError]:
    """Return the errors among the entries. If there is no game, raise the first error."""
    faults = [entry for entry in listing if isinstance(entry, RecordError)]
    if faults and len(faults) == len(listing):
        raise faults[0]
    return faults


def one(path: Path, number: int = 1, size: int = USUAL_SIZE) -> Record:
    """Return one game of a file. Games are numbered from 1. Raises RecordError or OSError."""
    listing = entries(path, size)
    if not 1 <= number <= len(listing):
        there = f"its games are 1 to {len(listing)}" if listing else "it has no games"
        raise RecordError(f"{path}: there is no game {number}: {there}")
    entry = listing[number - 1]
    if isinstance(entry, RecordError):
        raise entry
    return entry


def entries(path: Path, size: int = USUAL_SIZE) -> list[Entry]:
    """Return the games and errors of a file. `size` is the default size. Raises RecordError or OSError."""
    suffix, data = suffix_of(path), read_bytes(path, DATA)
    if suffix == ".wtb":
        found = wthor.entries(data, *(wthor.names_beside(path, beside) for beside in (".jou", ".trn")))
    else:
        text = _decoded(data)
        found = _TEXT_FORMATS[_format_of(text) if suffix == ".txt" else suffix].entries(text, size)
    listing, faults = list[Entry](), 0
    try:
        for entry in found:
            faults += isinstance(entry, RecordError)
            if faults > _MOST_FAULTS:
                raise RecordError(f"more than {_MOST_FAULTS:,} games cannot be read; {entry}")
            listing.append(_clean(entry, f"{path}: "))
    except RecordError as error:
        raise _one_line(error, f"{path}: ") from None
    warnings = [
        f"{path}: game {number}: {entry.warning}"
        for number, entry in enumerate(listing, 1)
        if isinstance(entry, Record) and entry.warning
    ]
    for line in first_few(warnings, "warning", "whose result contradicts the moves"):
        _LOG.warning("%s", line)
    return listing


def _decoded(data: bytes) -> str:
    """Decode UTF-8, UTF-16 with a byte order mark, or Latin-1, and normalise line ends to \\n."""
    try:
        text = data.decode("utf-16" if data.startswith(_UTF16) else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-16", "replace") if data.startswith(_UTF16) else data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _one_line(error: RecordError, place: str = "") -> RecordError:
    """Return the error with the prefix `place` in one line. A message may quote several lines of a file."""
    return RecordError(place + " ".join(printable(str(error)).split()))


def _clean(entry: Entry, place: str = "") -> Entry:
    """Make all texts of an entry printable."""
    if isinstance(entry, RecordError):
        return _one_line(entry, place)
    texts: dict[str, Any] = {name: printable(text) for name, text in vars(entry).items() if type(text) is str}
    forfeit = entry.forfeit and Forfeited(entry.forfeit.by, printable(entry.forfeit.reason))
    return replace(entry, forfeit=forfeit, **texts)


def of_text(text: str, size: int = USUAL_SIZE) -> Record:
    """Return the first game of a text in any format, or a position. Raises ValueError if there is no game."""
    suffix = _format_of(text)
    if suffix == ".txt":
        return Record(parse_start(text, size))
    clean = _decoded(text.encode(errors="replace"))
    entry = _clean(next(_TEXT_FORMATS[suffix].entries(clean, size), RecordError("there is no game")))
    if isinstance(entry, RecordError):
        raise entry
    if not entry.game.moves and entry.game.start == Board.start(entry.game.size):
        raise RecordError("there is no move in it")
    if entry.warning:
        _LOG.warning("%s", entry.warning)
    return entry


def _format_of(text: str) -> str:
    """Return the suffix of the first format whose pattern matches a text."""
    begin = text[:_LOOKED_AT]
    return next(suffix for suffix, form in _TEXT_FORMATS.items() if re.match(form.beginning, begin))


def write(path: Path, records: Iterable[Record]) -> None:
    """Write games to the files of `files_of`. Raises RecordError for an unsupported game, or OSError."""
    form = _TEXT_FORMATS.get(check_suffix(path))
    if form and form.dump:
        safe_files.replace(path, form.dump(records))
    else:
        wthor.write(path, records)


def files_of(path: Path) -> tuple[Path, ...]:
    """Return `path`, and for WTHOR also the files of names that `write` creates in the same folder."""
    return (path, *wthor.files_beside(path)) if path.suffix.lower() == ".wtb" else (path,)


def check_suffix(path: Path, size: int | None = None) -> str:
    """Return the suffix of an output file. Raises RecordError for an unsupported suffix or size."""
    suffix = suffix_of(path, WRITTEN)
    if suffix == ".wtb" and size not in (None, wthor.SIZE):
        raise RecordError(f"{path}: {wthor.refusal(f'not {size}x{size}')}")
    return suffix


def suffix_of(path: Path, known: Sequence[str] = SUFFIXES) -> str:
    """Return the suffix of a file in lower case. Raises RecordError for a suffix that is not in `known`."""
    suffix = path.suffix.lower()
    if suffix not in known:
        hint = "; `othello report` reads the database of a tournament" if suffix in DATABASES else ""
        raise RecordError(f"{path}: unknown format; supported: {', '.join(known)}{hint}")
    return suffix
