"""Positions as text, in and out: the cells row by row, and whose turn it is."""

import logging
import re
from math import isqrt
from typing import Final

from game.notation import NotationError, brief

_LOG = logging.getLogger(__name__)

_EMPTY: Final = dict.fromkeys("-._+·・□", "-")
_DISCS: Final = dict.fromkeys("xX*@bB●⚫", "X") | dict.fromkeys("oOwW○◯⚪", "O")
_DIGITS: Final = {"0": "X", "1": "O"}
"""Of boards with these digits alone, as Egaroucid writes them."""
_DIGITS_TO_2: Final = {"0": "-", "1": "X", "2": "O"}
_SIGNS: Final = frozenset([*_EMPTY, *_DISCS, *_DIGITS_TO_2])
_TO_MOVE = re.compile(r"\b(black|white)(?:\s+to\s+(?:move|play))?[\s.;]*$", re.IGNORECASE)
_LOOKS: Final = dict.fromkeys((0xFE0E, 0xFE0F))
"""Characters that say whether the one before them is a letter or a picture."""
_COUNTS: Final = range(4 * 4, 16 * 16 + 1)
"""Of the cells of a board."""
_TAKEN: Final = (
    "write N*N cells row by row from a1, X black, O white, - empty (also b w ., 0 1 -, 1 2 0 or circles), "
    "then X or O to move"
)


def parse_cells(text: str) -> tuple[int, int, int, bool]:
    """Read a position, N*N cells row by row from a1 and then whose turn it is: `-----XO--OX----- X`.

    Black is X * @ b or a full circle, white O w or an open one, empty - . _ + or a dot. Digits are 0 black
    and 1 white, or with a 2 among them 0 empty, 1 black, 2 white. Spaces and new lines may stand anywhere.
    Without whose turn it is, that follows from the number of discs, as if nobody had passed. What is taken
    for granted is said in the log.

    Returns (size, black squares, white squares, whether black is to move); raises NotationError.
    """
    signs = _signs(text)
    size = isqrt(len(signs))
    cells, turn = signs[: size * size], signs[size * size :]
    discs = _discs(cells)
    found = [(_EMPTY | discs).get(sign) for sign in cells]
    if why := _fault(signs, found, turn, discs):
        raise NotationError(f"{brief(text)!r} is no position: {why}; {_TAKEN}")
    if discs is _DIGITS:
        _LOG.warning("0 is read as black and 1 as white")
    black, white = (sum(1 << s for s, cell in enumerate(found) if cell == disc) for disc in "XO")
    return size, black, white, (discs | _DISCS)[turn] == "X" if turn else _is_blacks_turn(black | white)


def is_cells(text: str) -> bool:
    """Tell whether a text is of nothing but what `parse_cells` takes."""
    return _SIGNS.issuperset(_signs(text))


def format_cells(size: int, black: int, white: int, black_to_move: bool) -> str:
    """Return a position as text that `parse_cells` reads."""
    cells = ("X" if black >> s & 1 else "O" if white >> s & 1 else "-" for s in range(size * size))
    return f"{''.join(cells)} {'X' if black_to_move else 'O'}"


def _signs(text: str) -> str:
    """Return the cells and whose turn it is, a character each."""
    short = _TO_MOVE.sub(lambda said: said[1][0], text)
    return "".join(short.translate(_LOOKS).split()).rstrip(";")


def _discs(cells: str) -> dict[str, str]:
    """Return what the signs of discs stand for: with digits a board may be written in two ways."""
    if "2" in cells:
        return _DIGITS_TO_2
    return _DIGITS if "0" in cells or "1" in cells else _DISCS


def _fault(signs: str, found: list[str | None], turn: str, discs: dict[str, str]) -> str:
    """Return what is wrong, if anything is."""
    if unknown := [sign for sign in signs if sign not in _SIGNS]:
        return f"{brief(unknown[0])!r} is no cell"
    if len(found) not in _COUNTS or len(turn) > 1:
        return f"it has {len(signs):,} cells"
    if None in found:
        return "its discs are digits or other signs, not both"
    if turn and (discs | _DISCS).get(turn, "-") == "-":
        return f"{turn!r} does not say whose turn it is"
    return ""


def _is_blacks_turn(discs: int) -> bool:
    """Tell whose turn it is where nobody has passed."""
    black = discs.bit_count() % 2 == 0
    side = "black" if black else "white"
    _LOG.warning(
        "the position does not say whose turn it is: it is taken for %s's, as if nobody had passed", side
    )
    return black
