"""Ten levels from near-random to the strongest play that answers at once: the player `level:N`."""

from pathlib import Path

from game.players.base import Player
from game.registry import Entry, Registry, RegistryError, Spec

LEVELS = (
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.9",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.6",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.3",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.1",
    "search:depth=1,endgame=0,hash=1",
    "search:depth=2,endgame=0,hash=1",
    "search:nodes=400,endgame=6,hash=1",
    "search:nodes=4000,endgame=10,hash=1",
    "search:nodes=40000,endgame=12,hash=4",
    "search:nodes=1000000,hash=32",
)
"""The registry text of each, level 1 first.

They search with the best evaluation that ships for the board. None has a limit of time, so that a game
repeats with its seed; one of positions is much the same effort on every board, a second a move at most.
"""
STRONGEST = len(LEVELS)


def _text(spec: Spec) -> str:
    """Return the text of the level that is asked for; raise RegistryError."""
    text = str(STRONGEST) if spec.argument is None else spec.argument
    if text not in {str(level) for level in range(1, STRONGEST + 1)}:
        raise RegistryError(f"there is no level {text!r}: expected {spec.name}:1 to {spec.name}:{STRONGEST}")
    return LEVELS[int(text) - 1]


def entries(players: Registry[Player]) -> dict[str, Entry[Player]]:
    """Return the catalogue's entry; the levels are texts of `players`."""

    def make(spec: Spec, size: int) -> Player:
        return players.make(_text(spec), size)

    def harmless(spec: Spec, size: int) -> bool:
        return players.is_harmless(_text(spec), size)

    def files(spec: Spec, size: int) -> tuple[Path, ...]:
        return players.files(_text(spec), size)

    line = f"a step of the ladder, 1 (near-random) to {STRONGEST} (strong; the default)"
    return {"level": Entry(make, line, f"1-{STRONGEST}", harmless=harmless, files=files)}
