"""Checkpoints of a run, saved and loaded by the agent and recorded in the run folder; start and resume."""

from collections.abc import Callable
from dataclasses import replace

from othello_lab.experiment.run.control import (
    ControlError,
    EnvironmentState,
    agent_numbers,
    agent_values,
    environment_values,
    reason,
    refusal,
    saved_path,
    tell_agent,
)
from othello_lab.experiment.run.episodes import Task
from othello_lab.experiment.run.names import FINAL_POLICY, START, policy_name
from othello_lab.experiment.run.outcomes import Checkpoint
from othello_lab.experiment.run.record import EnvironmentStats, RunRecord, stats_of
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.training.plan import Plan
from rlglue.address import SEED
from rlglue.glue import Glue
from rlglue.messages import understood

KEPT = 3
"""This many checkpoints stay: the newest, and two for the case that it is damaged."""


class Checkpoints:
    """Has the agent save, load and remove; `newest` is the last that it saved or loaded."""

    def __init__(
        self, glue: Glue, folder: RunFolder, prefix: str, say: Callable[[str], None], keep: bool = False
    ) -> None:
        """`prefix` is what names begin with; `say` tells the user a line; `keep`: policies stay."""
        self._glue = glue
        self._folder = folder
        self._prefix = prefix
        self.say = say
        self._keep = keep
        self._removes = True
        self._supported = set[str]()
        self.newest: Checkpoint | None = None

    def save(self, episode: int) -> None:
        """Order a save of everything that a resume needs, unless this episode's is there."""
        checkpoint = Checkpoint(episode, f"{self._prefix}episode-{episode:08d}")
        if not episode or self.newest == checkpoint:
            return
        self._folder.check_there()  # else the agent would make it anew, with nothing else in it
        if understood(self._save("save", checkpoint.name)):
            self._folder.write_checkpoints([*self._folder.saved(), checkpoint])
            self.newest = checkpoint
            if self._keep:
                self._save("save_policy", f"{self._prefix}{policy_name(episode)}")
            self.remove_old()

    def save_policy(self) -> str | None:
        """Order a save of what the agent has learned; return the path that it answers, None without one."""
        return saved_path(self._save("save_policy", f"{self._prefix}{FINAL_POLICY}"))

    def _save(self, order: str, name: str) -> str:
        """Order a save and return the answer; say so if an agent that saves could not."""
        answer = self._glue.RL_agent_message(f"{order} {name}")
        if understood(answer):
            self._supported.add(order)
            return answer
        # An order that was carried out before is known, whatever the agent lists.
        why = reason(answer) if order in self._supported else refusal(self._glue, order, answer)
        if why:
            self.say(f"the agent could not save {name}: {why}")
        return answer

    def remove_old(self) -> None:
        """Have the agent remove all but the newest, as long as it does; only then are they forgotten."""
        saved = self._folder.saved()
        for checkpoint in saved[:-KEPT]:
            self._removes = self._removes and tell_agent(self._glue, f"remove {checkpoint.name}")
        if self._removes and len(saved) > KEPT:
            self._folder.write_checkpoints(saved[-KEPT:])

    def remove_policy(self) -> None:
        """Have the agent remove the policy of the end that the run now goes on from: it would soon be old."""
        tell_agent(self._glue, f"remove {self._prefix}{FINAL_POLICY}")

    def load(self, candidates: tuple[Checkpoint, ...]) -> Checkpoint | None:
        """Have the agent load the first that is good, and say what is wrong with those before it.

        Returns that one, None if there are none. Raises ControlError if none is good.
        """
        reasons: list[str] = []
        for checkpoint in candidates:
            wrong = self._load(checkpoint)
            if wrong is None:
                for line in reasons:
                    self.say(f"{line}; going on from {checkpoint.name} instead")
                self.newest = checkpoint
                return checkpoint
            reasons.append(f"checkpoint {checkpoint.name} cannot be used: {wrong}")
        if reasons:
            what = "start the agent as before or put the files back, else start a new run"
            raise ControlError(f"{'; '.join(reasons)}; {what}")
        return None

    def _load(self, checkpoint: Checkpoint) -> str | None:
        """Have the agent load a checkpoint; return why it could not, None if it could."""
        recorded = self._folder.games()
        if recorded < checkpoint.episode:
            return f"{self._folder.path / self._folder.games_file} holds {recorded} games before it"
        order = f"load {checkpoint.name}"
        answer = self._glue.RL_agent_message(order)
        if understood(answer):
            return None
        wrong = refusal(self._glue, order, answer)
        if wrong is None:
            raise ControlError(
                f"the agent does not understand {order!r} and so cannot go on; it answered {answer[:80]!r}"
            )
        return wrong


def start_or_resume(glue: Glue, plan: Plan, task: Task, checkpoints: Checkpoints) -> None:
    """Start a run, or restore agent, environment and files from its newest good checkpoint.

    A run without any starts again. Raises ControlError, before anything is changed, if agent or environment
    are not those of the run.
    """
    if not plan.before.task_spec:
        _announce(glue, plan, checkpoints.say)
        _begin(glue, plan, task, checkpoints.say)
        return
    _check_environment(glue, task, plan.before)
    _announce(glue, plan, checkpoints.say)
    checkpoint = checkpoints.load(plan.checkpoints)
    if checkpoint is None and agent_numbers(glue).get("steps"):
        raise ControlError("the agent has learned since the run began: start it again as before")
    episode = checkpoint.episode if checkpoint else 0
    _restore_environment(glue, plan.before.environment_stats, episode)
    plan.folder.cut_back(episode)
    checkpoints.remove_old()  # a kill may have come before it was done
    if checkpoint:
        checkpoints.remove_policy()
        plan.folder.write_config(plan.record)
    else:
        _begin(glue, plan, task, checkpoints.say)


def _announce(glue: Glue, plan: Plan, say: Callable[[str], None]) -> None:
    """Send the agent its seed, and the planned number of games for schedules that follow it."""
    if not tell_agent(glue, f"seed {plan.seeds.agent}"):
        say(f"the agent does not understand 'seed': --seed repeats its moves only if it reads {SEED}")
    if plan.config.planned_episodes:
        tell_agent(glue, f"episodes {plan.config.planned_episodes}")


def _begin(glue: Glue, plan: Plan, task: Task, say: Callable[[str], None]) -> None:
    """Give the agent what it is to start with, and record agent and environment as they are then."""
    if plan.selfplay and plan.selfplay.start:
        answer = glue.RL_agent_message(f"load_policy {START}")
        if not understood(answer):
            raise ControlError(f"the agent cannot start with that checkpoint: {reason(answer)}")
    told = agent_values(glue, "stats")
    if told.get("learning") is False and "steps" in told:  # a player, which never learns, counts none
        say("the agent is frozen, perhaps by a run that was killed, and learns nothing: start it again")
    # An environment that has served an earlier run begins again, so that the same seed means the same.
    glue.RL_env_message("episode 0")
    own = {"task_spec": task.text, "environment_stats": environment_values(glue)}
    plan.folder.write_config({**plan.record, **own, "agent_config": agent_values(glue, "config")})


def _check_environment(glue: Glue, task: Task, record: RunRecord) -> None:
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


def _restore_environment(glue: Glue, before: EnvironmentStats, episode: int) -> None:
    now, seed, first, start = EnvironmentState.of(glue), before.seed, before.first, before.start
    if now and seed is not None and first is not None and start is not None:
        replace(now, seed=seed, episode=episode, first=first, start=start).restore(glue)
