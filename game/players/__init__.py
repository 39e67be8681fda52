"""Whatever picks a move, and the catalogue that turns text into it."""

from othello_lab.game.players.catalogue import RegistryError, make
from othello_lab.game.players.player import Player

__all__ = ["Player", "RegistryError", "make"]
