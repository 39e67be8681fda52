"""A game as the viewer of a page takes it: every position known beforehand."""

from collections.abc import Sequence
from typing import Any

from experiment.show.report.colours import shades_of
from game import Colour
from game.drawing import turned
from game.players.values import MoveValues, units_of, value_text
from game.records import Record

_SIDE = {Colour.BLACK: "X", Colour.WHITE: "O"}


def viewed_game(
    record: Record, number: int, values: Sequence[MoveValues | None] = (), by: str = ""
) -> dict[str, Any]:
    """Return a game for the viewer, as what JSON can hold; with values at each position, those `by` whom.

    Of each position whose turn it is and where that side may move; of each move its square, -1 for a pass,
    and the squares that it turned over; of values their texts and shades in the order of the legal squares.
    """
    game = record.game
    boards = list(zip(game.boards, game.boards[1:], strict=False))
    unit = units_of(values)
    return {
        "label": f"{number}. {record.black or 'black'} against {record.white or 'white'}: {score_of(record)}",
        "size": game.size,
        "start": str(game.boards[0]).split()[0],
        "turns": "".join(_SIDE[board.turn] for board in game.boards),
        "legal": [[*board.legal_moves] for board in game.boards],
        "moves": [int(move) for move in game.moves],
        "flips": [[*turned(before, after)] for before, after in boards],
        "opening": record.opening,
        "result": result_of(record),
        "values": [_shaded(each) for each in values] if unit else None,
        "says": f"Values: what {by} says of the moves ({unit})" if unit else "",
    }


def _shaded(found: MoveValues | None) -> list[tuple[str, int]] | None:
    if found is None:
        return None
    values = found.values.tolist()
    return list(zip(map(value_text, values), shades_of(values), strict=True))


def score_of(record: Record) -> str:
    """Return the discs of both at the end, such as 40-24, black's first; a word where there is no result."""
    if record.forfeit:
        return f"{record.forfeit.by.value} forfeits"
    black, white = record.game.board.counts()
    return f"{black}-{white}" if record.is_over else f"{black}-{white}, unfinished"


def result_of(record: Record) -> str:
    """Say how a game ended."""
    if forfeit := record.forfeit:
        return f"{forfeit.by.value} forfeits the game: {forfeit.reason}"
    if not record.is_over:
        return "Here the record ends; the game is not over."
    winner = record.winner
    return f"{winner.value} wins." if winner else "A draw."
