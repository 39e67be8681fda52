"""Arguments of the constructors and resets of the environments."""

from collections.abc import Mapping, Sequence
from typing import Final

from environment.config import SELF, EnvironmentConfig
from environment.settings import Settings
from game.start import STANDARD

DEFAULTS: Final = EnvironmentConfig()
Rewards = tuple[float, float, float]
"""Of a win, a draw and a loss."""
OPTIONS: Final = ("start", "opponent", "first")
"""What `reset` takes as options."""


def config_of(
    size: int, opponent: str, rewards: Rewards, first: str, random_opening: int
) -> EnvironmentConfig:
    """Return the configuration for these arguments; raise ValueError for a wrong one."""
    if opponent == SELF:
        raise ValueError("an agent that plays both sides uses environment.adapters.pettingzoo, not Gymnasium")
    if len(rewards) != 3:
        raise ValueError(f"rewards are {rewards}, expected those of a win, a draw and a loss")
    win, draw, loss = (float(reward) for reward in rewards)
    return EnvironmentConfig(
        size=size,
        opponent=opponent,
        first=first,
        random_opening=random_opening,
        reward_win=win,
        reward_draw=draw,
        reward_loss=loss,
    )


def set_options(settings: Settings, options: Mapping[str, str]) -> None:
    """Set start, opponent and who has black as the options say, where they say nothing as configured.

    Raises ValueError for an unknown option or a value that means nothing.
    """
    for key in options.keys() - {*OPTIONS}:
        raise ValueError(f"reset has no option {key!r}; its options: {', '.join(OPTIONS)}")
    settings.set_start(options.get("start", STANDARD))
    settings.set_first(options.get("first", settings.config.first))
    opponent = options.get("opponent", settings.config.opponent)
    if opponent != settings.opponent_text:
        settings.change_opponent(opponent)


def check_render_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Raise ValueError for a mode that there is not."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode is {mode!r}, expected one of {', '.join(modes)}")
