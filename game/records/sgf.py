"""Game records in SGF, such as `(;GM[2]SZ[8]PB[..];B[f5];W[d6])`. (https://www.red-bean.com/sgf)"""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import takewhile

from othello_lab.game.board import Board, Colour
from othello_lab.game.game import Game, replay
from othello_lab.game.notation import PASS, PASSES, check_size, parse_square
from othello_lab.game.records.ggf import SIDES, Items, moves_in_turn, read_brackets
from othello_lab.game.records.record import Entry, Forfeited, Record, RecordError, compare_result

_OTHELLO = "2"
_SIZE = re.compile(r"\s*([0-9]{1,2})(?::\1)?\s*")
_POINT = re.compile(r"[a-p]{2}")
# Edax writes the plus sign twice.
_RESULT = re.compile(r"([BW])\+(?:\+?([0-9]{1,3}(?:\.[0-9]{1,2})?)|([RTF])[A-Z]*)?")
_DRAWN = ("0", "DRAW")
_REASONS = {"R": "resigned", "T": "time", "F": "forfeit"}


def entries(text: str, _: int = 0) -> Iterator[Entry]:
    """Yield each game, or an error if the game cannot be read."""
    return read_brackets(text, _record)


def _record(items: Items) -> Record:
    facts = defaultdict(str, reversed(items))
    if (kind := facts["GM"].strip()) != _OTHELLO:
        raise RecordError(f"GM[{kind[:20]}] is not Othello: in SGF that is GM[{_OTHELLO}]")
    size_text = facts.get("SZ", "8")
    if not (size := _SIZE.fullmatch(size_text)):
        raise RecordError(f"SZ[{size_text[:20]}] is no size of a board: expected one like SZ[8]")
    start = _start(items, int(size[1]))
    game = replay(start, moves_in_turn(items, start.turn, lambda move: _move(move, start.size)))
    forfeit, warning = _result(game, facts["RE"])
    event = facts["EV"] or facts["PC"]
    return Record(
        game, facts["PB"], facts["PW"], forfeit=forfeit, event=event, date=facts["DT"], warning=warning
    )


def _start(items: Items, size: int) -> Board:
    check_size(size)
    before = list(takewhile(lambda item: item[0] not in SIDES, items))
    if any(name in ("AB", "AW", "AE") for name, _ in items[len(before) :]):
        raise RecordError("discs are set up (AB, AW, AE) behind a move: this is no game")
    squares = {key: {_square(value, size) for name, value in before if name == key} for key in ("AB", "AW")}
    black, white = (sum(1 << square for square in side) for side in squares.values())
    if not black | white:
        return Board.start(size)
    first = items[len(before)][0] if len(before) < len(items) else "B"
    turn = dict(before).get("PL", first).strip()[:1].upper()
    return Board(size, black, white, SIDES.get(turn, Colour.BLACK))


def _move(text: str, size: int) -> int:
    word = text.strip().lower()
    is_square = _POINT.fullmatch(word) and max(word) < chr(ord("a") + size)
    return PASS if word in ("", "tt", *PASSES) and not is_square else _square(word, size)


def _square(text: str, size: int) -> int:
    """Parse a square such as `f5` or `fe`. The second letter of `fe` counts the rows from the top."""
    word = text.strip().lower()
    if _POINT.fullmatch(word):
        word = f"{word[0]}{ord(word[1]) - ord('a') + 1}"
    return parse_square(word[:20], size)


def _result(game: Game, text: str) -> tuple[Forfeited | None, str]:
    title, result = f"RE[{text[:20]}]", text.strip().upper()
    parts = _RESULT.fullmatch(result)
    if not parts:
        return compare_result(game, 0, title) if result in _DRAWN else (None, "")
    side, discs, reason = parts.groups()
    lead = (1 if side == "B" else -1) * float(discs or 1)
    why = _REASONS.get(reason, "unknown")
    forfeit, warning = compare_result(game, lead, title, why, in_discs=bool(discs))
    return forfeit, "" if reason else warning
