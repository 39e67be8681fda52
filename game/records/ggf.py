"""Game records in GGF, the Generic Game Format of GGS: `(;GM[Othello]PB[..]RE[+2]BO[8 ... *]B[F5]...;)`.

Any size and any start. The result is written with the empty squares given to the winner; a forfeited game as
one that the loser resigned. A backslash hides a bracket or a backslash within a value. Read with evaluations
and times of moves, which are left aside like every item that is not known.
(https://skatgame.net/mburo/ggsa/ggf)
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from othello_lab.game.board import Board, Colour
from othello_lab.game.notation import PASS, PASSES, parse_square, square_name
from othello_lab.game.records.record import Entry, Forfeited, Record, RecordError, replay, result_text, strict

_BEGIN = re.compile(r"[\s0-9]*\(;")  # a number before a game counts the games of a synchro pair
_END = re.compile(r"\s*;?\s*\)\s*")
# A value ends within this many characters: else a damaged file would be searched for the end of each.
_ITEM = re.compile(r"\s*([A-Za-z][A-Za-z0-9]{0,31})\s*\[((?:[^\]\\]|\\.){0,20000}+)\]", re.DOTALL)
_RESULT = re.compile(r"([+-]?[0-9]+(?:\.[0-9]*)?)(?::([a-z]))?")
_FLAGS = {"r": "resigned", "t": "time", "l": "left", "s": "agreed"}
_SECONDS = re.compile(r"[0-9]{9,10}")
_PLACE = "othello-lab"
"""Written where no other place is known."""
_Item = tuple[str, str]


def dump(records: Iterable[Record]) -> bytes:
    """Return the games, one a line."""
    return "".join(_as_ggf(record) + "\n" for record in records).encode()


def _as_ggf(record: Record) -> str:
    game = record.game
    items = [
        ("GM", "Othello"),
        ("PC", record.event or _PLACE),
        *([("DT", record.date)] if record.date else []),
        ("PB", record.black),
        ("PW", record.white),
        ("RE", _result(record)),
        ("TY", str(game.size)),
        ("BO", _board(game.start)),
    ]
    mover = game.start.turn
    for move in game.moves:
        name = "PA" if move == PASS else square_name(move, game.size).upper()
        items.append(("B" if mover is Colour.BLACK else "W", name))
        mover = mover.other
    return "(;" + "".join(f"{name}[{_hide(value)}]" for name, value in items) + ";)"


def _hide(value: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", " ".join(value.split()))


def _result(record: Record) -> str:
    if record.forfeit:
        discs = record.game.size**2
        return f"{-discs if record.forfeit.by is Colour.BLACK else discs:+d}.00:r"
    outcome = record.game.board.outcome()
    return f"{outcome.final_score:+d}.00" if outcome else "?"


def _board(board: Board) -> str:
    cells, turn = str(board).replace("X", "*").split()
    rows = [cells[row : row + board.size] for row in range(0, len(cells), board.size)]
    return " ".join([str(board.size), *rows, turn])


def load(data: bytes) -> list[Record]:
    """Read games; raises RecordError with the number of the game and the place."""
    return strict(entries(data))


def entries(data: bytes) -> Iterator[Entry]:
    """Yield the games, or why one cannot be read; the next is then looked for behind the fault."""
    text = _decoded(data)
    number, place, lines = 0, len(text) - len(text.lstrip()), _Lines(text)
    while 0 <= place < len(text):
        number += 1
        game = f"game {number}, which begins in line {lines.at(place)[0]}"
        try:
            items, place = _items(text, place)
            yield _record(items)
        except _UnexpectedError as error:
            line, column = lines.at(error.place)
            yield RecordError(f"{game}: line {line}, column {column}: {error}")
            place = text.find("(;", error.place)
        except ValueError as error:
            yield RecordError(f"{game}: {error}")


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


class _Lines:
    """Numbers of lines and columns, from 1, of places that are asked for in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen, self._line, self._begin = 0, 1, 0

    def at(self, place: int) -> tuple[int, int]:
        """Return the line and the column of a place."""
        self._line += self._text.count("\n", self._seen, place)
        self._begin = self._text.rfind("\n", self._seen, place) + 1 or self._begin
        self._seen = place
        return self._line, place - self._begin + 1


class _UnexpectedError(RecordError):
    """Something else than what the format has at a place."""

    def __init__(self, text: str, place: int, expected: str) -> None:
        found = repr(text[place : place + 20]) if text[place : place + 1] else "the end of the file"
        super().__init__(f"expected {expected}, found {found}")
        self.place = place


def _items(text: str, place: int) -> tuple[list[_Item], int]:
    """Return the items of the game that begins at a place, and where it ends."""
    begin = _BEGIN.match(text, place)
    if not begin:
        raise _UnexpectedError(text, place, "(; of a game")
    items, place = [], begin.end()
    while item := _ITEM.match(text, place):
        items.append((item[1].upper(), re.sub(r"\\(.)", r"\1", item[2], flags=re.DOTALL)))
        place = item.end()
    end = _END.match(text, place)
    if not end:
        raise _UnexpectedError(text, place, "NAME[value] or ;) at the end")
    return items, end.end()


def _record(items: list[_Item]) -> Record:
    facts = dict(reversed(items))
    if facts.get("GM", "Othello").strip().lower() != "othello":
        raise RecordError(f"GM[{facts['GM'][:20]}] is not Othello")
    if "BO" not in facts:
        raise RecordError("there is no BO[...], the position at the start")
    start, result = _read_board(facts["BO"]), facts.get("RE", "?").strip()
    game = replay(start, list(_moves(items, start)))
    forfeit = None if game.board.is_over else _forfeit(result)
    place = facts.get("PC", _PLACE)
    record = Record(
        game,
        facts.get("PB", ""),
        facts.get("PW", ""),
        forfeit=forfeit,
        event="" if place == _PLACE else place,
        date=_date(facts.get("DT", "")),
    )
    if not _is_other_game(facts):
        _check_result(record, result)
    return record


def _date(text: str) -> str:
    """Return a date; of one in seconds since 1970 the day."""
    return datetime.fromtimestamp(int(text), UTC).date().isoformat() if _SECONDS.fullmatch(text) else text


def _read_board(text: str) -> Board:
    size, *cells = text.split()
    board = Board.parse(" ".join(cells))
    if str(board.size) != size:
        raise RecordError(f"BO announces {size}, but has {board.size}x{board.size} cells")
    return board


def _moves(items: list[_Item], start: Board) -> Iterator[int]:
    """Yield the moves; one by the wrong side stands for a pass that was left out, if that is what it is."""
    turn = start.turn
    for name, value in items:
        if name not in ("B", "W"):
            continue
        mover = Colour.BLACK if name == "B" else Colour.WHITE
        if mover is not turn:
            yield PASS
        word = value.split("/")[0].strip()
        yield PASS if word.lower() in PASSES else parse_square(word[:20], start.size)
        turn = mover.other


def _forfeit(result: str) -> Forfeited | None:
    """Return who gave the game up, by the letter behind a result."""
    found = _RESULT.fullmatch(result)
    if not found or found[2] not in _FLAGS or float(found[1]) == 0:
        return None
    return Forfeited(Colour.BLACK if float(found[1]) < 0 else Colour.WHITE, _FLAGS[found[2]])


def _is_other_game(facts: dict[str, str]) -> bool:
    """Tell whether something else than discs counts: of anti games, `a`, or those with a komi, `k`."""
    return "KM" in facts or bool(set("ak") & set(facts.get("TY", "").lower()))


def _check_result(record: Record, result: str) -> None:
    found, outcome = _RESULT.fullmatch(result), record.game.board.outcome()
    if outcome and found and not found[2] and float(found[1]) not in (outcome.disc_diff, outcome.final_score):
        raise RecordError(f"RE[{result[:20]}], but by the moves {result_text(record.game)}")
