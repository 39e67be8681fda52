"""Squares, moves and transcripts as text, in and out."""

import re
import string
from collections.abc import Sequence
from functools import cache
from typing import Final

from game.printable import printable

PASS = -1
"""The move of a side that has none, on the wire as well."""
PASSES: Final = ("pass", "pa", "ps", "--")
"""How records say that a side has to pass, in small letters."""

# ASCII: else IGNORECASE also lets the dotless i and the Kelvin sign through.
_NAME = re.compile(r"([a-p])([0-9]{1,2})", re.IGNORECASE | re.ASCII)
_SQUARE = re.compile(r"[a-p]\s*[0-9]{1,2}", re.IGNORECASE | re.ASCII)
# The letter p is a column of 16x16 too.
_MOVE = re.compile(rf"({_SQUARE.pattern}|{'|'.join(PASSES)})", re.IGNORECASE | re.ASCII)
_MOVE_NUMBER = re.compile(r"(?<![^\s,;-])[0-9]{1,3}(?:\.+|\))")
_DASHES: Final = {"-": " ", "--": " -- ", "----": " -- "}
"""What a run of dashes says: one stands between moves, two are a pass, four a pass between two of one."""
# One number with a sign, or two; after a space unless a bracket or a plus begins it.
_SCORE = re.compile(
    r"(?:(?<=[\s,;])|(?=[+(\[]))[(\[]?"
    r"(?:[-+=±][0-9]{1,3}(?:\.[0-9]{1,2})?|[0-9]{1,3} ?[-:/] ?[0-9]{1,3})[)\]]?$"
)
_LONGEST_SCORE = 16
"""Characters: a long text is looked at only near its end."""
_BETWEEN = re.compile(r"[\s,;]*")
_LONGEST = 60
"""Characters of a text that are repeated in an error."""
_INDICES = re.compile(r"\(?\s*([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*\)?")


class NotationError(ValueError):
    """Text that does not say a square, a move or a position."""


def square_name(square: int, size: int) -> str:
    """Return the name of a square, column letter and row number: 19 on 8x8 is `d3`; PASS is `pass`."""
    if square == PASS:
        return "pass"
    row, column = divmod(square, size)
    return f"{string.ascii_lowercase[column]}{row + 1}"


def parse_square(text: str, size: int) -> int:
    """Read `d3`, or `row,col` counted from 0 (d3 is `2,3`); raise NotationError for anything else."""
    if name := _NAME.fullmatch(text.strip()):
        column, row = string.ascii_lowercase.index(name[1].lower()), int(name[2]) - 1
    elif indices := _INDICES.fullmatch(text.strip()):
        row, column = int(indices[1]), int(indices[2])
    else:
        raise NotationError(f"{brief(text)!r} is no square: say one like d3, or row,col from 0 like 2,3")
    if not (0 <= row < size and 0 <= column < size):
        last = square_name(size * size - 1, size)
        raise NotationError(f"{text!r} is not on a board of {size}x{size}: its squares are a1 to {last}")
    return row * size + column


def parse_moves(text: str, size: int) -> list[int]:
    """Read a transcript such as `f5d6c3`: squares, and PASS where it says `pass`, `pa`, `ps` or `--`.

    Between moves there may be spaces, commas, a dash (`f5-d6`) and numbers (`1. f5 d6 2. c3`), behind the
    last one a score (`34-30`, `+4`), which is not looked at. Raises NotationError.
    """
    moves = _MOVE_NUMBER.sub(" ", _without_score(text))
    pieces = _MOVE.split(re.sub("-+", lambda run: _DASHES.get(run[0], "?"), moves))
    words = [word.lower() for word in pieces[1::2]]
    if not _BETWEEN.fullmatch("".join(pieces[::2])) or (text.strip() and not words):
        raise NotationError(f"{brief(text)!r} is not a list of moves: write them like f5d6c3")
    known = _moves_of(size)
    return [known[word] if word in known else parse_square("".join(word.split()), size) for word in words]


def _without_score(text: str) -> str:
    moves = text.rstrip()
    score = _SCORE.search(moves, max(0, len(moves) - _LONGEST_SCORE))
    return moves[: score.start()] if score else moves


def names_a_square(text: str) -> bool:
    """Tell whether there is a square in a text, so that it is a transcript, if anything."""
    return bool(_SQUARE.search(text))


@cache
def _moves_of(size: int) -> dict[str, int]:
    squares = {square_name(square, size): square for square in range(size * size)}
    return squares | dict.fromkeys(PASSES, PASS)


def brief(text: str) -> str:
    """Return a text as an error repeats it: printable, and its beginning if it is long."""
    return printable(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")


def format_squares(moves: Sequence[int], size: int) -> str:
    """Return the transcript of moves, without the passes."""
    return "".join(square_name(move, size) for move in moves if move != PASS)
