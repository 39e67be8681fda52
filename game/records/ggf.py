"""Game records in GGF, such as `(;GM[Othello]BO[8 ... *]B[F5];)`. (https://skatgame.net/mburo/ggsa/ggf)"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from othello_lab.game.board import Board, Colour
from othello_lab.game.game import Game, replay
from othello_lab.game.notation import PASS, PASSES, parse_square, square_name
from othello_lab.game.records.record import Entry, Forfeited, Record, RecordError, compare_result

_RESULT = re.compile(r"([+-]?[0-9]+(?:\.[0-9]*)?)(?::([a-z]))?")
_FLAGS = {"r": "resigned", "t": "time", "l": "left", "s": "agreed"}
_SECONDS = re.compile(r"[0-9]{9,10}")
_OTHELLO = "Othello"
_PLACE = "othello-lab"  # The default place of a game without an event.


def dump(records: Iterable[Record]) -> str:
    """Return the games as text, with one game on each line."""
    return "".join(_as_ggf(record) + "\n" for record in records)


def _as_ggf(record: Record) -> str:
    game = record.game
    items = [
        ("GM", _OTHELLO),
        ("PC", record.event or _PLACE),
        *([("DT", record.date)] if record.date else []),
        ("PB", record.black),
        ("PW", record.white),
        ("RE", _result_of(record)),
        ("TY", str(game.size)),
        ("BO", _board(game.start)),
    ]
    mover = game.start.turn
    for move in game.moves:
        name = "PA" if move == PASS else square_name(move, game.size).upper()
        items.append(("B" if mover is Colour.BLACK else "W", name))
        mover = mover.other
    escaped = ((name, re.sub(r"([\\\]])", r"\\\1", " ".join(value.split()))) for name, value in items)
    return "(;" + "".join(f"{name}[{value}]" for name, value in escaped) + ";)"


def _result_of(record: Record) -> str:
    if record.forfeit:
        discs = record.game.size**2
        return f"{-discs if record.forfeit.by is Colour.BLACK else discs:+d}.00:r"
    outcome = record.game.board.outcome()
    return f"{outcome.final_score:+d}.00" if outcome else "?"


def _board(board: Board) -> str:
    cells, turn = str(board).replace("X", "*").split()
    rows = [cells[row : row + board.size] for row in range(0, len(cells), board.size)]
    return " ".join([str(board.size), *rows, turn])


def entries(text: str, _: int = 0) -> Iterator[Entry]:
    """Yield each game, or an error if the game cannot be read."""
    return read_brackets(text, _record)


def _record(items: "Items") -> Record:
    facts = defaultdict(str, reversed(items))
    if (kind := facts.get("GM", _OTHELLO)).strip().lower() != _OTHELLO.lower():
        raise RecordError(f"GM[{kind[:20]}] is not Othello: in GGF that is GM[{_OTHELLO}]")
    if "BO" not in facts:
        raise RecordError("there is no BO[...], the position at the start")
    start = _start(facts["BO"])
    moves = moves_in_turn(items, start.turn, lambda move: parse_move(fields_of(move)[0], start.size))
    game = replay(start, moves)
    forfeit, warning = _result(game, facts)
    event, date = facts["PC"], facts["DT"]
    if event == _PLACE:
        event = ""
    if _SECONDS.fullmatch(date):  # a Unix time
        date = datetime.fromtimestamp(int(date), UTC).date().isoformat()
    return Record(game, facts["PB"], facts["PW"], forfeit=forfeit, event=event, date=date, warning=warning)


def _start(text: str) -> Board:
    size, *cells = text.split() or [""]
    board = Board.parse(" ".join(cells))
    if str(board.size) != size:
        raise RecordError(f"BO announces {size}, but has {board.size}x{board.size} cells")
    return board


def fields_of(move: str) -> list[str]:
    """Split a move such as `F5/1.20/0.53` into square, evaluation and time. A missing part is ""."""
    fields = re.split("/" if "/" in move else r"\s+", move.strip())
    return [field.strip() for field in (*fields, "", "")][:3]


def parse_move(text: str, size: int) -> int:
    """Parse a square, or a pass of any record format. Raises NotationError for any other text."""
    return PASS if text.lower() in PASSES else parse_square(text[:40], size)


def _result(game: Game, facts: dict[str, str]) -> tuple[Forfeited | None, str]:
    """Return the forfeit and the contradiction. Anti games and games with a komi have no contradiction."""
    result = facts.get("RE", "?").strip()
    parts = _RESULT.fullmatch(result)
    if not parts:
        return None, ""
    score, flag = parts.groups()
    forfeit, warning = compare_result(game, float(score), f"RE[{result[:20]}]", _FLAGS.get(flag, ""))
    in_discs = "KM" not in facts and not set("ak") & set(facts.get("TY", "").lower())
    return forfeit if flag in _FLAGS else None, warning if in_discs and not flag else ""


_BEGIN = re.compile(r"[\s0-9]*\(\s*;")
_NEXT = re.compile(r"\(\s*;")
# Only a game begins with these names, and no variation does. The previous game is then unterminated.
_GAME = re.compile(r"\s*\(\s*;\s*(?:GM|FF|CA|AP|SZ|BO)\s*\[", re.IGNORECASE)
# Lengths are limited, because otherwise the time for a damaged file would be quadratic.
_VALUE = r"\[((?:[^\]\\]|\\.){0,20000}+)\]"
_ITEM = re.compile(rf"([\s;(]{{0,1000}}+)([A-Za-z][A-Za-z0-9]{{0,31}})?\s*{_VALUE}", re.DOTALL)
_END = re.compile(r"([\s;(]{0,1000}+)\)\s*")
_VARIATIONS = re.compile(rf"(?:[^()\[\]]|{_VALUE})*+([()])\s*", re.DOTALL)

# Pairs of a name in upper case and a value. A value without a name belongs to the previous name.
Items = list[tuple[str, str]]
# The side that makes a move, for each name of a move.
SIDES: Final = {"B": Colour.BLACK, "W": Colour.WHITE}


def read_brackets(text: str, record: Callable[[Items], Record]) -> Iterator[Entry]:
    """Call `record` with the items of each game. Yield the result, or an error for an unreadable game."""
    line_ends = [-1, *(end.start() for end in re.finditer("\n", text))]
    number, place, last_value = 0, len(text) - len(text.lstrip()), text.rfind("]")
    while 0 <= place < len(text):
        number += 1
        game = f"game {number}, which begins in line {bisect_left(line_ends, place)}"
        try:
            items, place = _items(text, place, last_value)
            yield record(items)
        except _UnexpectedError as error:
            line = bisect_left(line_ends, error.place)
            column = error.place - line_ends[line - 1]
            yield RecordError(f"{game}: line {line}, column {column}: {error}")
            next_game = _NEXT.search(text, error.place)
            place = next_game.start() if next_game else -1
        except ValueError as error:
            yield RecordError(f"{game}: {error}")


class _UnexpectedError(RecordError):
    """A syntax error in a text."""

    def __init__(self, text: str, place: int, expected: str) -> None:
        actual = repr(text[place : place + 20]) if text[place : place + 1] else "the end of the file"
        super().__init__(f"expected {expected}, found {actual}")
        self.place = place


def _items(text: str, place: int, last_value: int) -> tuple[Items, int]:
    """Return the items of the game at the index `place`, and the index of the end of the game.

    `last_value` is the index where the last value of the file ends.
    """
    begin = _BEGIN.match(text, place)
    if not begin:
        raise _UnexpectedError(text, place, "(; of a game")
    items, place, depth, name = Items(), begin.end(), 1, ""
    while place < last_value and (item := _ITEM.match(text, place)):
        if not (item[2] or name) or _GAME.match(text, place):
            break
        depth += item[1].count("(")
        name = (item[2] or name).upper()
        items.append((name, re.sub(r"\\(.)", r"\1", item[3], flags=re.DOTALL)))
        place = item.end()
    end = _END.match(text, place)
    if not end:
        raise _UnexpectedError(text, place, "NAME[value] or ;) at the end")
    depth, place = depth + end[1].count("(") - 1, end.end()
    while depth:  # skip the other variations
        bracket = _VARIATIONS.match(text, place)
        if not bracket or _GAME.match(text, bracket.start(2)):
            raise _UnexpectedError(text, place, ") at the end of the game")
        depth += 1 if bracket[2] == "(" else -1
        place = bracket.end()
    return items, place


def moves_in_turn(items: Items, turn: Colour, parse: Callable[[str], int]) -> list[int]:
    """Return the moves among the items. Add a pass before a move by the side that is not to move."""
    moves = list[int]()
    for name, value in items:
        if mover := SIDES.get(name):
            if mover is not turn:
                moves.append(PASS)
            moves.append(parse(value))
            turn = mover.other
    return moves
