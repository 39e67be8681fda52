"""Who plays against a person, and who gives hints."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from game import Game
from game.players import Player
from game.players.deepening import DeepeningPlayer
from game.players.values import MoveValues
from game.search.deepening import Report

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

    def rank(self, game: Game) -> list[Report]:
        """Return what a search finds of each legal move, the best first; nothing from other players."""
        return self.player.rank(game, self.rng) if isinstance(self.player, DeepeningPlayer) else []

    def values(self, game: Game) -> MoveValues | None:
        """Return what each legal move is worth, None from a player that only chooses."""
        return self.player.values(game, self.rng)
