"""The configuration of a run: how long it trains, and how often it evaluates and saves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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


TENTHS = -1
"""In place of a number of games: at each tenth of a run whose number of games is not known before."""


@dataclass(frozen=True)
class TrainingConfig:
    """Counts of episodes and games; 0 means never, none; see also TENTHS."""

    episodes: int = DEFAULT_EPISODES
    eval_every: int = 500
    eval_games: int = 100
    final_games: int = 1000
    save_every: int = 500
    keep_policies: bool = False
    """Whether what the agent has learned by each checkpoint stays, when the checkpoint itself is removed."""
    max_steps: int = 0
    """Actions after which an episode is cut off."""
    eval_opponent: Sequence[str] = ()
    """Registry texts: who the agent is evaluated against, besides the environment's own opponent."""
    planned_episodes: int = DEFAULT_EPISODES
    """What the agent's schedules are made for: a resumed run that goes on for longer keeps it."""
    yardstick: bool = False
    """Whether the agent plays gtp-rhino at the end of a run that ends with an evaluation."""
    minutes: float = 0.0
    """Of self-play that ends after a given time: its `episodes` are known at its end only. 0: it does not."""
    plies: int = 0
    """Decisions after which self-play ends, likewise."""

    @property
    def is_open(self) -> bool:
        """Whether nobody knows before how many games there will be."""
        return bool(self.minutes or self.plies)


@dataclass(frozen=True)
class SelfPlayConfig:
    """What a run of batched self-play has besides."""

    games_at_once: int
    """Of a round, after which the learner learns."""
    random_opening: int
    """Games begin with 0 to this many random plies."""
    opponents: str
    """Who plays one side of some of the games, and of which share."""
    start: bool = False
    """Whether it began with the policy of a checkpoint, which is kept as checkpoints/start."""


def config_for(episodes: int, **given: Any) -> TrainingConfig:  # noqa: ANN401  fields of the configuration
    """Return the configuration of a run; what is not given, or None, follows the number of episodes.

    Ten evaluations a run; a short one has fewer games in each, so that it does not consist of them.
    """
    values: dict[str, Any] = {
        "eval_every": -(-episodes // 10),
        "eval_games": min(100, max(50, episodes // 50)),
        "final_games": min(1000, max(200, episodes // 5)),
        **{name: value for name, value in given.items() if value is not None},
    }
    values.setdefault("save_every", values["eval_every"])
    return TrainingConfig(episodes=episodes, planned_episodes=episodes, **values)
