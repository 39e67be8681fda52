"""A session: the part of a run that one process carries out, with its evaluations and its lost games."""

import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from typing import Any

from othello_lab.experiment.run.control import AnyGlue, agent_values, environment_values
from othello_lab.experiment.run.episodes import Task, read_task
from othello_lab.experiment.run.frozen_games import FrozenGames, Stopped
from othello_lab.experiment.run.names import told_name
from othello_lab.experiment.run.outcomes import SELF, Episode, Evaluation, Outcome, RunResult, View
from othello_lab.experiment.run.record import TrainingConfig, stats_of
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.training.checkpoints import Checkpoints, start_or_resume
from othello_lab.experiment.run.training.length import Forecast, Pace
from othello_lab.experiment.run.training.monitor import Events, Monitor
from othello_lab.experiment.run.training.plan import Plan
from othello_lab.experiment.run.training.trainer import Games, RoundPlayer, Rounds, Trainer
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.game.board import Colour
from othello_lab.game.game import STANDARD, Game, parse_start
from othello_lab.game.openings import openings_at_most
from othello_lab.game.records.jsonl import as_json
from othello_lab.game.records.record import Forfeited, Record
from rlglue.errors import GlueError

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
    main, held_out = (len(openings_at_most(size, most)) for most in (None, _held_out_openings(config)))
    return 2 * (main + held_out * len(games.held_out()))


def _held_out_openings(config: TrainingConfig) -> int:
    """How many openings are played against each held-out player; a slow agent has few final games."""
    return max(1, min(HELD_OUT_GAMES, config.final_games) // 2)


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
        kept = task.size if self._plan.config.keep_lost_games else None
        self._lost = LostGames(self._glue, folder, kept, self._display.line)
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
        how = plan.config.max_steps, self._watch, self._lost.of_training
        games = Games(self._glue, task, plan.folder, self._view, before, *how)
        done = before[-1].index if before else 0
        return games, Pace(done, sum(each.steps for each in before))

    def _play(self, task: Task, units: Games | Rounds, pace: Pace, events: Events) -> None:
        """Play all games, of training and of evaluation."""
        plan, report, games = self._plan, self._report, self._frozen_games(task)
        forecast = Forecast(plan.config, len(games.opponents()), games_from_openings(games, plan.config))
        monitor = Monitor(self._glue, plan.folder, self._display, pace, self._view, forecast, events)
        evaluations = Evaluations(games, plan.config, plan.folder, monitor, report)
        self._interrupts.patient = True
        word = "round" if self._rounds else "game"
        self._interrupts.on_request = lambda: self._display.activity(f"stopping after this {word}")
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
            ended=self._lost.of_evaluation,
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


class LostGames:
    """Writes lost games down, as far as the environment tells them: one in which the agent plays both sides
    is lost by nobody.
    """

    def __init__(
        self, glue: AnyGlue, folder: RunFolder, size: int | None, say: Callable[[str], None]
    ) -> None:
        """`size` is the board's, None: no game is written down. `say` tells the user, once, that the
        environment does not tell its games.
        """
        self._glue, self._folder, self._size, self._say = glue, folder, size, say

    def of_training(self, episode: Episode) -> None:
        """Write down the training game that has just ended, if it was lost."""
        self._add("training", episode.index - 1, episode)

    def of_evaluation(self, after: int, episode: Episode) -> None:
        """Write down a lost game of the evaluation that follows `after` training games."""
        self._add("evaluation", after, episode)

    def _add(self, what: str, after: int, episode: Episode) -> None:
        if self._size is None or episode.outcome is not Outcome.LOSS:
            return
        told = environment_values(self._glue)
        if told.get("opponent") == SELF:
            return
        try:
            record = self._record(what, episode, told, self._size)
        except ValueError as error:
            self._size = None
            self._say(f"lost games are not kept: the environment does not tell its games: {error}")
            return
        self._folder.add_lost(after, as_json(record))

    def _record(self, what: str, episode: Episode, told: dict[str, Any], size: int) -> Record:
        """Return the game that has just ended; raise ValueError if the environment does not tell it."""
        game = Game.from_transcript(self._glue.RL_env_message("transcript"), size)
        given = len(parse_start(str(told.get("start", STANDARD)), size).moves)
        colour = Colour(episode.colour)
        forfeit = None if game.board.is_over else Forfeited(colour, "illegal action")
        agent = told_name(agent_values(self._glue, "config")) or "agent"
        names = agent, str(told.get("opponent", ""))
        black, white = names if colour is Colour.BLACK else names[::-1]
        return Record(game, black, white, given, forfeit=forfeit, event=what)
