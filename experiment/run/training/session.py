"""A session: the part of a run that one process carries out, with its evaluations and its lost games."""

import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from math import isfinite

from othello_lab.experiment.run.control import environment_values
from othello_lab.experiment.run.episodes import Task, read_task
from othello_lab.experiment.run.frozen_games import FrozenGames, Stopped
from othello_lab.experiment.run.outcomes import SELF, Episode, Evaluation, RunResult, View
from othello_lab.experiment.run.record import TrainingConfig, stats_of
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.training.checkpoints import Checkpoints, start_or_resume
from othello_lab.experiment.run.training.length import Forecast, Pace
from othello_lab.experiment.run.training.monitor import Events, Monitor
from othello_lab.experiment.run.training.plan import Plan
from othello_lab.experiment.run.training.trainer import Games, RoundPlayer, Rounds, Trainer
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.workers.interrupts import Interrupts
from rlglue.errors import GlueError
from rlglue.glue import Glue

HELD_OUT_GAMES = 100
"""At most this many against each player that the agent never met; fewer if the final evaluation has fewer."""


class Evaluations:
    """Has evaluation games played, records their results and puts those of the last one into the report."""

    def __init__(
        self,
        games: FrozenGames,
        config: TrainingConfig,
        folder: RunFolder,
        monitor: Monitor,
        report: RunResult,
    ) -> None:
        self._games = games
        self._config = config
        self._folder = folder
        self._monitor = monitor
        self._report = report

    def periodic(self, done: int) -> None:
        """Play the evaluation that is due after this many training episodes."""
        if games := self._config.eval_games:
            self._record(lambda: self._games.from_start(done, games), final=False)

    def final(self, done: int) -> None:
        """Play the evaluation at the end of the run."""
        games, report = self._games, self._report
        report.evaluations += self._record(lambda: games.from_start(done, self._config.final_games))
        main = games.opponents()[0]
        report.evaluations += self._record(lambda: games.from_openings(done, main))
        self._play_held_out(done)

    def _record(self, play: Callable[[], list[Evaluation]], final: bool = True) -> list[Evaluation]:
        """Have evaluation games played, record their results and return them."""
        begin = time.monotonic()
        results = play()
        for result in results:
            self._folder.add_evaluation(result)
        self._monitor.evaluations(results, time.monotonic() - begin, final)
        return results

    def _play_held_out(self, done: int) -> None:
        openings = _held_out_openings(self._config)
        for name in self._games.held_out():
            results = self._record(partial(self._games.from_openings, done, name, openings))
            if not results:  # an environment that refuses one refuses all
                return
            self._report.held_out += results


def games_from_openings(games: FrozenGames, config: TrainingConfig) -> int:
    """Return how many games the final evaluation has besides its `final_games` against each opponent."""
    size = games.task.size
    if size is None:
        return 0
    from othello_lab.game.openings import openings_at_most  # here: the rules load slowly

    main, held_out = (len(openings_at_most(size, most)) for most in (None, _held_out_openings(config)))
    return 2 * (main + held_out * len(games.held_out()))


def _held_out_openings(config: TrainingConfig) -> int:
    """How many openings are played against each held-out player; a slow agent has few final games."""
    return max(1, min(HELD_OUT_GAMES, config.final_games) // 2)


class Session:
    """Trains, evaluates and saves over a Glue whose agent and environment are connected."""

    def __init__(
        self,
        glue: Glue,
        plan: Plan,
        display: Display,
        interrupts: Interrupts,
        watch: bool = False,
        rounds: RoundPlayer | None = None,
    ) -> None:
        """`rounds` plays the training games of a run of self-play, with the agent of the Glue."""
        self._glue = glue
        self._plan = plan
        self._display = display
        self._interrupts = interrupts
        self._watch = display.see if watch else None
        self._rounds = rounds
        self._report = RunResult()
        self._has_warned = False
        self._training_ended: Callable[[Episode], None] = lambda episode: None
        self._evaluation_ended: Callable[[int, Episode], None] = lambda after, episode: None
        self._checkpoints = Checkpoints(
            glue, plan.folder, plan.prefix, display.line, plan.config.keep_policies
        )

    def run(self) -> RunResult:
        """Run to the end, or until an interrupt asks to stop, and return what came of it.

        Raises GlueError if a peer leaves; all finished episodes are recorded then.
        """
        begin, folder, report = time.monotonic(), self._plan.folder, self._report
        task = read_task(self._glue.RL_init())
        self._keep_lost_games(task)
        start_or_resume(self._glue, self._plan, task, self._checkpoints)
        itself = stats_of(environment_values(self._glue)).opponent == SELF
        self._view = View(self._rounds is not None or itself)
        units, pace = self._units(task)
        with closing(Events(folder.tensorboard, after=pace.done)) as events:
            self._play(task, units, pace, events)
        with suppress(GlueError):  # the run is over: a peer that has left by now needs no message
            self._glue.RL_cleanup()
        report.episodes, report.work = pace.done, pace.work
        report.interrupted, report.checkpoint = self._interrupts.requested, self._checkpoints.newest
        report.seconds = time.monotonic() - begin
        return report

    def _keep_lost_games(self, task: Task) -> None:
        """Have lost games written down, if that was asked for and the board is known."""
        if not self._plan.config.keep_lost_games or task.size is None:
            return
        from othello_lab.experiment.run.training.lost_games import LostGames  # here: the rules load slowly

        lost = LostGames(self._glue, self._plan.folder, task.size, self._display.line)
        self._training_ended, self._evaluation_ended = lost.of_training, lost.of_evaluation

    def _units(self, task: Task) -> tuple[Games | Rounds, Pace]:
        """Return what plays the training games, and counts on from what was done before."""
        plan, newest = self._plan, self._checkpoints.newest
        if self._rounds:
            assert plan.selfplay  # noqa: S101  of any such run
            rounds = Rounds(self._rounds, plan.folder, plan.selfplay.games_at_once)
            return rounds, Pace(newest.episode if newest else 0)
        before = plan.folder.episodes()
        how = plan.config.max_steps, self._watch, self._end_training_game
        games = Games(self._glue, task, plan.folder, self._view, before, *how)
        done = before[-1].index if before else 0
        return games, Pace(done, sum(each.steps for each in before))

    def _end_training_game(self, episode: Episode) -> None:
        """Call the callback of training games; warn once about a return that is not a finite number."""
        if not (isfinite(episode.reward) or self._has_warned):
            self._has_warned = True
            self._display.line(
                f"warning: the rewards of episode {episode.index} add up to {episode.reward}; "
                "such episodes count as episodes without a result"
            )
        self._training_ended(episode)

    def _play(self, task: Task, units: Games | Rounds, pace: Pace, events: Events) -> None:
        """Play all games, of training and of evaluation."""
        plan, report, games = self._plan, self._report, self._frozen_games(task)
        last = partial(games_from_openings, games, plan.config)
        forecast = Forecast(plan.config, len(games.opponents()), last)
        monitor = Monitor(self._glue, plan.folder, self._display, pace, self._view, forecast, events)
        evaluations = Evaluations(games, plan.config, plan.folder, monitor, report)
        self._interrupts.patient = True
        word = "round" if self._rounds else "game"
        stopping = f"stopping after this {word}; interrupt again to stop at once"
        self._interrupts.on_request = lambda: self._display.stopping(stopping)
        parts = monitor, self._checkpoints.save, evaluations.periodic
        with self._display:
            try:
                Trainer(units, plan.config, plan.folder, pace, *parts).run(self._stop)
                self._finish(pace.done, evaluations)
            except Stopped:
                self._checkpoints.save(pace.done)
        report.notes += games.skipped

    def _stop(self) -> bool:
        return self._interrupts.requested

    def _frozen_games(self, task: Task) -> FrozenGames:
        config = self._plan.config
        return FrozenGames(
            self._glue,
            task,
            self._plan.seeds.evaluation,
            config.eval_opponent,
            config.max_steps,
            self._watch,
            on_game=lambda what, done, total: self._display.activity(f"{what} {done}/{total}"),
            stop=self._stop,
            ended=self._evaluation_ended,
        )

    def _finish(self, done: int, evaluations: Evaluations) -> None:
        """Save, and play the final evaluation."""
        if done != self._plan.config.episodes:
            self._plan.folder.record_length(done)
        self._checkpoints.save(done)
        self._report.policy = self._checkpoints.save_policy()
        if self._plan.config.final_games:
            evaluations.final(done)
            self._display.activity("done")
