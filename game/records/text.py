"""Text of files of games: what their bytes say, line by line, and how long a game may be."""

import codecs
from collections.abc import Iterator

from othello_lab.game.notation import brief
from othello_lab.game.records.record import RecordError

_LONGEST = 100_000
"""Characters: more than any game and its comments take."""
_MARKS = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


def decoded(data: bytes) -> str:
    """Return the text of a file: UTF-16 where its first bytes say so, else UTF-8, else Latin-1."""
    if data.startswith(_MARKS):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def numbered_lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that are not empty, with their numbers, from 1."""
    text = decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def check_length(text: str) -> None:
    """Raise RecordError for a text that is too long to be a game."""
    if len(text) > _LONGEST:
        raise RecordError(f"more than {_LONGEST:,} characters are no game: {brief(text)!r}")
