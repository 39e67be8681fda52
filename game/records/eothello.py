"""Game records in CSV with the columns of eOthello's games: eOthello_game_id, winner and game_moves.

A game a line below the heading. `game_moves` is a transcript, `winner` 1 for black, -1 for white and 0 for a
draw. Only game_moves must be there; other columns are left aside. Between columns there may be semicolons or
tabs too, as spreadsheets write them.
"""

import csv
from collections.abc import Iterator
from typing import Final

from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.notation import brief, parse_moves
from othello_lab.game.records.record import (
    Entry,
    Forfeited,
    Record,
    RecordError,
    check_result,
    lost_by,
    replay,
)
from othello_lab.game.records.text import check_length, numbered_lines

MOVES: Final = "game_moves"
"""The column by which such a file is known."""
_ID, _WINNER = "eothello_game_id", "winner"
_BETWEEN = (",", ";", "\t")
_LEADS: Final = {"1": 1, "-1": -1, "0": 0, "black": 1, "white": -1, "draw": 0}


def entries(data: bytes, size: int) -> Iterator[Entry]:
    """Yield the games of the lines, on boards of `size`, or why a line is none.

    Raises RecordError for a file without the heading.
    """
    lines = numbered_lines(data)
    number, heading = next(lines, (1, MOVES))  # an empty file has no games
    between = max(_BETWEEN, key=heading[:1000].count)
    columns = [name.strip().lower() for name in _cells(heading, between)]
    if MOVES not in columns:
        raise RecordError(
            f"line {number}: expected a heading with the column {MOVES}, found {brief(heading)!r}"
        )
    for number, line in lines:
        try:
            yield _record(dict(zip(columns, _cells(line, between), strict=False)), size)
        except ValueError as error:
            yield RecordError(f"line {number}: {error}")


def _cells(line: str, between: str) -> list[str]:
    """Return the cells of a line; a quoted one ends with the line, so that a stray quote spoils no other."""
    check_length(line)
    return next(csv.reader([line], delimiter=between))


def _record(cells: dict[str, str], size: int) -> Record:
    if MOVES not in cells:
        raise RecordError(f"there is no cell in the column {MOVES}")
    game = replay(Board.start(size), parse_moves(cells[MOVES], size))
    game.pass_if_forced()
    number = cells.get(_ID, "").strip()
    return Record(
        game, forfeit=_forfeit(game, cells.get(_WINNER, "")), event=f"eOthello {number}" if number else ""
    )


def _forfeit(game: Game, winner: str) -> Forfeited | None:
    """Return who lost a game that ends early. Raises RecordError for another winner than the moves have."""
    said = winner.strip().lower().removesuffix(".0")
    if not said:
        return None
    if said not in _LEADS:
        raise RecordError(f"winner is {brief(winner)!r}: expected 1 for black, -1 for white, 0 for a draw")
    check_result(game, _LEADS[said], f"winner is {said}", in_discs=False)
    return lost_by(game, _LEADS[said])
