"""The messages between a page and its server: the actions of a person, and the state of a game."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from othello_lab.console import reviewing
from othello_lab.console.controller import SEATING, Controller
from othello_lab.console.hints import Review
from othello_lab.game import Board
from othello_lab.game.drawing import Marks, as_data
from othello_lab.game.notation import USUAL_SIZE
from othello_lab.game.openings import opening_name
from othello_lab.game.review import are_in_discs, points_of

LARGEST = 1_000_000  # The maximum size of an uploaded file, in bytes.
_HOW = "click a square, or arrow keys and Enter"
_SHADES = 20  # The shade of the best move. The worst move has shade 0.
_Text = Annotated[str, Meta(max_length=2000)]
GameId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]  # A game's ID, which the page generates for each tab.


class _Action(Struct, forbid_unknown_fields=True, tag_field="do"):
    """An action of a person."""


class Play(_Action, tag="play"):
    """Play a square."""

    square: Annotated[int, Meta(ge=0, lt=256)]


class Command(_Action, tag="command"):
    """Execute a command."""

    name: Literal["undo", "redo", "go", "hint", "resign", "new", "values", "review"]


class GoTo(_Action, tag="goto"):
    """Show the position after `ply` moves."""

    ply: Annotated[int, Meta(ge=0, le=1000)]


class Step(_Action, tag="step"):
    """Step `decisions` decisions forward, or backward if negative."""

    decisions: Annotated[int, Meta(ge=-1000, le=1000)]


class Seat(_Action, tag="seat"):
    """Replace the players, in a new game or in the current game."""

    size: Annotated[int, Meta(ge=4, le=16, multiple_of=2)]
    black: _Text
    white: _Text
    adviser: _Text
    is_new: bool


class Open(_Action, tag="open"):
    """Open a typed or pasted game or position."""

    text: Annotated[str, Meta(max_length=20_000, pattern=r"\S")]


class SetUp(_Action, tag="set-up"):
    """Continue from a position set up on the board."""

    text: _Text


class Load(_Action, tag="load"):
    """Open game `number` (from 1) of an uploaded file."""

    name: Annotated[str, Meta(max_length=300)]
    content: Annotated[bytes, Meta(max_length=LARGEST)]
    number: Annotated[int, Meta(ge=1, le=1_000_000)]


class Save(_Action, tag="save"):
    """Download the game, or a picture of the position, as a file."""

    suffix: Literal[".jsonl", ".ggf", ".txt", ".png", ".svg"]


Action = Play | Command | GoTo | Step | Seat | Open | SetUp | Load | Save


class Message(Struct, forbid_unknown_fields=True):
    """A message from a page about one game."""

    game: GameId
    # The version of the state that the page shows, or "" before the first state.
    version: Annotated[str, Meta(max_length=8)] = ""
    action: Action | None = None


def first_state(start: Board, failure: str) -> dict[str, Any]:
    """Return the state before the players are ready, with the start position and any error message."""
    return {
        "is_busy": not failure,
        "is_ready": False,
        "board": {**as_data(start, Marks()), "best": [], "is_playable": False},
        "notice": failure or SEATING,
        "failure": failure,
    }


def state_of(control: Controller) -> dict[str, Any]:
    """Return the state of a game whose players are ready."""
    at, hints = control.sitting, control.hints
    review, is_over = hints.reviewed, at.turn is None
    game = at.record().game
    moves = game.transcript()
    waits = not is_over and not at.person_to_move and not control.is_thinking
    return {
        "is_ready": True,
        "failure": "",
        "board": _board(control),
        "notice": control.notice(_HOW),
        "sides": {side.colour.value: side._asdict() for side in control.sides()},
        "moves": [move._asdict() for move in control.moves()],
        "opening": opening_name(at.game),
        "ply": at.ply,
        "is_over": is_over,
        "card": control.ended() if is_over else None,
        "hint": control.hint_lines(),
        "shows_values": hints.shows_values,
        "review": _review(review) if review else None,
        "settings": {
            "size": control.size,
            "adviser": control.settings.adviser,
            **{colour.value: text for colour, text in control.settings.players.items()},
        },
        "can": {
            "undo": at.ply > 0 or at.resigned is not None,
            "redo": at.can_redo,
            "go": waits,
            "resign": at.can_resign,
            "review": bool(at.line),
        },
        "transcript": moves if game.start == Board.start(USUAL_SIZE) else f"{game.start};{moves}",
        # `is_busy` must be the last entry, because `card` may start a review.
        "is_busy": _is_busy(control),
    }


def _is_busy(control: Controller) -> bool:
    """Return whether background work may change the state."""
    hints, review = control.hints, control.hints.reviewed
    is_growing = review is not None and not review.is_done
    return control.is_thinking or bool(control.wished) or hints.is_asked or is_growing


def _board(control: Controller) -> dict[str, Any]:
    """Return the position in the format of board.js."""
    decision, advice = control.hints.judged_here, control.hints.displayed
    marks = replace(control.marks, chosen=decision.move) if decision else control.marks
    data, by_square = as_data(control.game.board, marks), advice.by_square if advice else {}
    moves = [by_square[move] for move in data["legal"] if move in by_square and by_square[move].text]
    values = [(move.text, round(_SHADES * move.shade)) for move in moves]
    return {
        **data,
        "values": values if values and len(values) == len(data["legal"]) else None,
        "best": advice.best if advice else [],
        "is_playable": control.sitting.person_to_move,
    }


def _review(review: Review) -> dict[str, Any]:
    decisions = review.decisions
    is_whole = review.is_done and not review.failure
    points = "points of the evaluation, and near the end in discs"
    return {
        "is_opened": review.is_opened,
        "is_done": review.is_done,
        "lines": reviewing.summary(decisions) if is_whole else [review.failure or f"{review.progress} ..."],
        "points": [point._asdict() for point in points_of(decisions, review.game)],
        "scale": "discs at the end of the game" if are_in_discs(decisions) else points,
    }
