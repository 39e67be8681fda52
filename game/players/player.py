"""Player and Policy: whatever picks a move; what its moves are worth; how it gives up."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.errors import Forfeit
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds, seat_seed_from
from othello_lab.game.values import MoveValues

if TYPE_CHECKING:
    from othello_lab.game.batch.positions import Positions

__all__ = ["Forfeit", "Player", "Policy"]


class Player(ABC):
    """Picks moves. Match loops call `start` before a game, `observe` after every move, `close` at the end.

    One player may play many games, one at a time, on either side. `start` and `choose` raise Forfeit where
    the player cannot go on, UnplayableError for a game that it cannot play at all.
    """

    made_from: str | None = None
    """The registry text that the catalogue made it from; None for one that a program made."""

    @abstractmethod
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal square of `game.board`. Only called when there is one: forced passes are made by the
        loop. All randomness comes from `rng`.
        """

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return what each legal move of `game.board` is worth, where there is one; None from a player that
        only chooses. Later moves do not depend on it. Raises as `choose` does.
        """
        return None

    def start(self, game: Game) -> None:  # noqa: B027  optional: most players keep nothing
        """Prepare for a game from its present position."""

    def observe(self, move: int) -> None:  # noqa: B027  optional
        """Record a move (a square or PASS) played by either side."""

    def stop(self) -> None:  # noqa: B027  optional: most players answer soon anyway
        """Interrupt a search that runs in another thread; it returns the best move so far.

        A call before the search begins has no effect: call again until there is an answer.
        """

    def close(self) -> None:  # noqa: B027  optional
        """Release what the player holds, such as a process."""


class Policy(Player):
    """A player that needs no more than the position, so that it answers in many games at once."""

    @abstractmethod
    def choose_many(self, positions: "Positions", luck: SeatSeeds) -> NDArray[np.int64]:
        """Return a legal square for each of many positions that have one, int64 [n].

        All randomness comes from `luck`, the word of each game, uint64 [n], see `game.luck`: what is
        chosen in a position does not depend on the others.
        """

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return what `choose_many` does with the luck that it takes from the generator."""
        from othello_lab.game.batch.positions import Positions

        return int(
            self.choose_many(Positions.of([game.board]), np.array([seat_seed_from(rng)], np.uint64))[0]
        )
