"""The settings of a running environment, and the messages that change them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from othello_lab.environment.config import SELF, EnvironmentConfig
from othello_lab.game.catalogue import is_built_in, make
from othello_lab.game.game import STANDARD, Game, is_standard, parse_start
from othello_lab.game.luck import LAST_EPISODE
from othello_lab.game.players.player import Player, Policy
from rlglue import messages


class Settings:
    """Current settings. Raises ValueError for a wrong size or opponent. `vectorised` requires a Policy."""

    def __init__(self, config: EnvironmentConfig, vectorised: bool = False) -> None:
        self.config, self._vectorised = config, vectorised
        self.seed = config.seed
        self.next_episode = 0
        self.first = config.first
        self.set_start(STANDARD)
        self.opponent, self.opponent_text = self._make(config.opponent), config.opponent
        """The opponent and its registry text. The opponent is None if the agent plays both sides."""
        # A snapshot of the settings at the beginning of the current evaluation, or None.
        self._before_evaluation: tuple[int, int, str, str, str] | None = None

    def mark_evaluation(self, event: str) -> None:
        """Take a snapshot for the event `begins`, delete the snapshot for `ends`, else raise ValueError."""
        if event not in ("begins", "ends"):
            raise ValueError(f"{messages.truncate_middle(event, 80)!r}: expected begins or ends")
        current = self.seed, self.next_episode, self.first, self.start_text, self.opponent_text
        self._before_evaluation = current if event == "begins" else None

    def undo_evaluation(self) -> None:
        """If an evaluation was killed, restore the snapshot of the settings."""
        if self._before_evaluation:
            self.seed, self.next_episode, self.first, start, opponent = self._before_evaluation
            self.set_start(start)
            if opponent != self.opponent_text:
                self.change_opponent(opponent)
        self._before_evaluation = None

    def set_seed(self, text: str) -> None:
        """Set the seed of the next episodes."""
        self.seed = messages.natural(text, messages.LARGEST_SEED)

    def set_episode(self, text: str) -> None:
        """Set the index of the next episode."""
        self.next_episode = messages.natural(text, LAST_EPISODE)

    def set_start(self, text: str) -> None:
        """Set the start to `standard`, a transcript or a position. Raises ValueError for any other text."""
        size, text = self.config.size, text or STANDARD
        game = parse_start(text, size)
        if game.size != size:
            raise ValueError(
                f"the position is {game.size}x{game.size}, but this environment plays {size}x{size}"
            )
        if game.board.is_over:
            raise ValueError("the game is already over in that position")
        self.start_from, self.start_text = game, STANDARD if is_standard(text) else text

    @property
    def random_opening(self) -> int:
        """Maximum number of random plies. 0 unless episodes begin from the standard start."""
        return self.config.random_opening if self.start_text == STANDARD else 0

    def set_first(self, text: str) -> None:
        """Set the side that plays black. Raises ValueError if `text` is not one of FIRST."""
        self.first = replace(self.config, first=text).first

    def set_opponent(self, text: str) -> None:
        """Handle the message `opponent`. Raises ValueError for a player that is not allowed."""
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
        """Replace the opponent by any player of the registry. Raises ValueError for an invalid text."""
        player = self._make(text)
        self.close_opponent()
        self.opponent, self.opponent_text = player, text

    def close_opponent(self) -> None:
        """Close the opponent. If the opponent is a process, the process ends."""
        if self.opponent:
            self.opponent.close()

    def _make(self, text: str) -> Player | None:
        player = None if text == SELF else make(text, self.config.size)
        if self._vectorised and player and not isinstance(player, Policy):
            player.close()
            raise ValueError(f"{text!r} plays one game at a time, not many at once")
        return player


def answer(message: str, settings: Settings, game: Game, stats: Mapping[str, object]) -> str:
    """Return the answer to a message, which is a value or begins with `message understood` or `error:`."""

    def setting(change: Callable[[str], None]) -> Callable[[str], str]:
        def handle(text: str) -> str:
            change(text)
            return f"message understood: {message}"

        return handle

    def render(_: str) -> str:
        from othello_lab.game.drawing import as_text  # lazy import: most runs draw nothing

        return as_text(game)

    handlers = {
        "seed": setting(settings.set_seed),
        "episode": setting(settings.set_episode),
        "start": setting(settings.set_start),
        "opponent": setting(settings.set_opponent),
        "first": setting(settings.set_first),
        "evaluation": setting(settings.mark_evaluation),
        "stats": lambda _: json.dumps(stats),
        "transcript": lambda _: game.transcript(),
        "render": render,
    }
    return messages.answer(handlers, message, "environment")
