"""A player."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions
from game.game import Game
from game.players.values import MoveValues


class Forfeit(Exception):  # noqa: N818  the game's own word: the player loses, the program goes on
    """Raised by a player that cannot go on with a game: it loses, for the reason in the text (one line)."""


class UnplayableError(ValueError):
    """A game that a player cannot take part in at all: a board size or a start that it does not take."""


class Player(ABC):
    """Picks moves. Match loops call `start` before a game, `observe` after every move, `close` at the end.

    One player may play many games, one at a time, on either side. `start` and `choose` raise Forfeit where
    the player cannot go on, UnplayableError for a game that it cannot play at all.
    """

    @abstractmethod
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal square of `game.board`. Only called when there is one: forced passes are made by the
        loop. All randomness comes from `rng`.
        """

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return what each legal move of `game.board` is worth, where there is one; None from a player that
        only chooses. Raises as `choose` does.
        """
        return None

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64] | None:
        """Return what `choose` would in each of many positions that have a legal move, int64 [n].

        None, as here, from a player that thinks of one game at a time or needs to know the moves before. Such
        a player answers None to any positions.
        """
        return None

    def start(self, game: Game) -> None:  # noqa: B027  optional: most players keep nothing
        """Prepare for a game from its present position."""

    def observe(self, move: int) -> None:  # noqa: B027  optional
        """Be told of a move (a square or PASS) that either side made."""

    def stop(self) -> None:  # noqa: B027  optional: most players answer soon anyway
        """Have a question that another thread is asking now answered soon, by what has been found so far.

        It may come too early to be heeded: ask again until there is an answer.
        """

    def close(self) -> None:  # noqa: B027  optional
        """Release what the player holds, such as a process."""
