"""Programs of other people as players: `engine:gtp-rhino -l 1`."""

from game.players.engine.entries import ENTRIES, split_command
from game.players.engine.player import EnginePlayer

__all__ = ["ENTRIES", "EnginePlayer", "split_command"]
