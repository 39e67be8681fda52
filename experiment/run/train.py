"""Train an agent from RL_init to RL_cleanup, with records, checkpoints and evaluations."""

import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from math import isfinite
from typing import Protocol

from othello_lab.experiment.run.checkpoints import Checkpoints
from othello_lab.experiment.run.control import environment_values
from othello_lab.experiment.run.episodes import RunTask, episodes, read_task
from othello_lab.experiment.run.evaluation import FrozenGames
from othello_lab.experiment.run.length import Moment, Pace, estimated_games, is_due, moment
from othello_lab.experiment.run.monitor import Events, Monitor
from othello_lab.experiment.run.outcomes import (
    SELF,
    Evaluation,
    Hundreds,
    RunResult,
    Tally,
    View,
    by_opponent,
    total,
)
from othello_lab.experiment.run.plan import Plan
from othello_lab.experiment.run.record import stats_of
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.workers.interrupts import Interrupts, Stopped
from rlglue.errors import GlueError
from rlglue.glue import Glue

HELD_OUT_GAMES = 100  # The maximum number of games against each held-out player.


class Round(Protocol):
    """A finished batch of simultaneous games, from which the learner has already learned."""

    @property
    def results(self) -> Mapping[tuple[str, str], tuple[int, int, int]]:
        """The learner's wins, draws and losses by opponent and colour. Against SELF, black wins or loses."""

    @property
    def decisions(self) -> int:
        """The number of both sides' decisions that were used for learning."""


class RoundPlayer(Protocol):
    """An object that plays rounds of thousands of simultaneous games, and trains the agent's learner."""

    def play(self, done: int, games: int) -> Round:
        """Play `games` games after `done` earlier games, and learn from the new games."""

    def plan_for(self, games: int) -> None:
        """Set the schedules for a run with an estimated length of `games` games."""


def train(
    glue: Glue, plan: Plan, display: Display, interrupts: Interrupts, rounds: RoundPlayer | None = None
) -> RunResult:
    """Carry out a run. In self-play, `rounds` plays the training games. Raises GlueError if a peer leaves."""
    begin = time.monotonic()
    task = read_task(glue.RL_init())
    checkpoints = Checkpoints(glue, plan, display.line)
    checkpoints.start_or_resume(task)
    with closing(Events(plan.folder.tensorboard, after=checkpoints.done)) as events:
        training = Training(glue, plan, task, checkpoints, events, display, interrupts, rounds)
        result = training.run()
    with suppress(GlueError):  # the run is over, so the peer may have left
        glue.RL_cleanup()
    result.seconds = time.monotonic() - begin
    return result


class Training:
    """The training games and evaluations of one session of a run."""

    def __init__(
        self,
        glue: Glue,
        plan: Plan,
        task: RunTask,
        checkpoints: Checkpoints,
        events: Events,
        display: Display,
        interrupts: Interrupts,
        rounds: RoundPlayer | None,
    ) -> None:
        self._plan, self._config, self._folder = plan, plan.config, plan.folder
        self._checkpoints, self._display, self._interrupts = checkpoints, display, interrupts
        self._rounds = rounds
        done, config = checkpoints.done, plan.config
        view = View(rounds is not None or stats_of(environment_values(glue)).opponent == SELF)
        self._episodes = episodes(glue, task, done + 1, config.max_steps)
        self._hundreds = Hundreds(view, [] if rounds else self._folder.episodes())
        self._games = FrozenGames(
            glue,
            task,
            plan.seeds.evaluation,
            config.eval_opponent,
            config.max_steps,
            on_game=lambda what, number, games: display.activity(f"{what} {number}/{games}"),
            stop=lambda: interrupts.requested,
        )
        self._pace = Pace(done, seconds_trained(self._folder))
        self._monitor = Monitor(glue, self._folder, display, self._pace, view, events)
        self._has_warned = False
        self._result = RunResult()

    def run(self) -> RunResult:
        """Train and evaluate to the end of the run or until an interrupt, and return the result."""
        unit = "round" if self._rounds else "game"
        stopping = f"stopping after this {unit}; interrupt again to stop at once"
        self._interrupts.on_request = lambda: self._display.stopping(stopping)
        self._interrupts.patient = True
        with self._display:
            try:
                self._train()
                self._finish()
            except Stopped:
                self._checkpoints.save(self._pace.done)
        result = self._result
        result.notes += self._games.skipped
        result.episodes, result.work = self._pace.done, self._pace.work
        result.interrupted, result.checkpoint = self._interrupts.requested, self._checkpoints.newest
        return result

    def _train(self) -> None:
        """Play the training games, save and evaluate. Raises Stopped after an interrupt."""
        now = self._now()
        # An evaluation is due before the first game, and after a resume that deleted evaluation results.
        self._evaluate_if_due(self._a_round_before(now), now)
        while now.share < 1:
            before = now
            if self._rounds and self._plan.selfplay:
                self._play_round(self._rounds, self._plan.selfplay.games_at_once, now)
            else:
                self._play_game()
            now = self._now()
            if self._interrupts.requested:
                raise Stopped
            if is_due(self._config.save_every, before, now):
                self._checkpoints.save(now.games)
            self._evaluate_if_due(before, now)

    def _now(self) -> Moment:
        return moment(self._config, self._pace.done, self._pace.seconds)

    def _a_round_before(self, now: Moment) -> Moment:
        """Estimate the point in training one round earlier."""
        games = now.games - (self._plan.selfplay.games_at_once if self._plan.selfplay else 1)
        if not now.games:
            return Moment(games, -1.0)  # a negative share makes an evaluation before the first game due
        return moment(self._config, games, self._pace.seconds * games / now.games)

    def _play_game(self) -> None:
        episode = next(self._episodes)
        self._folder.add_episode(episode)
        if not (isfinite(episode.reward) or self._has_warned):
            self._has_warned = True
            self._display.line(
                f"warning: the rewards of episode {episode.index} add up to {episode.reward}; "
                "such episodes count as episodes without a result"
            )
        line = self._hundreds.add(episode)
        self._pace.add(1, episode.steps)
        self._report(self._hundreds.recent, line)

    def _play_round(self, rounds: RoundPlayer, at_once: int, now: Moment) -> None:
        config, done = self._config, now.games
        # Without new schedules, the learning rate would reach 0 in a run with more games than planned.
        if now.share if config.minutes else config.episodes > config.planned_episodes:
            rounds.plan_for(estimated_games(config, now))
        played = rounds.play(done, at_once if config.minutes else min(at_once, config.episodes - done))
        tallies = {seat: Tally(*counts) for seat, counts in sorted(played.results.items())}
        games = sum(tally.games for tally in tallies.values())
        results = [Evaluation(done + games, *seat, tally) for seat, tally in tallies.items()]
        self._folder.add_round(results)
        by_name = {name: total(games) for name, games in by_opponent(results).items()}
        self._pace.add(games, played.decisions)
        recent = by_name.pop(SELF, Tally())  # the self-play games, counted for black
        self._report(recent, scores={name: tally.score for name, tally in by_name.items()})

    def _report(
        self, recent: Tally, line: str | None = None, scores: Mapping[str, float] | None = None
    ) -> None:
        self._monitor.played(recent, estimated_games(self._config, self._now()), line, scores)

    def _evaluate_if_due(self, before: Moment, now: Moment) -> None:
        # At the end of training, the final evaluation replaces this evaluation.
        if now.share < 1 and is_due(self._config.eval_every, before, now) and self._config.eval_games:
            play = partial(self._games.from_start, now.games, self._config.eval_games)
            self._record(play, is_final=False)

    def _finish(self) -> None:
        done, config = self._pace.done, self._config
        if done != config.episodes:
            self._folder.record_length(done)
        self._checkpoints.save(done)
        self._result.policy = self._checkpoints.save_policy()
        if config.final_games:
            self._evaluate_at_the_end(done)
            self._display.activity("done")

    def _evaluate_at_the_end(self, done: int) -> None:
        games, result = self._games, self._result
        result.evaluations += self._record(partial(games.from_start, done, self._config.final_games))
        result.evaluations += self._record(partial(games.from_openings, done, games.opponents()[0]))
        openings = max(1, min(HELD_OUT_GAMES, self._config.final_games) // 2)
        for name in games.held_out():
            results = self._record(partial(games.from_openings, done, name, openings))
            if not results:  # an environment that refuses one opponent refuses all opponents
                return
            result.held_out += results

    def _record(self, play: Callable[[], list[Evaluation]], is_final: bool = True) -> list[Evaluation]:
        begin = time.monotonic()
        results = play()
        for result in results:
            self._folder.add_evaluation(result)
        self._monitor.evaluations(results, time.monotonic() - begin, is_final)
        return results


def seconds_trained(folder: RunFolder) -> float:
    """Return the recorded training time of a self-play run in seconds, otherwise 0."""
    seconds = [line["seconds"] for line in folder.metrics() if isinstance(line.get("seconds"), int | float)]
    return float(seconds[-1]) if seconds else 0.0
