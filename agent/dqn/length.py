"""What follows the length of a run in the default preset, where it is not given."""

LENGTH = 5_000
"""Games of a run, where nobody says how many there will be."""
_DECISIONS = 425
"""Decisions of a game for 1,000 squares of the board: 27 on 8x8, 15 on 6x6, 7 on 4x4."""


def schedules(size: int, episodes: int) -> dict[str, int]:
    """Return the schedules of a run of so many games, by the names that the configuration has for them.

    Epsilon falls over four fifths of the run. A short run starts to learn earlier and learns more from each
    game: an update at every decision up to 299 games, at every fourth from 600 on.
    """
    decisions = _DECISIONS * size * size * episodes // 1000
    return {
        "epsilon_steps": decisions * 4 // 5,
        "warm_up": min(1_000, decisions // 20),
        "update_every": min(4, max(1, episodes // 150)),
    }


def following(options: dict[str, str]) -> set[str]:
    """Return the schedules that follow the length: who says how long epsilon falls has said all of them."""
    if options.get("preset", "default") != "default" or "epsilon_steps" in options:
        return set()
    return schedules(8, LENGTH).keys() - options.keys()
