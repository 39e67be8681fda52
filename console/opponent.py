"""From what a person typed to a player at the board."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from game import Game
from game.players import Player, make, registry

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


def make_seat(text: str, size: int, rng: "np.random.Generator") -> Seat:
    """Return the player that a registry text or the path of a checkpoint names; raise ValueError."""
    text = registry_text(text)
    return Seat(short_name(text), make(text, size), rng)


def registry_text(text: str) -> str:
    """Return the registry text of a registry text or a path: a path is a network, `dqn:PATH`."""
    if registry.parse(text).name in registry.names():
        return text
    is_path = Path(text).is_file() or re.search(r"[/\\]|\.safetensors$", text)
    return f"dqn:{text}" if is_path else text


def short_name(text: str) -> str:
    """Return a registry text without the folders of a path: `dqn:runs/a/final.safetensors` is `dqn:final`."""
    return re.sub(r":.*[/\\]", ":", text).removesuffix(".safetensors")
