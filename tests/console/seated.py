"""Games on 4x4 for tests: who sits at them, and what their moves are."""

from collections.abc import Iterator
from itertools import count

import numpy as np

from othello_lab.console.seat import Seat
from othello_lab.console.sitting import Question, Sitting
from othello_lab.game import Colour, Game
from othello_lab.game.notation import parse_moves, parse_square, square_name
from tests.console.conftest import ScriptPlayer

# 4x4; white has to pass after a3, black after d2.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"
# 4x4; white wins 11 to 3 with two squares empty.
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"
BLACK, WHITE = Colour.BLACK, Colour.WHITE


def square(name: str) -> int:
    return parse_square(name, 4)


def seat(transcript: str = OPTIMAL) -> Seat:
    return Seat("script", ScriptPlayer(parse_moves(transcript, 4)), np.random.default_rng(0))


def player_of(place: Seat | None) -> ScriptPlayer:
    assert place
    assert isinstance(place.player, ScriptPlayer)
    return place.player


def sitting(black: Seat | None = None, white: Seat | None = None, transcript: str = "") -> Sitting:
    """Return a game on 4x4 whose clock ticks a second each time it is read."""
    ticks = count()
    return Sitting(Game.from_transcript(transcript, 4), {BLACK: black, WHITE: white}, now=lambda: next(ticks))


def question(at: Sitting) -> Question:
    asked = at.question
    assert asked
    return asked


def answer(at: Sitting) -> list[int]:
    asked = question(at)
    return at.accept(asked, asked.answer())


def moves(at: Sitting) -> str:
    return " ".join(square_name(move, 4) for move in at.game.moves)


def every_ply(at: Sitting) -> Iterator[int]:
    for ply in range(len(at.line) + 1):
        at.go_to(ply)
        yield at.ply
