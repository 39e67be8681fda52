"""What a player is."""

from abc import ABC, abstractmethod

import numpy as np

from game.game import Game


class Player(ABC):
    """Picks moves. Match loops call `start` before a game, `observe` after every move, `close` at the end.

    One player may play many games, one at a time, on either side.
    """

    @abstractmethod
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal square of `game.board`. Only called when there is one: forced passes are made by the
        loop. All randomness comes from `rng`.
        """

    def start(self, game: Game) -> None:  # noqa: B027  optional: most players keep nothing
        """Prepare for a game from its present position."""

    def observe(self, move: int) -> None:  # noqa: B027  optional
        """Hear of a move (a square or PASS) that either side made."""

    def close(self) -> None:  # noqa: B027  optional
        """Let go of what the player holds, such as a process."""
