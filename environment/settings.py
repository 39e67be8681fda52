"""Settings of an environment that messages may change between episodes."""

from environment.config import FIRST, SELF, EnvironmentConfig
from game.game import Game
from game.players import make
from game.players.base import Player
from game.players.catalogue import is_built_in
from game.start import STANDARD, parse_start


class Settings:
    """The seed, the next episode, the start, the opponent and who has black: at first those of the config.

    Raises ValueError for a size, an opponent or a start that does not exist.
    """

    def __init__(self, config: EnvironmentConfig) -> None:
        self.config = config
        self.seed = config.seed
        self.next_episode = 0
        self.first = config.first
        self.set_start(STANDARD)
        self.opponent, self.opponent_text = self._make(config.opponent), config.opponent
        """The opponent is None where the agent plays both sides."""

    def set_start(self, text: str) -> None:
        """Start episodes from `standard`, a transcript or a position; raises ValueError."""
        self.start_from = _playable(parse_start(text, self.config.size), self.config.size)
        self.start_text = text

    @property
    def random_opening(self) -> int:
        """At most this many random plies; none after a start that was asked for: openings of a
        match must be the openings."""
        return self.config.random_opening if self.start_text == STANDARD else 0

    def set_first(self, text: str) -> None:
        """Say who has black, one of FIRST; raises ValueError."""
        if text not in FIRST:
            raise ValueError(f"first is {text!r}, expected one of {', '.join(FIRST)}")
        self.first = text

    def set_opponent(self, text: str) -> None:
        """Play as the player that a registry text names; raises ValueError if there is none or it may not."""
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
        """Play as the player that any registry text names; raises ValueError if there is none."""
        player = self._make(text)
        self.close_opponent()
        self.opponent, self.opponent_text = player, text

    def close_opponent(self) -> None:
        """Have the opponent release what it holds, such as a process."""
        if self.opponent:
            self.opponent.close()

    def _make(self, text: str) -> Player | None:
        return None if text == SELF else make(text, self.config.size)


def _playable(game: Game, size: int) -> Game:
    """Return a game that an episode can go on with; raise ValueError for another size or one that is over."""
    if game.size != size:
        raise ValueError(f"the position is {game.size}x{game.size}, but this environment plays {size}x{size}")
    if game.board.is_over:
        raise ValueError("the game is already over in that position")
    return game
