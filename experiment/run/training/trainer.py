"""Training: has units of games played, counts them, and saves and evaluates at intervals."""

from collections.abc import Callable

from experiment.run.evaluation.frozen_games import Stopped
from experiment.run.record import TrainingConfig
from experiment.run.results.run_folder import RunFolder
from experiment.run.training.checkpoints import Checkpoints
from experiment.run.training.counting import Pace, Units
from experiment.run.training.length import Length, Mark
from experiment.run.training.monitor import Monitor


class Trainer:
    """Plays the training games of a run, whatever a unit of them is."""

    def __init__(
        self,
        units: Units,
        config: TrainingConfig,
        folder: RunFolder,
        pace: Pace,
        monitor: Monitor,
        checkpoints: Checkpoints,
        evaluate: Callable[[int], None],
    ) -> None:
        """`evaluate` plays the evaluation that is due after this many games."""
        self._units = units
        self._config = config
        self._pace = pace
        self._monitor = monitor
        self._checkpoints = checkpoints
        self._evaluate = evaluate
        self._before = seconds_trained(folder)
        self._length = Length(config, self._before, units.decisions)

    def run(self, stop: Callable[[], bool]) -> None:
        """Train to the end of the run; raise Stopped once `stop` answers true."""
        now = self._length.mark(self._pace.done)
        # Before the first game; and in a resumed run, where its rows went when the files were cut back.
        self._evaluate_if_due(Mark(now.games - self._units.at_once, -1.0), now)
        while now.share < 1:
            before, now = now, self._play(now)
            if stop():
                raise Stopped
            if self._length.passed(self._config.save_every, before, now):
                self._checkpoints.save(now.games)
            self._evaluate_if_due(before, now)

    def _play(self, now: Mark) -> Mark:
        """Play a unit; return where the run is then."""
        length, pace = self._length, self._pace
        if self._config.is_open and now.share:
            self._units.plan_for(length.estimated(now).episodes)
        played = self._units.play(now.games, length.next_round(now.games, self._units.at_once))
        pace.add(played.games, played.decisions)
        length.seconds, length.decisions = self._before + pace.work.seconds, self._units.decisions
        mark = length.mark(pace.done)
        self._monitor.played(played, length.seconds, length.estimated(mark))
        return mark

    def _evaluate_if_due(self, before: Mark, now: Mark) -> None:
        # The last has the final one instead.
        if now.share < 1 and self._length.passed(self._config.eval_every, before, now):
            self._evaluate(now.games)


def seconds_trained(folder: RunFolder) -> float:
    """Return how long a run has been training, by what it has recorded."""
    seconds = [line["seconds"] for line in folder.metrics() if isinstance(line.get("seconds"), int | float)]
    return float(seconds[-1]) if seconds else 0.0
