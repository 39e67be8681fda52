"""Functions that parse and format transcripts, which are lists of moves, and positions as text."""

import logging
import re
from collections.abc import Sequence
from functools import cache
from math import isqrt
from typing import Final

from othello_lab.game.notation import PASS, PASSES, NotationError, brief, parse_square, square_name

_SQUARE = re.compile(r"[a-p]\s*[0-9]{1,2}", re.IGNORECASE | re.ASCII)
# The letter p is also a column of 16x16, so the pattern of a square comes first.
_MOVE = re.compile(rf"({_SQUARE.pattern}|{'|'.join(PASSES)})", re.IGNORECASE | re.ASCII)
_MOVE_NUMBER = re.compile(r"(?<![^\s,;-])[0-9]{1,3}(?:\.+|\))")
# One dash separates moves. Two dashes are a pass. Four dashes are a pass between two separators.
_DASHES: Final = {"-": " ", "--": " -- ", "----": " -- "}
# Three dashes after a space or at the end, which are a pass and a separator.
_PASS_AND_DASH = re.compile(r"(?<=\s)---(?!-)|(?<!-)---$")
# A score is one number with a sign, or two numbers, after a space or with a bracket or + as a prefix.
_SCORE = re.compile(
    r"(?:(?<=[\s,;])|(?=[+(\[]))[(\[]?"
    r"(?:[-+=±][0-9]{1,3}(?:\.[0-9]{1,2})?|[0-9]{1,3} ?[-:/] ?[0-9]{1,3})[)\]]?$"
)
_LONGEST_SCORE = 16  # The maximum number of characters of a score at the end of a text.
_BETWEEN = re.compile(r"[\s,;]*")


def parse_moves(text: str, size: int) -> list[int]:
    """Parse moves such as `f5d6c3` or `1. f5 d6 2. c3`. Ignore a score at the end. Raises NotationError."""
    moves = text.rstrip()
    if score := _SCORE.search(moves, max(0, len(moves) - _LONGEST_SCORE)):
        moves = moves[: score.start()].rstrip()
    moves = _PASS_AND_DASH.sub(" -- ", _MOVE_NUMBER.sub(" ", moves))
    pieces = _MOVE.split(re.sub("-+", lambda run: _DASHES.get(run[0], "?"), moves))
    words = [word.lower() for word in pieces[1::2]]
    if not _BETWEEN.fullmatch("".join(pieces[::2])) or (text.strip() and not words):
        odd = next(filter(None, (_BETWEEN.sub("", piece) for piece in pieces[::2])), "")
        where = f", {brief(odd)!r} is no move" if words and odd and odd in text else ""
        raise NotationError(f"{brief(text)!r} is not a list of moves{where}: write them like f5d6c3")
    known = _moves_by_name(size)
    return [known[word] if word in known else parse_square("".join(word.split()), size) for word in words]


def names_a_square(text: str) -> bool:
    """Return whether a text contains a square, as every transcript does."""
    return bool(_SQUARE.search(text))


@cache
def _moves_by_name(size: int) -> dict[str, int]:
    names = {square_name(square, size): square for square in range(size * size)}
    return names | dict.fromkeys(PASSES, PASS)


def format_squares(moves: Sequence[int], size: int) -> str:
    """Return the transcript of the moves, without passes."""
    return "".join(square_name(move, size) for move in moves if move != PASS)


_LOG = logging.getLogger(__name__)

_CELLS: Final = {
    **dict.fromkeys("-._+·・□🟩", "-"),
    **dict.fromkeys("xX*@bB●⚫", "X"),
    **dict.fromkeys("oOwW○◯⚪", "O"),
}
# The meaning of the digits in a position without the digit 2, as in files of Egaroucid.
_DIGITS: Final = {"0": "X", "1": "O"}
_DIGITS_TO_2: Final = {"0": "-", "1": "X", "2": "O"}
_TO_MOVE = re.compile(r"\b(black|white)(?:\s+to\s+(?:move|play))?[\s.]*$", re.IGNORECASE)
# Characters that `parse_cells` ignores, such as separators, brackets and variation selectors.
_BETWEEN_CELLS: Final = dict.fromkeys(map(ord, "/|,;\"'[]()"), " ") | dict.fromkeys((0xFE0E, 0xFE0F))
_COUNTS: Final = range(4 * 4, 16 * 16 + 1)


def parse_cells(text: str) -> tuple[int, int, int, bool]:
    """Parse N*N cells row by row from a1, then the side to move. Raises NotationError.

    Return the board size, the black and the white discs as bits, and whether black is to move.
    """
    signs = _signs(text)
    size = isqrt(len(signs))
    cells, turn = signs[: size * size], signs[size * size :]
    digits = _DIGITS_TO_2 if "2" in cells else _DIGITS if {"0", "1"} & {*cells} else {}
    known, why = _CELLS | digits, ""
    if unknown := [sign for sign in signs if sign not in known]:
        why = f"{brief(unknown[0])!r} is no cell"
    elif len(cells) not in _COUNTS or len(turn) > 1:
        why = f"it has {len(signs):,} cells"
    elif len({sign.isdigit() for sign in cells if known[sign] != "-"}) > 1:
        why = "its discs are digits or other signs, not both"
    elif known.get(turn) == "-":
        why = f"{turn!r} does not say whose turn it is"
    if why:
        raise NotationError(
            f"{brief(text)!r} is no position: {why}; write N*N cells row by row from a1, X black, O white, "
            "- empty (also b w ., 0 1 -, 1 2 0 or circles), then X or O to move"
        )
    if digits is _DIGITS:
        _LOG.warning("0 is read as black and 1 as white")
    black, white = (sum(1 << s for s, sign in enumerate(cells) if known[sign] == disc) for disc in "XO")
    return size, black, white, known[turn] == "X" if turn else _is_blacks_turn(black | white)


def is_cells(text: str) -> bool:
    """Return whether a text contains only characters that `parse_cells` accepts."""
    return {*_CELLS, *_DIGITS_TO_2} >= set(_signs(text))


def format_cells(size: int, black: int, white: int, black_to_move: bool) -> str:
    """Return a position as a text that `parse_cells` reads."""
    cells = ("X" if black >> s & 1 else "O" if white >> s & 1 else "-" for s in range(size * size))
    return f"{''.join(cells)} {'X' if black_to_move else 'O'}"


def _signs(text: str) -> str:
    """Return a text with one character for each cell, and one character for the side to move."""
    cells = text.translate(_BETWEEN_CELLS)
    return "".join(_TO_MOVE.sub(lambda side: side[1][0], cells).split())


def _is_blacks_turn(discs: int) -> bool:
    """Return whether black is to move if no side has passed. Log a warning."""
    black = discs.bit_count() % 2 == 0
    side = "black" if black else "white"
    _LOG.warning(
        "the position does not say whose turn it is: it is taken for %s's, as if nobody had passed", side
    )
    return black
