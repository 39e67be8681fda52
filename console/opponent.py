"""Who plays against a person."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from game import Game
from game.players import Player

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Seat:
    """A player with the name to call it by and its own randomness."""

    name: str
    player: Player
    rng: "np.random.Generator"

    def choose(self, game: Game) -> int:
        """Return the player's move."""
        return self.player.choose(game, self.rng)
