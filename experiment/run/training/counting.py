"""Counting: how the last games went, how fast, and the line per hundred."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from experiment.run.episodes.episode import Episode
from experiment.run.episodes.outcomes import Outcome, Tally
from experiment.run.evaluation.opponents import SELF
from experiment.run.evaluation.result import Evaluation, total
from experiment.run.results.run_result import Work
from experiment.show.view import View

HUNDRED = 100
_SPEED_SECONDS = 10.0


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

    def __init__(self, view: View, clock: Callable[[], float], done: int = 0, steps: int = 0) -> None:
        """Begin after this many games and steps; `view` says whose outcomes are counted."""
        self.view, self.done, self.steps = view, done, steps
        self._clock = clock
        self._paused = 0.0
        self._episodes, self._steps, self._updates = Speed(), Speed(), Speed()
        self._before = (done, steps)
        self._begin = self._mark()

    def _mark(self) -> float:
        now = self._clock() - self._paused
        self._episodes.note(now, self.done)
        self._steps.note(now, self.steps)
        return now

    def pause(self, seconds: float) -> None:
        """Leave this time out of the speeds."""
        self._paused += seconds

    def updates(self, total: float) -> None:
        """Record how many updates the learner has made by now."""
        self._updates.note(self._clock() - self._paused, total)

    @property
    def work(self) -> Work:
        """What was done since this was made, with the time that it took."""
        games, decisions = self._before
        seconds = self._clock() - self._begin - self._paused
        return Work(self.done - games, self.steps - decisions, seconds)

    @property
    def episodes_per_second(self) -> float:
        """Over the last ten seconds of training, as are the other speeds."""
        return self._episodes.per_second

    @property
    def steps_per_second(self) -> float:
        """The agent's actions a second."""
        return self._steps.per_second

    @property
    def updates_per_second(self) -> float:
        """The learner's updates a second, as far as it tells."""
        return self._updates.per_second


class Counter(Pace):
    """Counts episodes as they end."""

    def __init__(
        self,
        before: Iterable[Episode] = (),
        clock: Callable[[], float] = time.monotonic,
        view: View = View(),  # noqa: B008  frozen
    ) -> None:
        """Begin after the episodes `before`."""
        known = list(before)
        super().__init__(view, clock, known[-1].index if known else 0, sum(each.steps for each in known))
        self._recent: deque[Outcome | None] = deque(maxlen=HUNDRED)
        self._block = Tally()
        for episode in known:
            self._note(episode)

    def add(self, episode: Episode) -> str | None:
        """Count an episode; the line about its hundred if it is the last of one."""
        self.done = episode.index
        self.steps += episode.steps
        self._mark()
        return self._note(episode)

    def _note(self, episode: Episode) -> str | None:
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


class RoundCounter(Pace):
    """Counts rounds of self-play."""

    def __init__(self, done: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin after this many games."""
        super().__init__(View(selfplay=True), clock, done)
        self.recent = Tally()
        """Of the last round, how many games against itself black and white won."""

    def add(self, results: Sequence[Evaluation], decisions: int) -> None:
        """Count the games of a round."""
        self.done += total(results).games
        self.steps += decisions
        self.recent = total(result for result in results if result.opponent == SELF)
        self._mark()
