"""Counting of training games: what there is to count, how the last ones went, and how fast they come."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from experiment.run.episodes.outcomes import Episode, Outcome, Tally
from experiment.run.results.run_result import Work
from experiment.show.view import View

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
