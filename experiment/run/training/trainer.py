"""Training: consumes the episodes; records each, and saves and evaluates at intervals."""

from collections.abc import Callable

from experiment.run.episodes.control import AnyGlue
from experiment.run.episodes.episode import Episode
from experiment.run.episodes.loop import Watch, episodes
from experiment.run.episodes.task import Task
from experiment.run.evaluation.frozen_games import Stopped
from experiment.run.results.run_folder import RunFolder
from experiment.run.training.checkpoints import Checkpoints
from experiment.run.training.config import TrainingConfig
from experiment.run.training.counting import Counter
from experiment.run.training.monitor import Monitor


class Trainer:
    """Plays the training games of a run."""

    def __init__(
        self,
        glue: AnyGlue,
        task: Task,
        config: TrainingConfig,
        folder: RunFolder,
        counter: Counter,
        monitor: Monitor,
        checkpoints: Checkpoints,
        evaluate: Callable[[int], None],
    ) -> None:
        """`evaluate` plays the evaluation that is due after this many episodes."""
        self._glue = glue
        self._task = task
        self._config = config
        self._folder = folder
        self._counter = counter
        self._monitor = monitor
        self._checkpoints = checkpoints
        self._evaluate = evaluate

    def run(self, stop: Callable[[], bool], watch: Watch | None = None) -> None:
        """Train to the last episode of the run; raise Stopped once `stop` answers true."""
        config, done = self._config, self._counter.done
        if done >= config.episodes:
            return
        # Before the first game; and in a resumed run, where its rows went when the files were cut back.
        self._evaluate_if_due(done)
        for episode in episodes(self._glue, self._task, done + 1, config.max_steps, watch):
            self._record(episode)
            if stop():
                raise Stopped
            if _is_due(config.save_every, episode.index):
                self._checkpoints.save(episode.index)
            if episode.index >= config.episodes:
                break
            self._evaluate_if_due(episode.index)

    def _record(self, episode: Episode) -> None:
        self._folder.add_episode(episode)
        self._monitor.episode(self._counter.add(episode))

    def _evaluate_if_due(self, done: int) -> None:
        if _is_due(self._config.eval_every, done):
            self._evaluate(done)


def _is_due(every: int, done: int) -> bool:
    return every > 0 and done % every == 0
