"""Game records in GGF, the Generic Game Format of GGS: `(;GM[Othello]PB[..]RE[+2]BO[8 ... *]B[F5]...;)`.

Any size and any start. The result is written with the empty squares given to the winner; a forfeited game as
one that the loser resigned. A backslash hides a bracket or a backslash within a value.
(https://skatgame.net/mburo/ggsa/ggf)
"""

import re
from collections.abc import Iterable, Iterator

from game.board import Board, Colour
from game.notation import PASS, parse_square, square_name
from game.records.record import Forfeited, Record, RecordError, replay, result_text

_BEGIN = re.compile(r"[\s0-9]*\(;")  # a number before a game counts the games of a synchro pair
_END = re.compile(r"\s*;\s*\)\s*")
_ITEM = re.compile(r"\s*([A-Za-z]{1,4})\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_RESULT = re.compile(r"([+-]?[0-9]+(?:\.[0-9]*)?)(?::([a-z]))?")
_FLAGS = {"r": "resigned", "t": "time", "l": "left"}
_Item = tuple[str, str]


def dump(records: Iterable[Record]) -> bytes:
    """Return the games, one a line."""
    return "".join(_as_ggf(record) + "\n" for record in records).encode()


def _as_ggf(record: Record) -> str:
    game = record.game
    items = [
        ("GM", "Othello"),
        ("PC", "othello-lab"),
        ("PB", record.black),
        ("PW", record.white),
        ("RE", _result(record)),
        ("TY", str(game.size)),
        ("BO", _board(game.boards[0])),
    ]
    for board, move in zip(game.boards, game.moves, strict=False):
        name = "PA" if move == PASS else square_name(move, game.size).upper()
        items.append(("B" if board.turn is Colour.BLACK else "W", name))
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
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start + 1} is no UTF-8") from None
    records: list[Record] = []
    place = len(text) - len(text.lstrip())
    while place < len(text):
        number = len(records) + 1
        try:
            items, end = _items(text, place)
            records.append(_record(items))
        except ValueError as error:
            line = text.count("\n", 0, place) + 1
            raise RecordError(f"game {number}, which begins in line {line}: {error}") from None
        place = end
    return records


def _items(text: str, place: int) -> tuple[list[_Item], int]:
    """Return the items of the game that begins at a place, and where it ends."""
    begin = _BEGIN.match(text, place)
    if not begin:
        raise _unexpected(text, place, "(; of a game")
    items, place = [], begin.end()
    while item := _ITEM.match(text, place):
        items.append((item[1].upper(), re.sub(r"\\(.)", r"\1", item[2], flags=re.DOTALL)))
        place = item.end()
    end = _END.match(text, place)
    if not end:
        raise _unexpected(text, place, "NAME[value] or ;) at the end")
    return items, end.end()


def _unexpected(text: str, place: int, expected: str) -> RecordError:
    column = place - text.rfind("\n", 0, place)
    line = text.count("\n", 0, place) + 1
    found = repr(text[place : place + 20]) if text[place:] else "the end of the file"
    return RecordError(f"line {line}, column {column}: expected {expected}, found {found}")


def _record(items: list[_Item]) -> Record:
    facts = dict(reversed(items))
    if facts.get("GM", "Othello").lower() != "othello":
        raise RecordError(f"GM[{facts['GM']}] is not Othello")
    if "BO" not in facts:
        raise RecordError("there is no BO[...], the position at the start")
    start = _read_board(facts["BO"])
    game = replay(start, list(_moves(items, start)))
    forfeit = None
    if not game.board.is_over:
        forfeit = _forfeit(facts.get("RE", "?"))
    record = Record(game, facts.get("PB", ""), facts.get("PW", ""), forfeit=forfeit)
    _check_result(record, facts.get("RE", "?"))
    return record


def _read_board(text: str) -> Board:
    size, _, cells = text.strip().partition(" ")
    board = Board.parse(cells)
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
        yield PASS if word.upper() in ("PA", "PASS") else parse_square(word, start.size)
        turn = mover.other


def _forfeit(result: str) -> Forfeited | None:
    """Return who gave the game up, by the letter behind a result."""
    found = _RESULT.fullmatch(result.strip())
    if not found or found[2] not in _FLAGS or float(found[1]) == 0:
        return None
    return Forfeited(Colour.BLACK if float(found[1]) < 0 else Colour.WHITE, _FLAGS[found[2]])


def _check_result(record: Record, result: str) -> None:
    found, outcome = _RESULT.fullmatch(result.strip()), record.game.board.outcome()
    if outcome and found and not found[2] and float(found[1]) not in (outcome.disc_diff, outcome.final_score):
        raise RecordError(f"RE[{result}], but by the moves {result_text(record.game)}")
