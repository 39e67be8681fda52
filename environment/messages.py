"""The environment's side of the control channel: `env_message` in, a line of text out."""

import json
from collections.abc import Mapping

from environment.config import FIRST
from environment.settings import Settings
from game.drawing import as_text
from game.game import Game
from game.play.luck import LAST_EPISODE
from game.start import STANDARD
from rlglue import messages

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


def answer(message: str, settings: Settings, game: Game, stats: Mapping[str, object]) -> str:
    """Carry out a message and return `message understood, ...`, what was asked for, or `error: ...`."""
    handlers = {
        "seed": lambda text: _seed(settings, text),
        "episode": lambda text: _episode(settings, text),
        "start": lambda text: _start(settings, text),
        "opponent": lambda text: _opponent(settings, text),
        "first": lambda text: _first(settings, text),
        "stats": lambda _: json.dumps(stats),
        "transcript": lambda _: game.transcript(),
        "render": lambda _: as_text(game),
        "help": lambda _: "\n".join(HELP.values()),
    }
    return messages.answer(handlers, message, "environment")


def _seed(settings: Settings, text: str) -> str:
    settings.seed = messages.natural(text, messages.LARGEST_SEED)
    return f"message understood, seed {settings.seed}"


def _episode(settings: Settings, text: str) -> str:
    settings.next_episode = messages.natural(text, LAST_EPISODE)
    return f"message understood, the next episode is {settings.next_episode}"


def _start(settings: Settings, text: str) -> str:
    settings.set_start(text or STANDARD)
    return f"message understood, episodes start from {settings.start_from.board}"


def _opponent(settings: Settings, text: str) -> str:
    settings.set_opponent(text)
    return f"message understood, the opponent is {text}"


def _first(settings: Settings, text: str) -> str:
    settings.set_first(text)
    return f"message understood, first is {text}"
