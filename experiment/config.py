"""How a run is conducted."""

from collections.abc import Sequence
from dataclasses import dataclass

DEFAULT_EPISODES = 5000
ENVIRONMENT_OPTIONS = (
    "size",
    "opponent",
    "first",
    "random_opening",
    "reward_win",
    "reward_draw",
    "reward_loss",
)
"""Those of our own environment, by their names in config.json."""


@dataclass(frozen=True)
class TrainingConfig:
    """Counts of episodes and games; 0 means never, none."""

    episodes: int = DEFAULT_EPISODES
    eval_every: int = 500
    eval_games: int = 100
    final_games: int = 1000
    save_every: int = 500
    max_steps: int = 0
    """Actions after which an episode is cut off."""
    eval_opponent: Sequence[str] = ()
    """Registry texts: who the agent is evaluated against, besides the environment's own opponent."""
    yardstick: bool = False
    """Whether the agent plays gtp-rhino at the end of a run that ends with an evaluation."""
