"""Player and Policy: the interfaces of all objects that choose moves."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.errors import Forfeit
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds, seat_seed_from
from othello_lab.game.values import MoveValues

if TYPE_CHECKING:
    from othello_lab.game.batch import Positions

__all__ = ["Forfeit", "Player", "Policy"]


class Player(ABC):
    """A player. The loop calls `start` before a game, `observe` after every move, and `close` at the end.

    One player may play many games, one after another, on either side. `start` and `choose` raise Forfeit if
    the player cannot continue, and UnplayableError if it does not support the game.
    """

    made_from: str | None = None
    """The registry text if the player is from the catalogue, else None."""

    @abstractmethod
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal square of `game.board`. All random choices come from `rng`.

        There is always a legal square, because the caller plays forced passes.
        """

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the values of all legal moves of `game.board`, or None if the player has no values.

        This method has no effect on later moves. It raises the same errors as `choose`.
        """
        return None

    def start(self, game: Game) -> None:  # noqa: B027  optional
        """Begin a game at its current position."""

    def observe(self, move: int) -> None:  # noqa: B027  optional
        """Record a move of either side: a square or PASS."""

    def stop(self) -> None:  # noqa: B027  optional
        """Interrupt a search that runs in another thread. The search then returns the best move so far.

        A call before the search begins has no effect. So call this method again until the search returns.
        """

    def close(self) -> None:  # noqa: B027  optional
        """Release the resources of the player, such as a process."""


class Policy(Player):
    """A player that needs only the position, so it can choose moves in many games at once."""

    @abstractmethod
    def choose_many(self, positions: "Positions", luck: SeatSeeds) -> NDArray[np.int64]:
        """Return a legal square for each of n positions, int64 [n]. Each position has a legal square.

        All random choices come from `luck`, which holds a seed for each game, uint64 [n]. The move in one
        position does not depend on the other positions.
        """

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the move of `choose_many` for one position, with a seed from `rng`."""
        from othello_lab.game.batch import Positions

        return int(
            self.choose_many(Positions.of([game.board]), np.array([seat_seed_from(rng)], np.uint64))[0]
        )
