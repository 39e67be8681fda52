"""`Player` and `Policy`, the interfaces of all objects that choose moves, and the values of moves."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.errors import Forfeit
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds, seat_seed_from

if TYPE_CHECKING:
    from othello_lab.game.batch import Positions

__all__ = ["Forfeit", "MoveValues", "Player", "Policy", "forward"]


@dataclass(frozen=True, slots=True)
class MoveValues:
    """The values of all legal moves in a position, for the side to move."""

    values: NDArray[np.float64]  # In ascending order of squares, float64 [moves]. Higher is better.
    unit: str  # The unit for display, such as ESTIMATE.

    def by_square(self, legal: Iterable[int]) -> dict[int, float]:
        """Return a dictionary from squares to values. `legal` holds the legal squares in ascending order."""
        return dict(zip(legal, self.values.tolist(), strict=True))


class Player(ABC):
    """A player of many games, on either side. `start` and `choose` raise Forfeit or UnplayableError."""

    made_from: str | None = None  # The registry text if the player is from the catalogue, else None.

    @abstractmethod
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a legal square of `game.board`. The board always has one. All random draws use `rng`."""

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the values of all legal moves, or None. A call has no side effects on later moves."""
        return None

    def start(self, game: Game) -> None:  # noqa: B027  optional
        """Begin a game at the current position of `game`."""

    def observe(self, move: int) -> None:  # noqa: B027  optional
        """Record a move of either side, which is a square or PASS."""

    def stop(self) -> None:  # noqa: B027  optional
        """Interrupt a search in another thread. Repeat the call until the search returns a move."""

    def close(self) -> None:  # noqa: B027  optional
        """Release the resources of the player, such as a process."""


class Policy(Player):
    """A player that needs only the position, and can therefore choose moves for a batch of games."""

    @abstractmethod
    def choose_many(self, positions: "Positions", luck: SeatSeeds) -> NDArray[np.int64]:
        """Return a legal square for each position, int64 [n], from only this position and its `luck`."""

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the move of `choose_many` for one position, with a seed from `rng`."""
        from othello_lab.game.batch import Positions

        luck = np.array([seat_seed_from(rng)], np.uint64)
        return int(self.choose_many(Positions.of([game.board]), luck)[0])


def forward(wrapper: Player, player: object, *methods: str) -> None:
    """Delegate each of `methods` that `player` has from `wrapper` to `player`."""
    vars(wrapper).update({name: getattr(player, name) for name in methods if hasattr(player, name)})
