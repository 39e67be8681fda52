"""How long a run of self-play is: so many games, or so much time, whose games nobody knows before."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from experiment.training.config import TrainingConfig

PARTS = 10
"""A run of so much time is evaluated and saved after each tenth of it, unless told otherwise."""


class Mark(NamedTuple):
    """Where a run is."""

    games: int
    share: float
    """Of the run that is behind, 0 to 1."""


@dataclass
class Length:
    """What of a run is behind and what is to come."""

    config: TrainingConfig
    seconds: float = 0.0
    """Of training so far."""

    @property
    def limit(self) -> float:
        """Seconds after which training ends; 0 where games are counted."""
        return 60.0 * self.config.minutes

    def mark(self, games: int) -> Mark:
        """Return where the run is after so many games."""
        share = self.seconds / self.limit if self.limit else games / self.config.episodes
        return Mark(games, min(1.0, share))

    def next_round(self, games: int, at_once: int) -> int:
        """Return how many games the round has that follows on so many."""
        return at_once if self.limit else min(at_once, self.config.episodes - games)

    def estimated(self, now: Mark) -> TrainingConfig:
        """Return the configuration with games where time counts, by how fast they have come so far."""
        if not self.limit:
            return self.config
        total = max(1, round(now.games / now.share)) if now.share else 1
        return replace(self.config, episodes=total, eval_every=self.config.eval_every or -(-total // PARTS))

    def passed(self, every: int, before: Mark, now: Mark) -> bool:
        """Tell whether a multiple of so many games lies after `before` and not after `now`.

        With `every` 0 that is never, and a tenth of the run where time counts.
        """
        if every:
            return now.games // every > before.games // every
        return bool(self.limit) and int(PARTS * now.share) > int(PARTS * before.share)
