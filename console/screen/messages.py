"""The words of the screen for what happens in a game."""

from console import wording
from console.reviewing import lost_text, turned_text
from console.sitting import Sitting
from game import PASS
from game.notation import square_name
from game.review import Reviewed


def moved(at: Sitting, moves: list[int]) -> str:
    """Return what the moves made last were."""
    said = [_played(at, move, ply) for ply, move in enumerate(moves, at.ply - len(moves))]
    return " ".join(filter(None, said))


def _played(at: Sitting, move: int, ply: int) -> str:
    """Return who made a move; "" for a person's own."""
    mover = at.game.boards[ply].turn
    if move == PASS:
        return wording.pass_line(mover, at.seats)
    seat = at.seats[mover]
    return wording.move_line(mover, seat.name, move, at.game.size) + "." if seat else ""


def not_yours(at: Sitting) -> str:
    """Return why no person can move now."""
    if at.turn is None:
        return "The game is over: F2 begins another, Ctrl+Z takes back."
    who = wording.names(at.seats)[at.turn]
    if at.can_redo:
        return f"Here it was the turn of {who}: Ctrl+G has it move again."
    return f"{who} is to move: wait for it, or take your move back with Ctrl+Z."


def judged(found: Reviewed) -> str:
    """Return what a review found of the move that was played in the position that is shown."""
    played = square_name(found.decision.move, found.decision.board.size)
    lost = f"which lost {lost_text(found)}" if found.is_mistake else "no mistake"
    turned = turned_text(found)
    return f"Here {found.side.value} played {played}, {lost}{f' ({turned})' if turned else ''}."


def to_move(at: Sitting) -> str:
    """Return whose turn it is, and at first how one moves; "" when the game is over."""
    if at.turn is None:
        return ""
    who = wording.names(at.seats)[at.turn]
    turn = f"Your move, {at.turn.value}" if who == wording.YOU else f"{at.turn.value.capitalize()} is to move"
    is_new = at.person_to_move and at.ply <= at.given + 1
    return f"{turn}: arrow keys and Enter, a click, or type a square such as d3." if is_new else f"{turn}."
