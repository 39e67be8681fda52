"""A session: one process's part of a run, from its start or resume to its last evaluation."""

import time
from contextlib import closing, suppress
from dataclasses import replace

from experiment.run import yardstick
from experiment.run.control import (
    AnyGlue,
    ControlError,
    EnvironmentState,
    agent_numbers,
    agent_values,
    environment_values,
    reason,
    tell_agent,
    understood,
)
from experiment.run.episodes import Task, read_task
from experiment.run.frozen_games import FrozenGames, Stopped
from experiment.run.outcomes import SELF, RunResult
from experiment.run.record import EnvironmentStats, RunRecord, stats_of
from experiment.run.training.checkpoints import Checkpoints
from experiment.run.training.evaluations import Evaluations, games_from_openings
from experiment.run.training.length import Forecast, Pace
from experiment.run.training.monitor import Events, Monitor
from experiment.run.training.plan import Plan
from experiment.run.training.trainer import Games, RoundPlayer, Rounds, Trainer
from experiment.show.progress import Display
from experiment.show.view import View
from experiment.workers.interrupts import Interrupts
from rlglue.errors import GlueError

START = "start"
"""The checkpoint whose policy a run of self-play may begin with."""


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

    def _units(self, task: Task) -> tuple[Games | Rounds, Pace]:
        """Return what plays the training games, and counts on from what was done before."""
        plan, newest = self._plan, self._checkpoints.newest
        if self._rounds:
            assert plan.selfplay  # noqa: S101  of any such run
            rounds = Rounds(self._rounds, plan.folder, plan.selfplay.games_at_once)
            return rounds, Pace(newest.episode if newest else 0)
        before = plan.folder.episodes()
        games = Games(self._glue, task, plan.folder, self._view, before, plan.config.max_steps, self._watch)
        done = before[-1].index if before else 0
        return games, Pace(done, sum(each.steps for each in before))

    def _play(self, task: Task, units: Games | Rounds, pace: Pace, events: Events) -> None:
        """Play all games, of training and of evaluation."""
        plan, report, games = self._plan, self._report, self._frozen_games(task)
        no_yardstick = yardstick.why_unavailable(task.size, plan.config.yardstick, plan.environment.is_ours)
        last = games_from_openings(games, plan.config, with_yardstick=no_yardstick is None)
        forecast = Forecast(plan.config, len(games.opponents()), last)
        monitor = Monitor(self._glue, plan.folder, self._display, pace, self._view, forecast, events)
        evaluations = Evaluations(games, plan.config, plan.folder, monitor, report, no_yardstick)
        self._interrupts.patient = True
        word = "round" if self._rounds else "game"
        self._interrupts.on_request = lambda: self._display.activity(f"stopping after this {word}")
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
        if done != self._plan.config.episodes:
            self._plan.folder.record_length(done)
        self._checkpoints.save(done)
        self._report.policy = self._checkpoints.save_policy()
        if self._plan.config.final_games:
            evaluations.final(done)
            self._display.activity("done")


def start_or_resume(glue: AnyGlue, plan: Plan, task: Task, checkpoints: Checkpoints) -> None:
    """Start a run, or restore agent, environment and files from its newest good checkpoint.

    A run without any starts again. Raises ControlError, before anything is changed, if agent or environment
    are not those of the run.
    """
    if not plan.before.task_spec:
        _announce_length(glue, plan)
        _begin(glue, plan, task)
        return
    _check_environment(glue, task, plan.before)
    _announce_length(glue, plan)
    checkpoint = checkpoints.load(plan.checkpoints)
    if checkpoint is None and agent_numbers(glue).get("steps"):
        raise ControlError("the agent has learned since the run began: start it again as before")
    episode = checkpoint.episode if checkpoint else 0
    _restore_environment(glue, plan.before.environment_stats, episode)
    plan.folder.cut_back(episode)
    checkpoints.remove_old()  # a kill may have come before it was done
    if checkpoint:
        plan.folder.write_config(plan.record)
    else:
        _begin(glue, plan, task)


def _announce_length(glue: AnyGlue, plan: Plan) -> None:
    """Say how many games the run was planned for, for schedules that follow it; an agent may ignore it."""
    if plan.config.planned_episodes:
        tell_agent(glue, f"episodes {plan.config.planned_episodes}")


def _begin(glue: AnyGlue, plan: Plan, task: Task) -> None:
    """Give the agent what it is to start with, and record agent and environment as they are then."""
    if plan.selfplay and plan.selfplay.start:
        answer = glue.RL_agent_message(f"load_policy {START}")
        if not understood(answer):
            raise ControlError(f"the agent cannot start with that checkpoint: {reason(answer)}")
    # An environment that has served an earlier run begins again, so that the same seed means the same.
    glue.RL_env_message("episode 0")
    own = {"task_spec": task.text, "environment_stats": environment_values(glue)}
    plan.folder.write_config({**plan.record, **own, "agent_config": agent_values(glue, "config")})


def _check_environment(glue: AnyGlue, task: Task, record: RunRecord) -> None:
    if task.text != record.task_spec:
        raise ControlError(
            f"the environment's task is {task.text!r}, the run's was {record.task_spec!r}: "
            "start the environment as before"
        )
    now, before = stats_of(environment_values(glue)).opponent, record.environment_stats.opponent
    if now != before:
        raise ControlError(
            f"the environment plays {now}, the run's played {before}: start it with --opponent {before}"
        )


def _restore_environment(glue: AnyGlue, before: EnvironmentStats, episode: int) -> None:
    now, seed, first, start = EnvironmentState.of(glue), before.seed, before.first, before.start
    if now and seed is not None and first is not None and start is not None:
        replace(now, seed=seed, episode=episode, first=first, start=start).restore(glue)
