"""Programs of other people as players: `engine:gtp-rhino -l 1`."""

from game.players.engine.player import ENTRIES, EnginePlayer, split_command

__all__ = ["ENTRIES", "EnginePlayer", "split_command"]
