"""Training: consumes the episodes; counts, records, evaluates and saves."""

import time
from dataclasses import dataclass, field
from typing import Any

from experiment.control import (
    AnyGlue,
    EnvironmentState,
    agent_numbers,
    agent_values,
    environment_values,
    saved_path,
    tell_agent,
)
from experiment.counting import Counter
from experiment.evaluation import Evaluation, Evaluator, Stopped
from experiment.events import Events
from experiment.interrupts import Interrupts
from experiment.loop import Episode, episodes
from experiment.plan import Plan
from experiment.progress import Display
from experiment.run_folder import Checkpoint
from experiment.task import Task, read_task
from rlglue.errors import GlueError

METRICS_SECONDS = 2.0
"""Between two looks at the learner's numbers; there is one after each hundred episodes as well."""


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
    notes: list[str] = field(default_factory=list)


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
        self._counter = Counter()
        self._numbers: dict[str, float] = {}
        self._next_metrics = 0.0

    def run(self) -> Report:
        """Train, evaluate and save to the end, or until an interrupt asks to stop.

        Raises GlueError if a peer leaves; all finished episodes are recorded then.
        """
        task = read_task(self._glue.RL_init())
        if self._plan.checkpoint:
            self._take_up(task, self._plan.record, self._plan.checkpoint)
        else:
            self._begin(task, self._plan.record)
        self._events = Events(self._folder.tensorboard, after=self._counter.done)
        try:
            self._conduct(task)
        finally:
            self._events.close()
        self._glue.RL_cleanup()
        return self._report

    def _begin(self, task: Task, record: dict[str, Any]) -> None:
        # An environment that has served an earlier run begins again, so that the same seed means the same.
        self._glue.RL_env_message("episode 0")
        own = {"task_spec": task.text, "environment_stats": environment_values(self._glue)}
        self._folder.write_config({**record, **own, "agent_config": agent_values(self._glue, "config")})

    def _take_up(self, task: Task, record: dict[str, Any], checkpoint: Checkpoint) -> None:
        """Put agent, environment and files back to where they were when the checkpoint was saved."""
        if task.text != record["task_spec"]:
            raise GlueError(
                f"the environment's task is {task.text!r}, the run's was {record['task_spec']!r}: "
                "start the environment as before"
            )
        answer = self._glue.RL_agent_message(f"load {checkpoint.name}")
        if not answer.startswith("message understood"):
            raise GlueError(f"the agent could not load {checkpoint.name}; it answered {answer!r}")
        self._put_back(record["environment_stats"], checkpoint.episode)
        complete = checkpoint.episode >= self._config.episodes
        self._folder.cut_back(checkpoint.episode, again=complete)
        self._counter = Counter(self._folder.episodes())
        self._counter.done = self._report.episodes = checkpoint.episode
        self._report.checkpoint = checkpoint
        self._folder.write_config(record)

    def _put_back(self, before: dict[str, Any], episode: int) -> None:
        now = environment_values(self._glue)
        if now.get("opponent") != before.get("opponent"):
            raise GlueError(
                f"the environment plays {now.get('opponent')}, the run's played {before.get('opponent')}: "
                f"start it with --opponent {before.get('opponent')}"
            )
        if "seed" in before:
            EnvironmentState(before["seed"], episode, before["first"], before["start"]).restore(self._glue)

    def _conduct(self, task: Task) -> None:
        self._evaluator = Evaluator(
            self._glue,
            task,
            self._plan.seeds.evaluation,
            self._config.max_steps,
            self._watch,
            on_game=lambda what, done, total: self._display.activity(f"{what} {done}/{total}"),
            stop=lambda: self._interrupts.requested,
        )
        self._interrupts.patient = True
        self._interrupts.on_request = lambda: self._display.activity("stopping after this game")
        with self._display:
            try:
                self._train(task)
                self._finish()
            except Stopped:
                self._save()
        self._report.interrupted = self._interrupts.requested
        self._report.notes += self._evaluator.skipped

    def _train(self, task: Task) -> None:
        if self._counter.done < self._config.episodes:
            self._evaluate_if_missing()
            first = self._counter.done + 1
            for episode in episodes(self._glue, task, first, self._config.max_steps, self._watch):
                self._record(episode)
                if self._interrupts.requested:
                    raise Stopped
                if self._is_due(self._config.save_every):
                    self._save()
                if episode.index >= self._config.episodes:
                    break
                if self._is_due(self._config.eval_every):
                    self._evaluate()

    def _is_due(self, every: int) -> bool:
        return every > 0 and self._counter.done % every == 0

    def _record(self, episode: Episode) -> None:
        self._folder.add_episode(episode)
        self._report.episodes = episode.index
        line = self._counter.add(episode)
        if line or time.monotonic() >= self._next_metrics:
            self._measure()
        if line:
            self._display.line(line)
        self._display.advance(episode.index, self._facts())

    def _measure(self) -> None:
        """Write down how it goes and what the learner says of itself."""
        self._next_metrics = time.monotonic() + METRICS_SECONDS
        self._numbers = agent_numbers(self._glue)
        recent, speed = self._counter.recent, self._counter.steps_per_second
        own = {"win_rate": recent.win_rate, "score": recent.score, "steps_per_second": round(speed, 1)}
        self._folder.add_metrics(self._counter.done, {**own, "agent": self._numbers})
        tags = {f"episode/{name}": value for name, value in own.items()}
        tags |= {f"train/{name}": value for name, value in self._numbers.items()}
        self._events.add(self._counter.done, tags)

    def _facts(self) -> str:
        recent = self._counter.recent
        facts = (
            f"won {recent.win_rate:.0%} of last {recent.games}, {self._counter.steps_per_second:,.0f} steps/s"
        )
        epsilon = self._numbers.get("epsilon")
        return facts if epsilon is None else f"{facts}, epsilon {epsilon:.2f}"

    def _evaluate_if_missing(self) -> None:
        """Make up for an evaluation before which the run was stopped."""
        done = self._counter.done
        there = any(evaluation.episode == done for evaluation in self._folder.evaluations())
        if done and self._is_due(self._config.eval_every) and not there:
            self._evaluate()

    def _evaluate(self) -> None:
        if self._config.eval_games:
            begin = time.monotonic()
            self._keep(self._evaluator.games(self._counter.done, self._config.eval_games))
            self._counter.pause(time.monotonic() - begin)
            self._display.activity("")

    def _keep(self, evaluation: Evaluation | None) -> None:
        if evaluation is None:
            return
        self._folder.add_evaluation(evaluation)
        tally = evaluation.tally
        self._events.add(
            evaluation.episode, {"evaluation/win_rate": tally.win_rate, "evaluation/score": tally.score}
        )
        against = f" against {evaluation.opponent}" if evaluation.opponent else ""
        self._display.line(
            f"evaluation after {evaluation.episode} episodes, {tally.games} games{against}: {tally}"
        )

    def _save(self) -> None:
        """Order a save of everything that a resume needs, unless this episode's is there."""
        checkpoint = Checkpoint(self._counter.done, f"{self._plan.prefix}episode-{self._counter.done:08d}")
        if self._report.checkpoint == checkpoint or not self._counter.done:
            return
        if tell_agent(self._glue, f"save {checkpoint.name}"):
            self._folder.add_checkpoint(checkpoint)
            self._report.checkpoint = checkpoint

    def _finish(self) -> None:
        """Save, and play the final evaluation."""
        self._save()
        self._report.policy = saved_path(self._glue, f"save_policy {self._plan.prefix}policy")
        games = self._config.final_games
        if not games:
            return
        final = self._evaluator.games(self._counter.done, games)
        self._keep(final)
        self._report.evaluations += [final] if final else []
        for evaluation in self._evaluator.openings(self._counter.done):
            self._folder.add_evaluation(evaluation)
            self._report.evaluations.append(evaluation)
        self._display.activity("done")
