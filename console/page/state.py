"""The state of a game as a page shows it: what JSON can hold, and nothing that a page works out itself."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from othello_lab.console import card, reviewing, wording
from othello_lab.console.controller import SEATING, Controller
from othello_lab.console.hints import Hints, Review
from othello_lab.console.page.tab import Tab, link_of, transcript_of
from othello_lab.console.table import Settings
from othello_lab.game import PASS, Board, Colour
from othello_lab.game.drawing import Marks, as_data
from othello_lab.game.notation import square_name
from othello_lab.game.openings import opening_name
from othello_lab.game.review import Reviewed, are_in_discs, points_of

_HOW = "click a square, or arrow keys and Enter"
_WIDE = 1000
"""Columns: a page breaks its lines itself."""
_SHADES = 20
"""Shades are 0 for the worst move to this."""


def first_state(tab: Tab, start: Board) -> dict[str, Any]:
    """Return what is shown before there is a game: its start, without knowing a rule."""
    notice = tab.failure or SEATING
    return {
        "version": tab.version,
        "is_busy": not tab.failure,
        "is_ready": False,
        "board": {**as_data(start, Marks()), "best": [], "is_playable": False},
        "notice": notice,
        "failure": tab.failure,
    }


def state_of(tab: Tab, control: Controller) -> dict[str, Any]:
    """Return all that the page shows of a game."""
    at, hints = control.sitting, control.hints
    review = hints.reviewed
    waits = at.turn is not None and not at.person_to_move and not control.is_thinking
    return {
        "is_ready": True,
        "failure": "",
        "board": _board(control),
        "notice": control.notice(_HOW),
        "sides": {colour.value: _side(control, colour) for colour in Colour},
        "moves": _moves(control),
        "opening": opening_name(at.game),
        "ply": at.ply,
        "is_over": at.turn is None,
        "card": _card(control) if at.turn is None else None,
        "hint": _hint(hints),
        "shows_values": hints.shows_values,
        "review": _review(review) if review else None,
        "settings": _settings(control.table.settings),
        "refusal": _refusal(tab),
        "stuck": tab.stuck_by if waits and not at.can_redo else "",
        "can": {
            "undo": at.ply > 0 or at.resigned is not None,
            "redo": at.can_redo,
            "go": waits,
            "resign": at.can_resign,
            "review": bool(at.line),
        },
        "link": link_of(at.game),
        "transcript": transcript_of(at.record().game),
        # Last: to show the card may begin a review.
        "version": tab.version,
        "is_busy": _is_busy(control),
    }


def _is_busy(control: Controller) -> bool:
    """Tell whether something goes on that changes what is shown, without anybody doing anything."""
    hints, review = control.hints, control.hints.reviewed
    is_growing = review is not None and not review.is_done
    return control.is_thinking or bool(control.wished) or hints.is_asked or is_growing


def _board(control: Controller) -> dict[str, Any]:
    """Return a position as board.js draws it."""
    at, advice = control.sitting, control.hints.shown
    marks = Marks.of(at.game, legal=at.person_to_move or at.can_redo or advice is not None)
    played = control.hints.judged_here
    if played:
        marks = replace(marks, chosen=played.decision.move)
    found, known = as_data(at.game.board, marks), advice.by_square if advice else {}
    worth = [known[move] for move in found["legal"] if move in known and known[move].text]
    values = [(each.text, round(_SHADES * each.shade)) for each in worth]
    return {
        **found,
        "values": values if values and len(values) == len(found["legal"]) else None,
        "best": advice.best if advice else [],
        "is_playable": at.person_to_move,
    }


def _side(control: Controller, colour: Colour) -> dict[str, Any]:
    at = control.sitting
    discs = dict(zip(Colour, at.game.board.counts(), strict=True))
    return {
        "name": wording.names(at.seats)[colour],
        "discs": discs[colour],
        "seconds": round(at.clocks.used(colour), 1),
        "is_turn": at.turn is colour,
        "is_running": at.clocks.running is colour,
        "thinks": at.turn is colour and control.is_thinking,
    }


def _moves(control: Controller) -> list[dict[str, Any]]:
    """Return the moves of the line, with what a review that is read has found of each."""
    game, judged = control.sitting.record().game, control.hints.judged
    return [
        {
            "name": "pass" if move == PASS else square_name(move, game.size),
            "side": board.turn.value,
            "lost": reviewing.loss_mark(judged.get(ply)),
        }
        for ply, (move, board) in enumerate(zip(game.moves, game.boards, strict=False))
    ]


def _card(control: Controller) -> dict[str, Any]:
    choices = [{"word": choice.command.word, "label": choice.label} for choice in card.choices(control.table)]
    return {"lines": control.ended(), "choices": choices}


def _hint(hints: Hints) -> list[str]:
    if hints.is_asked:
        return [f"{hints.adviser.name} thinks about a hint"]
    advice = hints.shown
    return wording.advice_lines(advice, advice.board.turn.value, _WIDE) if advice else []


def _review(review: Review) -> dict[str, Any]:
    found = review.found
    is_whole = review.is_done and not review.failure
    return {
        "is_opened": review.is_opened,
        "is_done": review.is_done,
        "lines": reviewing.summary(found) if is_whole else [review.failure or f"{review.progress} ..."],
        "points": [point._asdict() for point in points_of(found, review.game)],
        "scale": _scale(found),
    }


def _scale(found: Iterable[Reviewed]) -> str:
    """Return what the numbers of a graph are: points of an evaluation stay what they are."""
    if are_in_discs(found):
        return "discs at the end of the game"
    return "points of the evaluation, and near the end in discs"


def _settings(settings: Settings) -> dict[str, Any]:
    players = {colour.value: text for colour, text in settings.players.items()}
    return {"size": settings.size, "adviser": settings.adviser, **players}


def _refusal(tab: Tab) -> dict[str, Any] | None:
    if tab.refusal is None:
        return None
    settings, why = tab.refusal
    return {**_settings(settings), "why": why}
