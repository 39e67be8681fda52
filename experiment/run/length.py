"""The length of a run, the schedule of checkpoints and evaluations, and the training time."""

import time
from typing import NamedTuple

from othello_lab.experiment.run.outcomes import TrainingWork
from othello_lab.experiment.run.record import TENTHS, TrainingConfig

PARTS = 10  # The number of parts of a run. By default, each part ends with an evaluation and a checkpoint.


class Moment(NamedTuple):
    """A point in the training of a run."""

    games: int
    share: float  # The finished share of the training, from 0 to 1.


def moment(config: TrainingConfig, games: int, seconds: float) -> Moment:
    """Return the point in training after `games` games and `seconds` of training."""
    share = seconds / (60.0 * config.minutes) if config.minutes else games / max(1, config.episodes)
    return Moment(games, min(1.0, share))


def is_due(every: int, before: Moment, now: Moment) -> bool:
    """Return whether the run passed a multiple of `every` games (TENTHS: of a tenth) since `before`."""
    if every == TENTHS:
        return int(PARTS * now.share) > int(PARTS * before.share)
    return bool(every) and now.games // every > before.games // every


def estimated_games(config: TrainingConfig, now: Moment) -> int:
    """Return the number of training games of a run, estimated if unknown."""
    if not config.minutes:
        return config.episodes
    return max(1, round(now.games / now.share)) if now.share else 1


class Pace:
    """The numbers of games and actions and the training time of a session, without evaluations."""

    def __init__(self, done: int = 0, seconds: float = 0.0) -> None:
        """Begin a session after `done` games and `seconds` of training in earlier sessions."""
        self.done, self._actions = done, 0  # `done` counts the games of the whole run.
        self._before = done, seconds
        self._begin = time.monotonic()

    def add(self, games: int, actions: int) -> None:
        """Count finished games and their actions."""
        self.done += games
        self._actions += actions

    def pause(self, seconds: float) -> None:
        """Subtract `seconds` from the training time."""
        self._begin += seconds

    @property
    def work(self) -> TrainingWork:
        """The games, actions and seconds of training in this session."""
        return TrainingWork(self.done - self._before[0], self._actions, time.monotonic() - self._begin)

    @property
    def seconds(self) -> float:
        """The training time of the whole run, in seconds."""
        return self._before[1] + self.work.seconds
