"""Whatever picks a move, and the catalogue that turns text into it."""

from game.players.base import Player
from game.players.catalogue import RegistryError, make

__all__ = ["Player", "RegistryError", "make"]
