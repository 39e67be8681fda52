"""The length of a run: the progress, the speed, when to save and evaluate, and the time left."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from othello_lab.experiment.run.outcomes import TrainingWork
from othello_lab.experiment.run.record import TENTHS, TrainingConfig

PARTS = 10
"""Parts of a run of unknown length: by default it is evaluated and saved after each tenth."""
_SPEED_SECONDS = 10.0


class Moment(NamedTuple):
    """A point in the training of a run."""

    games: int
    share: float
    """Completed share of the training, 0 to 1."""


def moment(config: TrainingConfig, games: int, seconds: float, decisions: int) -> Moment:
    """Return the point in training after `games` games, `seconds` of training and `decisions` decisions."""
    if config.minutes:
        share = seconds / (60.0 * config.minutes)
    elif config.plies:
        share = decisions / config.plies
    else:
        share = games / max(1, config.episodes)
    return Moment(games, min(1.0, share))


def is_due(every: int, before: Moment, now: Moment) -> bool:
    """Return whether a multiple of `every` games lies after `before` and not after `now`.

    `every` is 0 for never, and TENTHS for each tenth of the run.
    """
    if every == TENTHS:
        return int(PARTS * now.share) > int(PARTS * before.share)
    return bool(every) and now.games // every > before.games // every


def estimated(config: TrainingConfig, now: Moment) -> TrainingConfig:
    """Return the configuration; if the number of games is unknown, replace it with an estimate."""
    if not config.is_open:
        return config
    total = max(1, round(now.games / now.share)) if now.share else 1
    every = -(-total // PARTS) if config.eval_every == TENTHS else config.eval_every
    return replace(config, episodes=total, eval_every=every)


class Speed:
    """The speed at which a count grew in the last ten seconds."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, float]] = deque()

    def note(self, now: float, count: float) -> None:
        """Record the count at the time `now`, in seconds."""
        self._marks.append((now, count))
        while now - self._marks[0][0] > _SPEED_SECONDS and len(self._marks) > 2:
            self._marks.popleft()

    @property
    def per_second(self) -> float:
        """Growth per second; 0 before the second record."""
        if len(self._marks) < 2:
            return 0.0
        (begin, before), (end, after) = self._marks[0], self._marks[-1]
        return (after - before) / (end - begin) if end > begin else 0.0


class Pace:
    """The number of games of a run and their speed. `pause` excludes the time of evaluations."""

    def __init__(
        self, done: int = 0, seconds: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`done` and `seconds` are the games and the training time of earlier sessions."""
        self.done, self._steps = done, 0
        self.games_a_second, self.steps_a_second, self.updates_a_second = Speed(), Speed(), Speed()
        self._before = done, seconds
        self._clock = clock
        self._paused = 0.0
        self._begin = self._mark()

    def _mark(self) -> float:
        now = self._clock() - self._paused
        self.games_a_second.note(now, self.done)
        self.steps_a_second.note(now, self._steps)
        return now

    def add(self, games: int, steps: int) -> None:
        """Count finished games and their actions."""
        self.done += games
        self._steps += steps
        self._mark()

    def pause(self, seconds: float) -> None:
        """Exclude `seconds` from the training time and the speeds."""
        self._paused += seconds

    def updates(self, total: float) -> None:
        """Record the number of updates that the learner reports."""
        self.updates_a_second.note(self._clock() - self._paused, total)

    @property
    def work(self) -> TrainingWork:
        """The games, actions and seconds of training in this session."""
        seconds = self._clock() - self._begin - self._paused
        return TrainingWork(self.done - self._before[0], self._steps, seconds)

    @property
    def seconds(self) -> float:
        """Training time of the whole run in seconds."""
        return self._before[1] + self.work.seconds


class Forecast:
    """An estimate of the time left, from the time that training and evaluation games took so far."""

    def __init__(
        self, config: TrainingConfig, opponents: int, last_games: Callable[[], int] = lambda: 0
    ) -> None:
        """`opponents` is the number of opponents; `last_games` returns the number of final opening games."""
        self.config = config
        """The configuration with the latest estimate of the number of games."""
        self.trained = 0.0
        """Seconds of training so far."""
        self._opponents = opponents
        self._last_games = cache(last_games)
        self._games, self._seconds = 0, 0.0

    def evaluated(self, games: int, seconds: float) -> None:
        """Record a number of evaluation games and the seconds that they took."""
        self._games += games
        self._seconds += seconds

    def evaluation_games(self, done: int) -> int:
        """Return the number of evaluation games that remain after `done` training episodes."""
        config = self.config
        # After the last episode comes the final evaluation. An evaluation right after `done` still remains.
        rounds = 0
        if config.eval_every > 0:
            rounds = (config.episodes - 1) // config.eval_every - max(0, done - 1) // config.eval_every
        final = config.final_games * self._opponents + self._last_games() if config.final_games else 0
        return max(0, rounds) * config.eval_games * self._opponents + final

    def seconds_left(self, done: int, episodes_per_second: float) -> float | None:
        """Return the seconds left after `done` episodes; None if the speed is not known yet."""
        if not episodes_per_second:
            return None
        # Before the first evaluation, assume that an evaluation game takes as long as a training game.
        game = self._seconds / self._games if self._games else 1 / episodes_per_second
        if self.config.minutes:
            training = max(0.0, 60 * self.config.minutes - self.trained)
        else:
            training = (self.config.episodes - done) / episodes_per_second
        return training + self.evaluation_games(done) * game
