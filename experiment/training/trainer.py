"""Training: consumes the episodes; counts, records, evaluates and saves."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from experiment.display.progress import Display
from experiment.display.view import View
from experiment.episodes.control import AnyGlue, environment_values
from experiment.episodes.loop import Episode, episodes
from experiment.episodes.task import Task, read_task
from experiment.evaluation import yardstick
from experiment.evaluation.frozen_games import SELF, Evaluation, Evaluator, Stopped, opening_lines
from experiment.results.events import Events
from experiment.results.run_folder import Checkpoint
from experiment.training.checkpoints import Checkpoints
from experiment.training.counting import Counter, Work
from experiment.training.forecast import Forecast
from experiment.training.monitor import Monitor
from experiment.training.plan import Plan
from experiment.training.resume import start_or_resume
from experiment.workers.interrupts import Interrupts
from game.players.base import Forfeit, UnplayableError
from rlglue.errors import GlueError

STRANGER_GAMES = 100
"""At most so many against each player that the agent never met; fewer if the final evaluation has fewer."""


@dataclass
class Report:
    """What came of a run."""

    episodes: int = 0
    interrupted: bool = False
    checkpoint: Checkpoint | None = None
    """The newest one."""
    policy: str | None = None
    """The path of the trained policy, if the agent saved one."""
    evaluations: list[Evaluation] = field(default_factory=list)
    """The final ones."""
    strangers: list[Evaluation] = field(default_factory=list)
    """Those against players that the agent never met in training."""
    yardstick: list[Evaluation] = field(default_factory=list)
    """Those against a program of other people."""
    no_yardstick: str = ""
    """Why there are none, if somebody may miss them."""
    notes: list[str] = field(default_factory=list)
    work: Work = field(default_factory=Work)
    """The training games of this session, without those that a resumed run had before."""
    seconds: float = 0.0
    """Of this session, with evaluations."""


class Trainer:
    """Conducts one run over a Glue whose agent and environment are there."""

    def __init__(
        self,
        glue: AnyGlue,
        plan: Plan,
        display: Display,
        interrupts: Interrupts,
        watch: bool = False,
    ) -> None:
        self._glue = glue
        self._plan = plan
        self._config = plan.config
        self._folder = plan.folder
        self._display = display
        self._interrupts = interrupts
        self._watch = display.see if watch else None
        self._report = Report()
        self._checkpoints = Checkpoints(glue, plan.folder, plan.prefix, display.line)
        self._counter = Counter()

    def run(self) -> Report:
        """Train, evaluate and save to the end, or until an interrupt asks to stop.

        Raises GlueError if a peer leaves; all finished episodes are recorded then.
        """
        begin = time.monotonic()
        task = read_task(self._glue.RL_init())
        self._report.episodes = start_or_resume(self._glue, self._plan, task, self._checkpoints)
        view = View(environment_values(self._glue).get("opponent") == SELF)
        self._counter = Counter(self._folder.episodes(), view=view)
        self._events = Events(self._folder.tensorboard, after=self._counter.done)
        try:
            self._run(task)
        finally:
            self._events.close()
        with suppress(GlueError):  # the run is over: who has left by now need not be told
            self._glue.RL_cleanup()
        self._report.seconds = time.monotonic() - begin
        return self._report

    def _run(self, task: Task) -> None:
        self._evaluator = Evaluator(
            self._glue,
            task,
            self._plan.seeds.evaluation,
            self._config.eval_opponent,
            self._config.max_steps,
            self._watch,
            on_game=lambda what, done, total: self._display.activity(f"{what} {done}/{total}"),
            stop=lambda: self._interrupts.requested,
        )
        self._no_yardstick = yardstick.why_not(task.size, self._config.yardstick, self._plan.environment)
        self._monitor = Monitor(
            self._glue, self._folder, self._display, self._counter, self._forecast(task), self._events
        )
        self._interrupts.patient = True
        self._interrupts.on_request = lambda: self._display.activity("stopping after this game")
        with self._display:
            try:
                self._train(task)
                self._finish()
            except Stopped:
                self._checkpoints.save(self._counter.done)
        self._report.work = self._counter.work
        self._report.interrupted = self._interrupts.requested
        self._report.checkpoint = self._checkpoints.newest
        self._report.notes += self._evaluator.skipped

    def _forecast(self, task: Task) -> Forecast:
        last = 2 * len(opening_lines(task.size)) if task.size else 0
        if task.size:
            met = 2 * len(opening_lines(task.size, self._stranger_openings))
            last += met * len(self._evaluator.strangers())
        last += 2 * yardstick.OPENINGS * len(yardstick.LEVELS) if self._no_yardstick is None else 0
        return Forecast(self._config, len(self._evaluator.rivals()), last)

    def _train(self, task: Task) -> None:
        if self._counter.done < self._config.episodes:
            if self._is_due(self._config.eval_every):
                # Before the first game; and in a resumed run, where it went with the cut.
                self._evaluate()
            first = self._counter.done + 1
            for episode in episodes(self._glue, task, first, self._config.max_steps, self._watch):
                self._record(episode)
                if self._interrupts.requested:
                    raise Stopped
                if self._is_due(self._config.save_every):
                    self._checkpoints.save(episode.index)
                if episode.index >= self._config.episodes:
                    break
                if self._is_due(self._config.eval_every):
                    self._evaluate()

    def _is_due(self, every: int) -> bool:
        return every > 0 and self._counter.done % every == 0

    def _record(self, episode: Episode) -> None:
        self._folder.add_episode(episode)
        self._report.episodes = episode.index
        self._monitor.episode(episode)

    def _evaluate(self) -> None:
        if self._config.eval_games:
            games = self._config.eval_games
            self._keep(lambda: self._evaluator.games(self._counter.done, games), final=False)

    def _keep(self, play: Callable[[], list[Evaluation]], final: bool = True) -> list[Evaluation]:
        """Have evaluation games played, write their results down and return them."""
        begin = time.monotonic()
        results = play()
        for result in results:
            self._folder.add_evaluation(result)
        self._monitor.evaluations(results, time.monotonic() - begin, final)
        return results

    def _finish(self) -> None:
        """Save, and play the final evaluation."""
        self._checkpoints.save(self._counter.done)
        self._report.policy = self._checkpoints.save_policy()
        games = self._config.final_games
        if not games:
            return
        done, report = self._counter.done, self._report
        report.evaluations += self._keep(lambda: self._evaluator.games(done, games))
        first = self._evaluator.rivals()[0]
        report.evaluations += self._keep(lambda: self._evaluator.openings(done, first))
        self._meet_strangers()
        if self._no_yardstick is None:
            self._measure_up()
        else:
            self._report.no_yardstick = self._no_yardstick
        self._display.activity("done")

    @property
    def _stranger_openings(self) -> int:
        """How many openings are played against each stranger; a slow agent has few final games."""
        return max(1, min(STRANGER_GAMES, self._config.final_games) // 2)

    def _meet_strangers(self) -> None:
        for name in self._evaluator.strangers():
            play = partial(self._evaluator.openings, self._counter.done, name, self._stranger_openings)
            results = self._keep(play)
            if not results:  # an environment that refuses one refuses all
                return
            self._report.strangers += results

    def _measure_up(self) -> None:
        """Play the yardstick, which must not break a run that is all but over."""
        levels = yardstick.measure(self._evaluator, self._counter.done)
        try:
            while results := self._keep(lambda: next(levels, [])):
                self._report.yardstick += results
        except (GlueError, Forfeit, UnplayableError) as error:
            self._report.notes.append(f"the yardstick broke off: {error}")
