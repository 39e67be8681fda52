"""Whatever picks a move, and the catalogue that turns text into it."""

from othello_lab.game.players.base import Player
from othello_lab.game.players.catalogue import RegistryError, make

__all__ = ["Player", "RegistryError", "make"]
