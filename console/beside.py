"""The words beside a board, on a screen or on a page: what happened last, how the game ended."""

from othello_lab.console import card, reviewing, wording
from othello_lab.console.controller import Controller
from othello_lab.game.review import Reviewed

SEATING = "The players are being made ready ..."


def notice(control: Controller, how: str) -> str:
    """Return what was said last, else whose turn it is; `how` is how one moves."""
    found = control.hints.judged.get(control.sitting.ply)
    said = reviewing.judged(found) if found else wording.to_move(control.sitting, how)
    waits = SEATING if control.wished else ""
    return waits or control.notice or said


def ended(control: Controller) -> list[str]:
    """Return how a game ended, and what a review has found to be the costliest move, once it has."""
    at = control.sitting
    game, lines = at.record().game, card.result(at)
    if not game.moves:
        return lines
    review = control.hints.review(game)
    if review.failure or review.is_done:
        return [*lines, review.failure or card.costliest(at, review.found)]
    return [*lines, f"What cost most? {review.progress} are reviewed ..."]


def lost(found: Reviewed | None) -> str:
    """Return what a mistake lost, beside the move in a list; "" for any other move."""
    if found is None or not found.is_mistake:
        return ""
    return f"-{reviewing.lost_text(found)} {reviewing.turned_text(found)}".rstrip()
