"""The worth of moves and positions to the player of a session, in discs at the end."""

from collections.abc import Iterator
from dataclasses import dataclass

from console.engines.engine_game import Session
from game.board import Board, Colour
from game.notation import PASS
from game.players.discs import expected_discs
from game.search.limits import Report


@dataclass(frozen=True, slots=True)
class Worth:
    """What is said of a move."""

    line: tuple[int, ...]
    """How the game goes on, from the move on."""
    discs: float
    """Own discs minus the other side's; expected, or exact."""
    depth: int | None
    """Plies that were looked ahead; None where it is exact."""


@dataclass(frozen=True, slots=True)
class Look:
    """What is said of every legal move."""

    moves: tuple[Worth, ...]
    """The best first."""
    nodes: int
    """Positions looked at since the question."""


def looks(session: Session, depth: int | None) -> Iterator[Look]:
    """Yield what is known of the moves of a position that has some, ever deeper; nothing where nothing is.

    A search looks `depth` plies ahead, by default as its text says. Near the end all is exact.
    """
    board, is_searched = session.game.board, False
    for ranked in session.looks(depth):
        is_searched = True
        yield _look((_searched(report, session, board) for report in ranked.reports), ranked.nodes)
    if not is_searched and (found := session.values()):
        worth = found.by_square(board.legal_moves).items()
        yield _look((Worth((move,), expected_discs(value, found.unit, board), 1) for move, value in worth), 0)


def position(session: Session, depth: int | None) -> tuple[float | None, int]:
    """Return what the position is worth to the side to move, None where nothing is known, and the nodes."""
    game = session.game
    if outcome := game.board.outcome():
        return float(outcome.disc_diff if game.board.turn is Colour.BLACK else -outcome.disc_diff), 0
    if game.board.must_pass:
        session.play(PASS)
        value, nodes = position(session, depth)
        return None if value is None else -value, nodes
    found = [*looks(session, depth)]
    return (found[-1].moves[0].discs, found[-1].nodes) if found else (None, 0)


def chosen(session: Session, move: int) -> float | None:
    """Return what the move just chosen is worth; None where to find out would take as long again."""
    board = session.game.board
    if report := session.last_report:
        return _discs(report, session, board) if report.move == move else None
    if move == PASS or not session.answers_at_once or (found := session.values()) is None:
        return None
    return expected_discs(found.by_square(board.legal_moves)[move], found.unit, board)


def _look(moves: Iterator[Worth], nodes: int) -> Look:
    return Look(tuple(sorted(moves, key=lambda move: -move.discs)), nodes)


def _searched(report: Report, session: Session, board: Board) -> Worth:
    return Worth(report.variation, _discs(report, session, board), None if report.solved else report.depth)


def _discs(report: Report, session: Session, board: Board) -> float:
    return report.value if report.solved else expected_discs(report.value, session.unit, board)
