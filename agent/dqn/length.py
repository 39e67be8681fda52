"""Options of a preset that follow the length of the run where they are not given."""

DEFAULT, SELFPLAY, DEVICE, GPU = "default", "selfplay", "device", "gpu"
"""The presets that something goes by: of games one by one; of thousands at once by compiled code; and of
thousands at once by torch, on a processor and on a GPU."""
LENGTH = 5_000
"""Games of a run, where nobody says how many there will be."""
_DECISIONS = 425
"""Decisions of a game for 1,000 squares of the board: 27 on 8x8, 15 on 6x6, 7 on 4x4."""


def schedules(preset: str, size: int, episodes: int) -> dict[str, int]:
    """Return the schedules of a run of this many games, by the names that the configuration has for them.

    One by one, epsilon falls over four fifths of the run. A short run starts to learn earlier and learns more
    from each game: an update at every decision up to 299 games, at every fourth from 600 on. By the thousand,
    the learning rate falls over the whole run.
    """
    if preset != DEFAULT:
        return {"rate_games": episodes} if preset in {SELFPLAY, DEVICE, GPU} else {}
    decisions = _DECISIONS * size * size * episodes // 1000
    return {
        "epsilon_steps": decisions * 4 // 5,
        "warm_up": min(1_000, decisions // 20),
        "update_every": min(4, max(1, episodes // 150)),
    }


def following(options: dict[str, str]) -> set[str]:
    """Return the schedules that follow the length: who says how long epsilon falls has said all of them."""
    preset = options.get("preset", DEFAULT)
    if preset == DEFAULT and "epsilon_steps" in options:
        return set()
    return schedules(preset, 8, LENGTH).keys() - options.keys()
