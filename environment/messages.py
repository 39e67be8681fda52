"""The environment's side of the control channel: `env_message` in, a line of text out."""

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from environment.config import FIRST, SELF
from game.board import Colour
from game.game import Game
from game.notation import square_name
from game.players.catalogue import is_built_in
from rlglue import messages

if TYPE_CHECKING:
    from environment.othello import OthelloEnvironment

HELP = {
    "seed": "seed N: derive the episodes from this seed",
    "episode": "episode K: the index of the next episode",
    "start": "start MOVES|POSITION|standard: where the next episodes start",
    "opponent": "opponent TEXT: who plays against the agent",
    "first": f"first {'|'.join(FIRST)}: who has black",
    "stats": "stats: the present state as JSON",
    "transcript": "transcript: the moves of the present game",
    "render": "render: a drawing of the present position",
    "help": "help: this list",
}


_LAST_EPISODE = 10**15


def answer(environment: "OthelloEnvironment", message: str) -> str:
    """Obey a message and return `message understood, ...`, what was asked for, or `error: ...`."""
    handlers = {word: partial(handle, environment) for word, handle in _ANSWERS.items()}
    return messages.answer(handlers, message, "environment")


def _seed(environment: "OthelloEnvironment", text: str) -> str:
    environment.seed = messages.natural(text, messages.LARGEST_SEED)
    return f"message understood, seed {environment.seed}"


def _episode(environment: "OthelloEnvironment", text: str) -> str:
    environment.next_episode = messages.natural(text, _LAST_EPISODE)
    return f"message understood, the next episode is {environment.next_episode}"


def _start(environment: "OthelloEnvironment", text: str) -> str:
    environment.set_start(text or "standard")
    return f"message understood, episodes start from {environment.start_from.board}"


def _opponent(environment: "OthelloEnvironment", text: str) -> str:
    config = environment.config
    if text == SELF != config.opponent:
        raise ValueError("the rewards of self-play differ: start the environment with --opponent self")
    if not (text in {config.opponent, *config.allow_opponent} or is_built_in(text, config.size)):
        raise ValueError(
            f"opponent {text!r} is not allowed over the wire, where players open no file, start no program "
            "and think for seconds at most: start the environment with --allow-opponent TEXT to permit it"
        )
    environment.set_opponent(text)
    return f"message understood, the opponent is {text}"


def _first(environment: "OthelloEnvironment", text: str) -> str:
    if text not in FIRST:
        raise ValueError(f"first is {text!r}, expected one of {', '.join(FIRST)}")
    environment.first = text
    return f"message understood, first is {text}"


def _stats(environment: "OthelloEnvironment", _: str) -> str:
    black, white = environment.game.board.counts()
    own, opponent = (black, white) if environment.colour is Colour.BLACK else (white, black)
    return json.dumps(
        {
            "size": environment.config.size,
            "opponent": environment.opponent_text,
            "first": environment.first,
            "start": environment.start_text,
            "seed": environment.seed,
            "episode": environment.next_episode - 1,
            "colour": environment.colour.value,
            "illegal": environment.illegal,
            "illegal_total": environment.illegal_total,
            "opponent_forfeits": environment.opponent_forfeits,
            "discs_own": own,
            "discs_opponent": opponent,
        }
    )


def _transcript(environment: "OthelloEnvironment", _: str) -> str:
    return environment.game.transcript()


def _render(environment: "OthelloEnvironment", _: str) -> str:
    return drawing(environment.game)


def _help(_: "OthelloEnvironment", __: str) -> str:
    return "\n".join(HELP.values())


_ANSWERS: dict[str, Callable[["OthelloEnvironment", str], str]] = {
    "seed": _seed,
    "episode": _episode,
    "start": _start,
    "opponent": _opponent,
    "first": _first,
    "stats": _stats,
    "transcript": _transcript,
    "render": _render,
    "help": _help,
}


def drawing(game: Game) -> str:
    """Return the position now as text: X black, O white, + where the side to move may play."""
    board = game.board
    rows = ["   " + " ".join(square_name(column, game.size)[0] for column in range(game.size))]
    for row in range(game.size):
        squares = range(row * game.size, (row + 1) * game.size)
        rows.append(f"{row + 1:2d} " + " ".join(_cell(game, square) for square in squares))
    black, white = board.counts()
    last = f"after {square_name(game.moves[-1], game.size)}, " if game.moves else ""
    turn = "game over" if board.is_over else f"{board.turn.value} to move"
    return "\n".join([*rows, f"X {black}  O {white}  {last}{turn}"])


def _cell(game: Game, square: int) -> str:
    board = game.board
    if board.black >> square & 1:
        return "X"
    if board.white >> square & 1:
        return "O"
    return "+" if square in board.legal_moves else "."
