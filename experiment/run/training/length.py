"""The length of a run, its pace and a forecast of its end; and how its last games went."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from othello_lab.experiment.run.outcomes import Episode, Outcome, Tally, View, Work
from othello_lab.experiment.run.record import TENTHS, TrainingConfig

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
        return self.decisions / config.plies if config.plies else games / max(1, config.episodes)

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

    def a_round_before(self, now: Mark, at_once: int) -> Mark:
        """Return where the run was a round of `at_once` games earlier, if all games took equally long."""
        games = now.games - at_once
        if not now.games:
            return Mark(games, -1.0)  # below any tenth, so that an evaluation is due before the first game
        done = games / now.games
        before = replace(self, seconds=self.seconds * done, decisions=round(self.decisions * done))
        return before.mark(games)

    def passed(self, every: int, before: Mark, now: Mark) -> bool:
        """Tell whether a multiple of this many games lies after `before` and not after `now`.

        With `every` 0 that is never, with TENTHS a tenth of the run.
        """
        if every == TENTHS:
            return int(PARTS * now.share) > int(PARTS * before.share)
        return bool(every) and now.games // every > before.games // every


class Forecast:
    """Estimates the time left from what training and evaluation games have cost so far."""

    def __init__(
        self, config: TrainingConfig, opponents: int, last_games: Callable[[], int] = lambda: 0
    ) -> None:
        """`opponents`: how many each evaluation has; `last_games` counts what follows the last evaluation."""
        self.config = config
        """A run that ends after a given time gets another with each new estimate of its games."""
        self.trained = 0.0
        """Seconds of training so far: what a run that ends after a given time goes by."""
        self._opponents = opponents
        self._last_games = cache(last_games)
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
        final = config.final_games * self._opponents + self._last_games() if config.final_games else 0
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


HUNDRED = 100
_SPEED_SECONDS = 10.0


class Played(NamedTuple):
    """A unit that was played and recorded."""

    games: int
    decisions: int
    """The agent's actions; of a round those of both sides."""
    recent: Tally
    """The outcomes of the last games."""
    line: str | None = None
    """Words about the hundred games that end with it."""
    scores: Mapping[str, float] | None = None
    """Of a round, the score against each player of the pool."""


class Hundreds:
    """How the last hundred episodes ended, and the line about each hundred."""

    def __init__(self, view: View, before: Iterable[Episode] = ()) -> None:
        """Go on after the episodes `before`; `view` says whose outcomes are counted."""
        self.view = view
        self._recent: deque[Outcome | None] = deque(maxlen=HUNDRED)
        self._block = Tally()
        for episode in before:
            self.add(episode)

    def add(self, episode: Episode) -> str | None:
        """Count an episode; return the line about its hundred if it is the last of one."""
        outcome = self.view.outcome(episode)
        self._recent.append(outcome)
        self._block.add(outcome)
        if episode.index % HUNDRED:
            return None
        block, self._block = self._block, Tally()
        return f"episodes {episode.index - HUNDRED + 1}-{episode.index}: {self.view.words(block)}"

    @property
    def recent(self) -> Tally:
        """The outcomes of the last hundred episodes."""
        tally = Tally()
        for outcome in self._recent:
            tally.add(outcome)
        return tally


class Speed:
    """How fast a count grows, over the last ten seconds."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, float]] = deque()

    def note(self, now: float, count: float) -> None:
        """Record the count at a time in seconds."""
        self._marks.append((now, count))
        while now - self._marks[0][0] > _SPEED_SECONDS and len(self._marks) > 2:
            self._marks.popleft()

    @property
    def per_second(self) -> float:
        """The growth a second; 0 before there are two marks."""
        if len(self._marks) < 2:
            return 0.0
        (begin, before), (end, after) = self._marks[0], self._marks[-1]
        return (after - before) / (end - begin) if end > begin else 0.0


class Pace:
    """How many games are done, and how fast; time without training is to be taken out by `pause`."""

    def __init__(self, done: int = 0, steps: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin after this many games and actions of the agent."""
        self.done, self.steps = done, steps
        self.games_a_second, self.steps_a_second, self.updates_a_second = Speed(), Speed(), Speed()
        self._clock = clock
        self._paused = 0.0
        self._before = (done, steps)
        self._begin = self._mark()

    def _mark(self) -> float:
        now = self._clock() - self._paused
        self.games_a_second.note(now, self.done)
        self.steps_a_second.note(now, self.steps)
        return now

    def add(self, games: int, steps: int) -> None:
        """Count games that have ended."""
        self.done += games
        self.steps += steps
        self._mark()

    def pause(self, seconds: float) -> None:
        """Leave this time out of the speeds."""
        self._paused += seconds

    def updates(self, total: float) -> None:
        """Record how many updates the learner has made by now, as far as it tells."""
        self.updates_a_second.note(self._clock() - self._paused, total)

    @property
    def work(self) -> Work:
        """What was done since this was made, with the time that it took."""
        games, decisions = self._before
        seconds = self._clock() - self._begin - self._paused
        return Work(self.done - games, self.steps - decisions, seconds)
