"""The length of a run of self-play: a number of games, or a time or a number of plies."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from experiment.run.record import TENTHS, TrainingConfig

PARTS = 10
"""A run of unknown games is evaluated and saved after each tenth of it, unless told otherwise."""


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
    decisions: int = 0
    """Learned from so far."""

    def mark(self, games: int) -> Mark:
        """Return where the run is after this many games."""
        return Mark(games, min(1.0, self._share(games)))

    def _share(self, games: int) -> float:
        config = self.config
        if config.minutes:
            return self.seconds / (60.0 * config.minutes)
        return self.decisions / config.plies if config.plies else games / config.episodes

    def next_round(self, games: int, at_once: int) -> int:
        """Return how many games the next round has."""
        return at_once if self.config.is_open else min(at_once, self.config.episodes - games)

    def estimated(self, now: Mark) -> TrainingConfig:
        """Return the configuration with games where they are unknown, by how fast they have come so far."""
        if not self.config.is_open:
            return self.config
        total = max(1, round(now.games / now.share)) if now.share else 1
        every = self.config.eval_every
        return replace(
            self.config, episodes=total, eval_every=-(-total // PARTS) if every == TENTHS else every
        )

    def passed(self, every: int, before: Mark, now: Mark) -> bool:
        """Tell whether a multiple of this many games lies after `before` and not after `now`.

        With `every` 0 that is never, with TENTHS a tenth of the run.
        """
        if every == TENTHS:
            return int(PARTS * now.share) > int(PARTS * before.share)
        return bool(every) and now.games // every > before.games // every
