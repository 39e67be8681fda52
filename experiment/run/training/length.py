"""The length of a run: a number of games, a time or a number of plies; and a forecast of its end."""

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


class Forecast:
    """Estimates the time left from what training and evaluation games have cost so far."""

    def __init__(self, config: TrainingConfig, opponents: int, last_games: int = 0) -> None:
        """`opponents`: how many each evaluation has; `last_games`: what follows the last evaluation."""
        self.config = config
        """A run that ends after a given time gets another with each new estimate of its games."""
        self.trained = 0.0
        """Seconds of training so far: what a run that ends after a given time goes by."""
        self._opponents = opponents
        self._last = last_games
        self._games, self._seconds = 0, 0.0

    def evaluated(self, games: int, seconds: float) -> None:
        """Record what evaluation games have cost."""
        self._games += games
        self._seconds += seconds

    def evaluation_games(self, done: int) -> int:
        """Return how many evaluation games are to come when this many episodes are done."""
        config = self.config
        # The last episode has the final one instead; the one after this episode has yet to begin.
        rounds = 0
        if config.eval_every > 0:
            rounds = (config.episodes - 1) // config.eval_every - max(0, done - 1) // config.eval_every
        final = config.final_games * self._opponents + self._last if config.final_games else 0
        return max(0, rounds) * config.eval_games * self._opponents + final

    def seconds_left(self, done: int, episodes_per_second: float) -> float | None:
        """Return the seconds left after this many episodes; None before there is anything to go by."""
        if not episodes_per_second:
            return None
        # Until there is an evaluation to go by, its games are taken to cost what training games do.
        game = self._seconds / self._games if self._games else 1 / episodes_per_second
        return self._training_left(done, episodes_per_second) + self.evaluation_games(done) * game

    def _training_left(self, done: int, episodes_per_second: float) -> float:
        if self.config.minutes:
            return max(0.0, 60 * self.config.minutes - self.trained)
        return (self.config.episodes - done) / episodes_per_second
