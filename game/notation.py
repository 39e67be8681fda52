"""Squares, moves, transcripts and positions as text, in and out."""

import re
import string

PASS = -1
"""The move of a side that has none, on the wire as well."""

# ASCII: else IGNORECASE also lets the dotless i and the Kelvin sign through.
_NAME = re.compile(r"([a-p])([0-9]{1,2})", re.IGNORECASE | re.ASCII)
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
        raise NotationError(f"{text!r} is no square: say one like d3, or row,col from 0 like 2,3")
    if not (0 <= row < size and 0 <= column < size):
        last = square_name(size * size - 1, size)
        raise NotationError(f"{text!r} is not on a board of {size}x{size}: its squares are a1 to {last}")
    return row * size + column


def parse_squares(text: str, size: int) -> list[int]:
    """Read a transcript such as `f5d6c3`, with or without spaces; passes are not written."""
    compact = "".join(text.split())
    squares = [parse_square(name[0], size) for name in _NAME.finditer(compact)]
    if _NAME.sub("", compact):
        raise NotationError(f"{text!r} is no list of moves: say them like f5d6c3")
    return squares


def format_squares(moves: list[int], size: int) -> str:
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
            f"{text!r} is no position: say N*N cells of X, O and -, row by row from a1, then X or O to move"
        )
    black, white = (sum(1 << s for s, cell in enumerate(cells) if cell == disc) for disc in "XO")
    return size, black, white, side == "X"


def format_cells(size: int, black: int, white: int, black_to_move: bool) -> str:
    """Return a position as text that `parse_cells` reads."""
    cells = ("X" if black >> s & 1 else "O" if white >> s & 1 else "-" for s in range(size * size))
    return f"{''.join(cells)} {'X' if black_to_move else 'O'}"
