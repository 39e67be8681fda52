"""The evaluation of a game over its moves: points that pages, screens and lines of text draw as a graph."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from othello_lab.game.board import Board, Colour
from othello_lab.game.decisions import Decision
from othello_lab.game.evaluators.evaluator import CHANCES, EXPECTED_RETURN
from othello_lab.game.game import Game
from othello_lab.game.players.base import DISCS, ESTIMATE, MoveValues, expected_discs
from othello_lab.game.review import Reviewed

_AS_DISCS = DISCS, ESTIMATE, *CHANCES, EXPECTED_RETURN


class Point(NamedTuple):
    """What a position of a game was worth to black by the best of its moves, or what came of the game."""

    ply: int
    """The number of moves before it, passes included."""
    worth: float
    """In discs, or in points of an evaluation whose relation to discs is not known."""
    is_exact: bool
    """Whether that is the result of perfect play."""
    lost: float = 0.0
    """What the move gave away that was played there, if that was a mistake."""


def are_in_discs(found: Iterable[Reviewed]) -> bool:
    """Tell whether all decisions are valued in discs, exactly or estimated."""
    return all(each.unit in (DISCS, ESTIMATE) for each in found)


def points_of(found: Iterable[Reviewed], game: Game | None = None) -> list[Point]:
    """Return the points of decisions, by ascending ply, and the result of the game if it is over."""
    end = game.board.outcome() if game else None
    result = [Point(len(game.moves), end.disc_diff, True)] if game and end else []
    return sorted([*map(_point, found), *result])


def _point(found: Reviewed) -> Point:
    value = found.decision.value
    worth = value if found.side is Colour.BLACK else -value
    return Point(found.ply, worth, found.exact, found.lost if found.is_mistake else 0.0)


def points_of_values(values: Sequence[MoveValues | None], game: Game) -> list[Point]:
    """Return the points of what a player said of each position; none where that cannot be told in discs."""
    said = [*zip(values, game.boards, game.moves, strict=False)]
    if any(each and each.unit not in _AS_DISCS for each, _, _ in said):
        return []
    found = [_judged(each, ply, board, move) for ply, (each, board, move) in enumerate(said) if each]
    return points_of(found, game) if found else []


def _judged(said: MoveValues, ply: int, board: Board, move: int) -> Reviewed:
    """Return a move beside what a player said of all moves, in discs."""
    by_square = said.by_square(board.legal_moves)
    discs = {square: expected_discs(value, said.unit, board) for square, value in by_square.items()}
    return Reviewed(ply, Decision(board, move, discs), DISCS if said.unit == DISCS else ESTIMATE, ())
