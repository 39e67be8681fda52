"""Squares, moves, transcripts and positions as text, in and out."""

import re
import string
from collections.abc import Sequence
from functools import cache
from typing import Final

PASS = -1
"""The move of a side that has none, on the wire as well."""
PASSES: Final = ("pass", "pa", "ps", "--")
"""How records say that a side has to pass, in small letters."""

# ASCII: else IGNORECASE also lets the dotless i and the Kelvin sign through.
_NAME = re.compile(r"([a-p])([0-9]{1,2})", re.IGNORECASE | re.ASCII)
# The letter p is a column of 16x16 too.
_MOVE = re.compile(rf"[a-p][0-9]{{1,2}}|{'|'.join(PASSES)}", re.IGNORECASE | re.ASCII)
_MOVE_NUMBER = re.compile(r"(?<!\S)[0-9]{1,3}\.+")
_LONGEST = 60
"""Characters of a text that are repeated in an error."""
_INDICES = re.compile(r"\(?\s*([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*\)?")
_CELLS = {**dict.fromkeys("xX*bB", "X"), **dict.fromkeys("oOwW", "O"), **dict.fromkeys("-._", "-")}


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

    Spaces may stand anywhere, numbers of moves (`1. f5 d6 2. c3`) before a move. Raises NotationError.
    """
    compact = "".join(_MOVE_NUMBER.sub(" ", text).split())
    words = _MOVE.findall(compact)
    if sum(map(len, words)) != len(compact):
        raise NotationError(f"{brief(text)!r} is no list of moves: say them like f5d6c3")
    known = _moves_of(size)
    return [known[word] if word in known else parse_square(word, size) for word in map(str.lower, words)]


@cache
def _moves_of(size: int) -> dict[str, int]:
    squares = {square_name(square, size): square for square in range(size * size)}
    return squares | dict.fromkeys(PASSES, PASS)


def brief(text: str) -> str:
    """Return a text as an error repeats it: its beginning, if it is long."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def format_squares(moves: Sequence[int], size: int) -> str:
    """Return the transcript of moves, without the passes."""
    return "".join(square_name(move, size) for move in moves if move != PASS)


def parse_cells(text: str) -> tuple[int, int, int, bool]:
    """Read a position, N*N cells row by row and the side to move: `-----XO--OX----- X`.

    X, * or b is black, O or w white, - or . empty; spaces within the cells are ignored.
    Returns (size, black squares, white squares, whether black is to move); raises NotationError.
    """
    compact = "".join(text.split()).rstrip(";")
    cells, side = [_CELLS.get(character) for character in compact[:-1]], _CELLS.get(compact[-1:])
    size = round(len(cells) ** 0.5)
    if size * size != len(cells) or None in cells or side not in ("X", "O"):
        raise NotationError(
            f"{brief(text)!r} is no position: "
            "say N*N cells of X, O and -, row by row from a1, then X or O to move"
        )
    black, white = (sum(1 << s for s, cell in enumerate(cells) if cell == disc) for disc in "XO")
    return size, black, white, side == "X"


def format_cells(size: int, black: int, white: int, black_to_move: bool) -> str:
    """Return a position as text that `parse_cells` reads."""
    cells = ("X" if black >> s & 1 else "O" if white >> s & 1 else "-" for s in range(size * size))
    return f"{''.join(cells)} {'X' if black_to_move else 'O'}"
