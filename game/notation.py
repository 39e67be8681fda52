"""Board sizes, the names of squares, and texts that are safe to print."""

import re
import string
from typing import Final

SIZES = (4, 6, 8, 10, 12, 14, 16)  # The supported board sizes. A size is the number of squares along a side.
USUAL_SIZE = 8
PASS = -1  # The move of a side without a legal square, which is also the action in RL-Glue.
PASSES: Final = ("pass", "pa", "ps", "--")  # The words for a pass in game records, in lower case.

# Without ASCII, IGNORECASE would also accept the dotless i and the Kelvin sign.
_NAME = re.compile(r"([a-p])([0-9]{1,2})", re.IGNORECASE | re.ASCII)
_INDICES = re.compile(r"\(?\s*([0-9]{1,2})(?:\s*,\s*|\s+)([0-9]{1,2})\s*\)?")


def check_size(size: int) -> None:
    """Raise ValueError for a board size that is not supported."""
    if size not in SIZES:
        raise ValueError(f"a board of {size}x{size} does not exist: the size must be even, from 4 to 16")


class NotationError(ValueError):
    """A text that is not a square, a move or a position."""


def square_name(square: int, size: int) -> str:
    """Return the name of a square, such as `d3`. The name of PASS is `pass`."""
    if square == PASS:
        return "pass"
    row, column = divmod(square, size)
    return f"{string.ascii_lowercase[column]}{row + 1}"


def parse_square(text: str, size: int) -> int:
    """Parse a square such as `d3`, or row and column from 0 such as `2,3`. Raises NotationError."""
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


def brief(text: str, longest: int = 60) -> str:
    """Return a printable text for an error message. A long text is truncated to `longest` characters."""
    return printable(text if len(text) <= longest else f"{text[:longest]}...")


# Control characters except tab and newline, direction marks, surrogates and noncharacters.
_ODD: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def printable(text: str) -> str:
    """Replace each character that a terminal cannot show safely by U+FFFD."""
    return _ODD.sub("\ufffd", text)
