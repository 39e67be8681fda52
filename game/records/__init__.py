"""Game records, in and out, told apart by the suffix of the file.

JSON lines of our own, GGF, WTHOR, and transcripts as plain text.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from game.printable import printable
from game.records import ggf, jsonl, txt, wthor
from game.records.record import Forfeited, Record, RecordError

__all__ = ["SUFFIXES", "Forfeited", "Record", "RecordError", "check_suffix", "read", "write"]


class _Format(NamedTuple):
    load: Callable[[bytes], list[Record]]
    dump: Callable[[Iterable[Record]], bytes]


_FORMATS = {
    ".jsonl": _Format(jsonl.load, jsonl.dump),
    ".ggf": _Format(ggf.load, ggf.dump),
    ".wtb": _Format(wthor.load, wthor.dump),
    ".txt": _Format(txt.load, txt.dump),
}
SUFFIXES = tuple(_FORMATS)
"""What file names can end with."""


def read(path: Path, size: int = txt.SIZE) -> list[Record]:
    """Return the games of a file, its texts made printable.

    `size` is that of transcripts (.txt) which do not say theirs; the other formats do. Raises RecordError,
    which says where the fault is, and OSError.
    """
    suffix = check_suffix(path)
    data = path.read_bytes()
    try:
        found = txt.load(data, size) if suffix == ".txt" else _FORMATS[suffix].load(data)
        return [_printable(record) for record in found]
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _printable(record: Record) -> Record:
    forfeit = record.forfeit and Forfeited(record.forfeit.by, printable(record.forfeit.reason))
    return replace(record, black=printable(record.black), white=printable(record.white), forfeit=forfeit)


def write(path: Path, records: Iterable[Record]) -> None:
    """Write games to a file; raises RecordError for a game that the format cannot hold, and OSError."""
    form = _FORMATS[check_suffix(path)]
    path.write_bytes(form.dump(records))


def check_suffix(path: Path, size: int | None = None) -> str:
    """Return the suffix of a record file; raise RecordError for an unknown one, or one not for this size."""
    suffix = path.suffix.lower()
    if suffix not in _FORMATS:
        raise RecordError(
            f"{path}: no kind of game record; the file name must end with {', '.join(SUFFIXES)}"
        )
    if suffix == ".wtb" and size not in (None, wthor.SIZE):
        raise RecordError(f"{path}: {wthor.refusal(f'not {size}x{size}')}")
    return suffix
