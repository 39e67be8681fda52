"""Counting: how the last hundred episodes went, how fast, and the line per hundred."""

import time
from collections import deque
from collections.abc import Callable, Iterable

from experiment.loop import Episode
from experiment.outcomes import Outcome, Tally

HUNDRED = 100
_SPEED_SECONDS = 10.0


class Counter:
    """Counts episodes as they end; time in which there was no training is to be taken out by `pause`."""

    def __init__(self, before: Iterable[Episode] = (), clock: Callable[[], float] = time.monotonic) -> None:
        self._recent: deque[Outcome | None] = deque(maxlen=HUNDRED)
        self._block = Tally()
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque()
        self._paused = 0.0
        self.done = 0
        self.steps = 0
        for episode in before:
            self._count(episode)
        self._marks.append((clock(), self.steps))

    def add(self, episode: Episode) -> str | None:
        """Count an episode; the line about its hundred if it is the last of one."""
        full = self._count(episode)
        now = self._clock() - self._paused
        self._marks.append((now, self.steps))
        while now - self._marks[0][0] > _SPEED_SECONDS and len(self._marks) > 2:
            self._marks.popleft()
        return full

    def _count(self, episode: Episode) -> str | None:
        self.done = episode.index
        self.steps += episode.steps
        self._recent.append(episode.outcome)
        self._block.add(episode.outcome)
        if episode.index % HUNDRED:
            return None
        block, self._block = self._block, Tally()
        return f"episodes {episode.index - HUNDRED + 1}-{episode.index}: {block}"

    def pause(self, seconds: float) -> None:
        """Leave so much time out of the speed."""
        self._paused += seconds

    @property
    def recent(self) -> Tally:
        """The outcomes of the last hundred episodes."""
        tally = Tally()
        for outcome in self._recent:
            tally.add(outcome)
        return tally

    @property
    def steps_per_second(self) -> float:
        """The agent's actions a second over the last ten seconds of training."""
        (begin, before), (end, after) = self._marks[0], self._marks[-1]
        return (after - before) / (end - begin) if end > begin else 0.0
