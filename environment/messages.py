"""The settings of a running environment, and the messages that change them."""

import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from othello_lab.environment.config import FIRST, SELF, EnvironmentConfig
from othello_lab.game.board import Colour
from othello_lab.game.catalogue import is_built_in, make
from othello_lab.game.drawing import as_text
from othello_lab.game.game import STANDARD, Game, is_standard, parse_start
from othello_lab.game.luck import LAST_EPISODE
from othello_lab.game.players.player import Player
from othello_lab.game.players.simple import pick
from rlglue import messages


class Settings:
    """The seed, next episode, start, opponent and colours. Raises ValueError for a wrong size or opponent."""

    def __init__(self, config: EnvironmentConfig) -> None:
        self.config = config
        self.seed = config.seed
        self.next_episode = 0
        self.first = config.first
        self.set_start(STANDARD)
        self.opponent, self.opponent_text = self._make(config.opponent), config.opponent
        """The opponent and its registry text. The opponent is None if the agent plays both sides."""
        self._before_evaluation: tuple[int, int, str, str, str] | None = None
        """A copy of the settings from the beginning of the current evaluation. None without an evaluation."""

    def mark_evaluation(self, event: str) -> None:
        """Copy the settings for the event `begins`. Discard the copy for `ends`. Else raise ValueError."""
        if event not in ("begins", "ends"):
            raise ValueError(f"{messages.truncate_middle(event, 80)!r}: expected begins or ends")
        current = self.seed, self.next_episode, self.first, self.start_text, self.opponent_text
        self._before_evaluation = current if event == "begins" else None

    def undo_evaluation(self) -> None:
        """If an evaluation was killed, restore the settings from before the evaluation."""
        if self._before_evaluation:
            self.seed, self.next_episode, self.first, start, opponent = self._before_evaluation
            self.set_start(start)
            if opponent != self.opponent_text:
                self.change_opponent(opponent)
        self._before_evaluation = None

    def set_start(self, text: str) -> None:
        """Set the start to `standard`, a transcript or a position. Raises ValueError for any other text."""
        self.start_from = _playable(parse_start(text, self.config.size), self.config.size)
        self.start_text = STANDARD if is_standard(text) else text

    @property
    def random_opening(self) -> int:
        """Maximum number of random plies, which is 0 unless episodes begin from the standard start."""
        return self.config.random_opening if self.start_text == STANDARD else 0

    def set_first(self, text: str) -> None:
        """Set the side that plays black. Raises ValueError if `text` is not one of FIRST."""
        self.first = replace(self.config, first=text).first

    def set_opponent(self, text: str) -> None:
        """Replace the opponent after a message. Raises ValueError for a player that is not allowed."""
        config = self.config
        if text == SELF != config.opponent:
            raise ValueError("the rewards of self-play differ: start the environment with --opponent self")
        if not (text in {config.opponent, *config.allow_opponent} or is_built_in(text, config.size)):
            raise ValueError(
                f"opponent {text!r} is not allowed over the wire, where players open no file, start no "
                "program and think for seconds at most: start the environment with --allow-opponent TEXT to "
                "permit it"
            )
        self.change_opponent(text)

    def change_opponent(self, text: str) -> None:
        """Replace the opponent by any player of the registry. Raises ValueError for a wrong text."""
        player = self._make(text)
        self.close_opponent()
        self.opponent, self.opponent_text = player, text

    def close_opponent(self) -> None:
        """Close the opponent. If the opponent is a process, the process ends."""
        if self.opponent:
            self.opponent.close()

    def _make(self, text: str) -> Player | None:
        return None if text == SELF else make(text, self.config.size)


def _playable(game: Game, size: int) -> Game:
    if game.size != size:
        raise ValueError(f"the position is {game.size}x{game.size}, but this environment plays {size}x{size}")
    if game.board.is_over:
        raise ValueError("the game is already over in that position")
    return game


def agent_colour(first: str, episode: int, rng: np.random.Generator) -> Colour:
    """Return the colour of the agent in an episode. `first` is one of FIRST."""
    black = agent_is_black(first, np.array([episode]), rng)
    return Colour.BLACK if black[0] else Colour.WHITE


def agent_is_black(first: str, episodes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return True for each episode in which the agent plays black, bool [n]."""
    if first == "random":
        return rng.random(len(episodes)) < 0.5
    if first == "alternate":
        even: NDArray[np.bool_] = episodes % 2 == 0
        return even
    return np.full(len(episodes), first == "agent")


def with_random_opening(start: Game, most: int, rng: np.random.Generator) -> Game:
    """Return a copy of the game `start` with 0 to `most` random plies added.

    After the plies, the side to move has a legal move. If there is no legal move in `start`, no plies are
    added.
    """
    while True:
        game = start.until()
        plies = int(rng.integers(most + 1)) if most and start.board.legal_moves else 0
        while plies and game.board.legal_moves:
            game.play(pick(game.board.legal_moves, rng))
            plies -= 1
        if game.board.legal_moves or not start.board.legal_moves:
            return game


HELP = {
    "seed": "seed N: derive the episodes from this seed",
    "episode": "episode K: the index of the next episode",
    "start": "start MOVES|POSITION|standard: where the next episodes start",
    "opponent": "opponent TEXT: who plays against the agent",
    "first": f"first {'|'.join(FIRST)}: which side plays black",
    "evaluation": "evaluation begins|ends: env_init undoes the changes of an evaluation that did not end",
    "stats": "stats: the current state as JSON",
    "transcript": "transcript: the moves of the current game",
    "render": "render: a drawing of the current position",
    "help": "help: this list",
}


def answer(message: str, settings: Settings, game: Game, stats: Mapping[str, object]) -> str:
    """Return the answer to a message, which is a value or begins with `message understood` or `error:`."""

    def seed(text: str) -> str:
        settings.seed = messages.natural(text, messages.LARGEST_SEED)
        return f"message understood, seed {settings.seed}"

    def episode(text: str) -> str:
        settings.next_episode = messages.natural(text, LAST_EPISODE)
        return f"message understood, the next episode is {settings.next_episode}"

    def start(text: str) -> str:
        settings.set_start(text or STANDARD)
        return f"message understood, episodes start from {settings.start_from.board}"

    def opponent(text: str) -> str:
        settings.set_opponent(text)
        return f"message understood, the opponent is {text}"

    def first(text: str) -> str:
        settings.set_first(text)
        return f"message understood, first is {text}"

    def evaluation(text: str) -> str:
        settings.mark_evaluation(text)
        return f"message understood, an evaluation {text}"

    handlers = {
        "seed": seed,
        "episode": episode,
        "start": start,
        "opponent": opponent,
        "first": first,
        "evaluation": evaluation,
        "stats": lambda _: json.dumps(stats),
        "transcript": lambda _: game.transcript(),
        "render": lambda _: as_text(game),
        "help": lambda _: "\n".join(HELP.values()),
    }
    return messages.answer(handlers, message, "environment")
