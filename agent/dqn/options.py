"""A DQN agent's configuration from texts: a preset, single values, and what follows the length of the run."""

from dataclasses import replace
from typing import Any

from agent.dqn.config import DQNConfig
from agent.dqn.length import DEFAULT, LENGTH, following, schedules
from agent.dqn.presets import PRESETS
from agent.options import read_length, read_options
from game.registry import similar


def configure(options: dict[str, str], size: int, episodes: int | None = None) -> DQNConfig:
    """Return the configuration that `preset=NAME` and other key=value texts describe; raises ValueError.

    Schedules that are not given are made for a run of this many episodes, or as many as `episodes=N` says.
    """
    own = dict(options)
    preset = own.pop("preset", DEFAULT)
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}{similar(preset, list(PRESETS))}")
    length = read_length(own.pop("episodes", str(episodes or LENGTH)))
    given = read_options("dqn", DQNConfig, own, ("preset", "episodes"))
    found = schedules(preset, size, length)
    follow: dict[str, Any] = {name: found[name] for name in following(options)}
    return replace(PRESETS[preset](size), **follow, **given)
