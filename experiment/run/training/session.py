"""A session: one process's part of a run, from a plan and a Glue to results, plot and report."""

import logging
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from experiment.run.episodes.control import AnyGlue, environment_values
from experiment.run.episodes.task import Task, read_task
from experiment.run.evaluation import yardstick
from experiment.run.evaluation.frozen_games import FrozenGames, Stopped
from experiment.run.evaluation.opponents import SELF
from experiment.run.results.events import Events
from experiment.run.results.run_folder import RunFolder, RunFolderError
from experiment.run.results.run_result import RunResult
from experiment.run.training.checkpoints import Checkpoints
from experiment.run.training.counting import Pace, Units
from experiment.run.training.evaluations import Evaluations, games_from_openings
from experiment.run.training.forecast import Forecast
from experiment.run.training.monitor import Monitor
from experiment.run.training.plan import Plan
from experiment.run.training.resume import start_or_resume
from experiment.run.training.resume_hint import reason
from experiment.run.training.trainer import Trainer
from experiment.run.training.units import Games, RoundPlayer, Rounds
from experiment.show import shell_commands
from experiment.show.progress import Display, make_display
from experiment.show.run_end import print_report
from experiment.show.run_picture import plot_run
from experiment.show.terminal import console
from experiment.show.view import View
from experiment.workers.interrupts import Interrupts
from rlglue.errors import GlueError

LOG = "experiment.log"


class Session:
    """Trains, evaluates and saves over a Glue whose agent and environment are connected."""

    def __init__(
        self,
        glue: AnyGlue,
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
        self._checkpoints = Checkpoints(
            glue, plan.folder, plan.prefix, display.line, plan.config.keep_policies
        )

    def run(self) -> RunResult:
        """Run to the end, or until an interrupt asks to stop, and return what came of it.

        Raises GlueError if a peer leaves; all finished episodes are recorded then.
        """
        begin, folder, report = time.monotonic(), self._plan.folder, self._report
        task = read_task(self._glue.RL_init())
        start_or_resume(self._glue, self._plan, task, self._checkpoints)
        units, pace = self._units(task)
        with closing(Events(folder.tensorboard, after=pace.done)) as events:
            self._play(task, units, pace, events)
        with suppress(GlueError):  # the run is over: a peer that has left by now needs no message
            self._glue.RL_cleanup()
        report.episodes, report.work = pace.done, pace.work
        report.interrupted, report.checkpoint = self._interrupts.requested, self._checkpoints.newest
        report.seconds = time.monotonic() - begin
        return report

    def _units(self, task: Task) -> tuple[Units, Pace]:
        """Return what plays the training games, and counts on from what was done before."""
        plan, newest = self._plan, self._checkpoints.newest
        if self._rounds:
            assert plan.selfplay  # noqa: S101  of any such run
            units = Rounds(self._rounds, plan.folder, plan.selfplay.games_at_once)
            return units, Pace(newest.episode if newest else 0)
        view = View(environment_values(self._glue).get("opponent") == SELF)
        before = plan.folder.episodes()
        games = Games(self._glue, task, plan.folder, view, before, plan.config.max_steps, self._watch)
        done = before[-1].index if before else 0
        return games, Pace(done, sum(each.steps for each in before))

    def _play(self, task: Task, units: Units, pace: Pace, events: Events) -> None:
        """Play all games, of training and of evaluation."""
        plan, report, games = self._plan, self._report, self._frozen_games(task)
        no_yardstick = yardstick.why_unavailable(task.size, plan.config.yardstick, plan.environment)
        last = games_from_openings(games, plan.config, with_yardstick=no_yardstick is None)
        forecast = Forecast(plan.config, len(games.opponents()), last)
        monitor = Monitor(self._glue, plan.folder, self._display, pace, units, forecast, events)
        evaluations = Evaluations(games, plan.config, plan.folder, monitor, report, no_yardstick)
        self._interrupts.patient = True
        self._interrupts.on_request = lambda: self._display.activity(f"stopping after this {units.word}")
        parts = monitor, self._checkpoints, evaluations.periodic
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
        )

    def _finish(self, done: int, evaluations: Evaluations) -> None:
        """Save, and play the final evaluation."""
        if self._plan.config.is_open:
            self._plan.folder.record_length(done)
        self._checkpoints.save(done)
        self._report.policy = self._checkpoints.save_policy()
        if self._plan.config.final_games:
            evaluations.final(done)
            self._display.activity("done")


def run_session(
    glue: AnyGlue,
    plan: Plan,
    interrupts: Interrupts,
    watch: bool,
    resume_command: str,
    rounds: RoundPlayer | None = None,
) -> RunResult:
    """Run a session, draw the plot and print the report; raises GlueError if a peer leaves."""
    terminal = console()
    done = plan.checkpoints[0].episode if plan.checkpoints else 0
    display = make_display(terminal, done, plan.config.episodes, watch)
    interrupts.log = plan.folder.logs / LOG
    with _timed(plan):
        with plan.folder:
            report = Session(glue, plan, display, interrupts, watch, rounds).run()
        plot = _plot(plan, report)
    print_report(terminal, report, plan.folder, plot, resume_command)
    return report


def _plot(plan: Plan, report: RunResult) -> Path | None:
    """Draw the plot; a full disk at that point is no reason to lose what is said at the end of a run."""
    try:
        return plot_run(plan.folder) if report.episodes else None
    except OSError as error:
        command = shell_commands.othello("experiment", "plot", str(plan.folder.path))
        report.notes.append(f"no plot: {reason(error)}; draw it later with: {command}")
        return None


@contextmanager
def _timed(plan: Plan) -> Iterator[None]:
    try:
        yield
    finally:
        with suppress(RunFolderError, OSError):  # what has happened to the folder is told by others
            plan.folder.end_session(plan.record["sessions"][-1], time.monotonic() - plan.begun)


def log_to(folder: RunFolder) -> None:
    """Send the log of this process to a file of the run, so that it does not break the display."""
    # delay: no file before there is a line for it.
    handler = logging.FileHandler(folder.logs / LOG, encoding="utf-8", delay=True)
    logging.basicConfig(
        handlers=[handler],
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
