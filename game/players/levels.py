"""Ten levels from near-random to the strongest play that answers at once: the player `level:N`."""

from game.kernels.words import ONE_WORD
from game.players.base import Player
from game.registry import Entry, Registry, RegistryError, Spec

LEVELS = (
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.9",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.6",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.3",
    "noisy:[search:depth=1,endgame=0,hash=1],share=0.1",
    "search:depth=1,endgame=0,hash=1",
    "search:depth=2,endgame=0,hash=1",
    "search:depth=3,endgame=6,hash=1",
    "search:depth=5,endgame=10,hash=2",
    "search:depth=7,endgame=12,hash=4",
    "search:depth=10,endgame=16",
)
"""The registry text of each, level 1 first.

They search with the best evaluation that ships for the board. All of them have a fixed depth and no limit of
time, so that a game repeats with its seed.
"""
BEYOND_8X8 = {9: "search:depth=6,endgame=12,hash=4", 10: "search:depth=7,endgame=16"}
"""Those that would take many seconds a move on larger boards, and what they are there."""
STRONGEST = len(LEVELS)


def text_of(level: int, size: int) -> str:
    """Return the registry text of a level, from 1 to STRONGEST, on boards of `size`."""
    usual = LEVELS[level - 1]
    return usual if size <= ONE_WORD else BEYOND_8X8.get(level, usual)


def _level(spec: Spec) -> int:
    text = str(STRONGEST) if spec.argument is None else spec.argument
    if text not in {str(level) for level in range(1, STRONGEST + 1)}:
        raise RegistryError(f"there is no level {text!r}: expected {spec.name}:1 to {spec.name}:{STRONGEST}")
    return int(text)


def entries(players: Registry[Player]) -> dict[str, Entry[Player]]:
    """Return the catalogue's entry; the levels are texts of `players`."""

    def make(spec: Spec, size: int) -> Player:
        return players.make(text_of(_level(spec), size), size)

    def harmless(spec: Spec, size: int) -> bool:
        return players.is_harmless(text_of(_level(spec), size), size)

    line = f"a step of the ladder, 1 (near-random) to {STRONGEST} (strong; the default)"
    return {"level": Entry(make, line, f"1-{STRONGEST}", harmless=harmless)}
