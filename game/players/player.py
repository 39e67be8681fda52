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

    One player may play many games, one at a time, on either side. `start` and `choose` raise Forfeit if the
    player cannot go on, and UnplayableError if it does not support the game.
    """

    made_from: str | None = None
    """The registry text if the player is from the catalogue, else None."""

    @abstractmethod
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal square of `game.board`. There is at least one: the loop makes forced passes.

        All randomness comes from `rng`.
        """

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the value of each legal move of `game.board`, or None if the player has no values.

        The call does not change later moves. Raises the errors of `choose`.
        """
        return None

    def start(self, game: Game) -> None:  # noqa: B027  optional
        """Begin a game at its current position."""

    def observe(self, move: int) -> None:  # noqa: B027  optional
        """Record a move (a square or PASS) played by either side."""

    def stop(self) -> None:  # noqa: B027  optional
        """Interrupt a search that runs in another thread; it returns the best move so far.

        A call before the search begins has no effect, so repeat the call until the search returns.
        """

    def close(self) -> None:  # noqa: B027  optional
        """Release resources, such as a process."""


class Policy(Player):
    """A player that needs only the position, so it can choose moves in many games at once."""

    @abstractmethod
    def choose_many(self, positions: "Positions", luck: SeatSeeds) -> NDArray[np.int64]:
        """Return a legal square for each of n positions, int64 [n]; each position has at least one.

        All randomness comes from `luck`, a seed for each game, uint64 [n]. The move in one position does not
        depend on the other positions.
        """

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the move of `choose_many`, with a seed from the generator."""
        from othello_lab.game.batch import Positions

        return int(
            self.choose_many(Positions.of([game.board]), np.array([seat_seed_from(rng)], np.uint64))[0]
        )
