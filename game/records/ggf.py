"""Game records in GGF, the Generic Game Format of GGS: `(;GM[Othello]PB[..]RE[+2]BO[8 ... *]B[F5]...;)`.

Any size and any start. The result is written with the empty squares given to the winner; a forfeited game as
one that the loser resigned. Read with evaluations and times of moves, which are left aside like every item
that is not known.
(https://skatgame.net/mburo/ggsa/ggf)
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from othello_lab.game.board import Board, Colour
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS, PASSES, parse_square, square_name
from othello_lab.game.records import brackets
from othello_lab.game.records.brackets import Items
from othello_lab.game.records.record import (
    Entry,
    Forfeited,
    Record,
    RecordError,
    contradiction,
    lost_by,
    replay,
    strict,
)

_RESULT = re.compile(r"([+-]?[0-9]+(?:\.[0-9]*)?)(?::([a-z]))?")
_FLAGS = {"r": "resigned", "t": "time", "l": "left", "s": "agreed"}
_SECONDS = re.compile(r"[0-9]{9,10}")
_OTHELLO = "Othello"
_PLACE = "othello-lab"
"""Written where no other place is known."""


def dump(records: Iterable[Record]) -> bytes:
    """Return the games, one a line."""
    return "".join(_as_ggf(record) + "\n" for record in records).encode()


def _as_ggf(record: Record) -> str:
    game = record.game
    items = [
        ("GM", _OTHELLO),
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
    """Yield the games, or why one cannot be read."""
    return brackets.entries(data, _record)


def _record(items: Items) -> Record:
    facts = dict(reversed(items))
    if (kind := facts.get("GM", _OTHELLO)).strip().lower() != _OTHELLO.lower():
        raise RecordError(f"GM[{kind[:20]}] is not Othello: in GGF that is GM[{_OTHELLO}]")
    if "BO" not in facts:
        raise RecordError("there is no BO[...], the position at the start")
    start, result = _read_board(facts["BO"]), facts.get("RE", "?").strip()
    game = replay(start, brackets.in_turn(_moves(items, start.size), start.turn))
    place = facts.get("PC", _PLACE)
    return Record(
        game,
        facts.get("PB", ""),
        facts.get("PW", ""),
        forfeit=_forfeit(game, result),
        event="" if place == _PLACE else place,
        date=_date(facts.get("DT", "")),
        warning="" if _is_other_game(facts) else _contradiction(game, result),
    )


def _date(text: str) -> str:
    """Return a date; of one in seconds since 1970 the day."""
    return datetime.fromtimestamp(int(text), UTC).date().isoformat() if _SECONDS.fullmatch(text) else text


def _read_board(text: str) -> Board:
    size, *cells = text.split() or [""]
    board = Board.parse(" ".join(cells))
    if str(board.size) != size:
        raise RecordError(f"BO announces {size}, but has {board.size}x{board.size} cells")
    return board


def _moves(items: Items, size: int) -> Iterator[tuple[Colour, int]]:
    for name, value in items:
        if side := brackets.SIDES.get(name):
            yield side, parse_move(fields_of(value)[0], size)


def fields_of(move: str) -> list[str]:
    """Return square, evaluation and time of a move, `F5/1.20/0.53` or `F5 1.20 0.53`; "" if missing."""
    found = re.split("/" if "/" in move else r"\s+", move.strip())
    return [field.strip() for field in (*found, "", "")][:3]


def parse_move(text: str, size: int) -> int:
    """Read a square, or PASS as any record writes it; raise NotationError."""
    return PASS if text.lower() in PASSES else parse_square(text[:40], size)


def _forfeit(game: Game, result: str) -> Forfeited | None:
    """Return who gave the game up, by the letter behind a result."""
    found = _RESULT.fullmatch(result)
    return lost_by(game, float(found[1]), _FLAGS[found[2]]) if found and found[2] in _FLAGS else None


def _is_other_game(facts: dict[str, str]) -> bool:
    """Tell whether something else than discs counts: of anti games, `a`, or those with a komi, `k`."""
    return "KM" in facts or bool(set("ak") & set(facts.get("TY", "").lower()))


def _contradiction(game: Game, result: str) -> str:
    found = _RESULT.fullmatch(result)
    return contradiction(game, float(found[1]), f"RE[{result[:20]}]") if found and not found[2] else ""
