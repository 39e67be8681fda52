"""How a run is conducted."""

from dataclasses import dataclass

DEFAULT_EPISODES = 4000


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
