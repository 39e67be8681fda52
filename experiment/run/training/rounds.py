"""Training by rounds of self-play: records each, and saves and evaluates at intervals."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from experiment.run.episodes.outcomes import Tally
from experiment.run.evaluation.frozen_games import Stopped
from experiment.run.evaluation.opponents import SELF
from experiment.run.evaluation.result import Evaluation, by_opponent, total
from experiment.run.results.run_folder import RunFolder
from experiment.run.training.checkpoints import Checkpoints
from experiment.run.training.config import TrainingConfig
from experiment.run.training.counting import RoundCounter
from experiment.run.training.length import Length, Mark
from experiment.run.training.monitor import Monitor


class Seat(NamedTuple):
    """Whose game it was."""

    opponent: str
    """A player of the pool, or SELF."""
    colour: str
    """The learner's; against itself black, whose win counts as one."""


class Round(Protocol):
    """Games that were played at once, and learned from."""

    @property
    def results(self) -> Mapping[tuple[str, str], tuple[int, int, int]]:
        """How many were won, drawn and lost, by the words of a Seat."""

    @property
    def decisions(self) -> int:
        """How many of both sides there were to learn from."""


class Rounds(Protocol):
    """Whoever plays the games of a run, thousands at once, with the learner of its agent."""

    @property
    def decisions(self) -> int:
        """How many it has learned from, in all games so far."""

    def play(self, done: int, games: int) -> Round:
        """Play this many games after those that are done, learn from them and count them."""

    def plan_for(self, games: int) -> None:
        """Have schedules that follow the length of the run go by this estimate of it."""


class RoundTrainer:
    """Plays the training games of a run of self-play."""

    def __init__(
        self,
        rounds: Rounds,
        config: TrainingConfig,
        games_at_once: int,
        folder: RunFolder,
        counter: RoundCounter,
        monitor: Monitor,
        checkpoints: Checkpoints,
        evaluate: Callable[[int], None],
    ) -> None:
        """`evaluate` plays the evaluation that is due after this many games."""
        self._rounds = rounds
        self._config = config
        self._at_once = games_at_once
        self._folder = folder
        self._counter = counter
        self._monitor = monitor
        self._checkpoints = checkpoints
        self._evaluate = evaluate
        self._before = seconds_trained(folder)
        self._length = Length(config, self._before, rounds.decisions)

    def run(self, stop: Callable[[], bool]) -> None:
        """Train to the end of the run; raise Stopped once `stop` answers true."""
        now = self._length.mark(self._counter.done)
        self._evaluate_if_due(Mark(now.games - self._at_once, -1.0), now)
        while now.share < 1:
            before, now = now, self._round(now)
            if stop():
                raise Stopped
            if self._length.passed(self._config.save_every, before, now):
                self._checkpoints.save(now.games)
            self._evaluate_if_due(before, now)

    def _round(self, now: Mark) -> Mark:
        """Play a round; return where the run is then."""
        if self._config.is_open and now.share:
            self._rounds.plan_for(self._length.estimated(now).episodes)
        played = self._rounds.play(now.games, self._length.next_round(now.games, self._at_once))
        results = _results(now.games, played)
        self._folder.add_round(results)
        self._counter.add(results, played.decisions)
        self._length.seconds = self._before + self._counter.work.seconds
        self._length.decisions = self._rounds.decisions
        mark = self._length.mark(self._counter.done)
        self._monitor.round(_shares(results), self._length.seconds, self._length.estimated(mark))
        return mark

    def _evaluate_if_due(self, before: Mark, now: Mark) -> None:
        # The last has the final one instead.
        if now.share < 1 and self._length.passed(self._config.eval_every, before, now):
            self._evaluate(now.games)


def _results(done: int, played: Round) -> list[Evaluation]:
    """What came of a round, as its rows have it."""
    tallies = {Seat(*seat): Tally(*counts) for seat, counts in sorted(played.results.items())}
    after = done + sum(tally.games for tally in tallies.values())
    return [Evaluation(after, seat.opponent, seat.colour, tally) for seat, tally in tallies.items()]


def _shares(results: list[Evaluation]) -> dict[str, float]:
    """The score against each player of the pool, both colours together."""
    return {name: total(own).score for name, own in by_opponent(results).items() if name != SELF}


def seconds_trained(folder: RunFolder) -> float:
    """Return how long a run has been training, by what it has recorded."""
    seconds = [line["seconds"] for line in folder.metrics() if isinstance(line.get("seconds"), int | float)]
    return float(seconds[-1]) if seconds else 0.0
