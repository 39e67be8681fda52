"""Start or resume a run, and let its agent save and load checkpoints."""

from collections.abc import Callable
from dataclasses import replace

from othello_lab.experiment.run.control import (
    ControlError,
    agent_numbers,
    agent_values,
    environment_state,
    environment_values,
    reason,
    refusal,
    restore,
)
from othello_lab.experiment.run.episodes import RunTask
from othello_lab.experiment.run.outcomes import Checkpoint
from othello_lab.experiment.run.plan import Plan
from othello_lab.experiment.run.record import stats_of
from othello_lab.experiment.run.run_folder import FINAL_POLICY, START
from rlglue.address import SEED
from rlglue.glue import Glue
from rlglue.messages import understood

KEPT = 3  # The number of kept checkpoints. If the newest is damaged, a run resumes from an older checkpoint.


class Checkpoints:
    """The checkpoints of one run. The agent saves, loads and removes checkpoints on command."""

    def __init__(self, glue: Glue, plan: Plan, say: Callable[[str], None]) -> None:
        self._glue, self._plan, self._folder, self._say = glue, plan, plan.folder, say
        # The built-in agent saves into the run folder. An external agent may use one folder for all runs.
        self._prefix = f"{plan.folder.path.name}-" if plan.agent.text is None else ""
        self._can_remove = True
        self._supported = set[str]()
        self.newest: Checkpoint | None = None  # The last saved or loaded checkpoint.

    @property
    def done(self) -> int:
        """The number of training games before the newest checkpoint."""
        return self.newest.episode if self.newest else 0

    def start_or_resume(self, task: RunTask) -> None:
        """Start the run, or resume it from the newest usable checkpoint.

        Raises ControlError, before any file changes, if the agent, task or opponent does not match the run.
        """
        before = self._plan.before
        if not before.task_spec:
            self._announce()
            self._load_start()
            self._begin(task)
            return
        self._check_environment(task)
        self._announce()
        self._load_newest()
        if not self.newest:
            if agent_numbers(self._glue).get("steps"):
                raise ControlError("the agent has learned since the run began: start it again as before")
            self._load_start()
        stats, now = before.environment_stats, environment_state(self._glue)
        if now and None not in (stats.seed, stats.first, stats.start):
            restore(self._glue, replace(stats, episode=self.done - 1, opponent=now.opponent))
        self._folder.cut_back(self.done)
        self._remove_old()  # a killed process may have left old checkpoints
        if self.newest:
            self._glue.RL_agent_message(f"remove {self._prefix}{FINAL_POLICY}")  # the policy is outdated
            self._folder.write_config(self._plan.record)
        else:
            self._begin(task)

    def _announce(self) -> None:
        """Send the agent its seed and the planned number of games."""
        if not understood(self._glue.RL_agent_message(f"seed {self._plan.seeds.agent}")):
            self._say(
                f"the agent does not understand 'seed': --seed repeats its moves only if it reads {SEED}"
            )
        if episodes := self._plan.config.planned_episodes:
            self._glue.RL_agent_message(f"episodes {episodes}")

    def _load_start(self) -> None:
        """Load the policy of the checkpoint START, if the run has one."""
        if self._plan.selfplay and self._plan.selfplay.start:
            answer = self._glue.RL_agent_message(f"load_policy {START}")
            if not understood(answer):
                raise ControlError(f"the agent cannot start with that checkpoint: {reason(answer)}")

    def _begin(self, task: RunTask) -> None:
        """Reset the environment, and record the task and the settings of the agent and the environment."""
        glue, plan = self._glue, self._plan
        stats = agent_values(glue, "stats")
        if stats.get("learning") is False and "steps" in stats:  # a player never learns and has no `steps`
            self._say(
                "the agent is frozen, perhaps by a run that was killed, and learns nothing: start it again"
            )
        # Reset an environment that served an earlier run, because a seed must always give the same games.
        glue.RL_env_message("episode 0")
        answers = {
            "task_spec": task.text,
            "environment_stats": environment_values(glue),
            "agent_config": agent_values(glue, "config"),
        }
        self._folder.write_config({**plan.record, **answers})

    def _check_environment(self, task: RunTask) -> None:
        before = self._plan.before
        if task.text != before.task_spec:
            raise ControlError(
                f"the environment's task is {task.text!r}, the run's was {before.task_spec!r}: "
                "start the environment as before"
            )
        opponent = stats_of(environment_values(self._glue)).opponent
        if opponent != (expected := before.environment_stats.opponent):
            raise ControlError(
                f"the environment plays {opponent}, the run's played {expected}: "
                f"start it with --opponent {expected}"
            )

    def save(self, episode: int) -> None:
        """Order the agent to save a checkpoint, unless `episode` is 0 or already saved."""
        checkpoint = Checkpoint(episode, f"{self._prefix}episode-{episode:08d}")
        if not episode or self.newest == checkpoint:
            return
        self._folder.check_there()  # the agent would recreate a removed folder
        if understood(self._save("save", checkpoint.name)):
            self._folder.write_checkpoints([*self._folder.saved(), checkpoint])
            self.newest = checkpoint
            if self._plan.config.keep_policies:
                self._save("save_policy", f"{self._prefix}{FINAL_POLICY}-{episode:08d}")
            self._remove_old()

    def save_policy(self) -> str | None:
        """Order the agent to save its policy. Return the path in the agent's answer, or None."""
        answer = self._save("save_policy", f"{self._prefix}{FINAL_POLICY}")
        return answer.partition("message understood, saved ")[2].strip() or None

    def _save(self, order: str, name: str) -> str:
        """Send a save order and return the answer. Report a failure if the agent supports the order."""
        answer = self._glue.RL_agent_message(f"{order} {name}")
        if understood(answer):
            self._supported.add(order)
            return answer
        # An order that the agent obeyed before is supported, even if `help` does not list the order.
        why = reason(answer) if order in self._supported else refusal(self._glue, order, answer)
        if why:
            self._say(f"the agent could not save {name}: {why}")
        return answer

    def _remove_old(self) -> None:
        """Order the agent to remove all but the newest KEPT checkpoints."""
        saved = self._folder.saved()
        for checkpoint in saved[:-KEPT]:
            if self._can_remove:
                self._can_remove = understood(self._glue.RL_agent_message(f"remove {checkpoint.name}"))
        if self._can_remove and len(saved) > KEPT:
            self._folder.write_checkpoints(saved[-KEPT:])

    def _load_newest(self) -> None:
        """Let the agent load the newest usable checkpoint. Raises ControlError if all are unusable."""
        complaints: list[str] = []
        for checkpoint in self._plan.checkpoints:
            complaint = self._load(checkpoint)
            if complaint is None:
                for line in complaints:
                    self._say(f"{line}; going on from {checkpoint.name} instead")
                self.newest = checkpoint
                return
            complaints.append(f"checkpoint {checkpoint.name} cannot be used: {complaint}")
        if complaints:
            advice = "start the agent as before or put the files back, else start a new run"
            raise ControlError(f"{'; '.join(complaints)}; {advice}")

    def _load(self, checkpoint: Checkpoint) -> str | None:
        """Order the agent to load a checkpoint. Return the reason for a failure, otherwise None."""
        recorded = self._folder.games()
        if recorded < checkpoint.episode:
            return f"{self._folder.path / self._folder.games_file} holds {recorded} games before it"
        order = f"load {checkpoint.name}"
        answer = self._glue.RL_agent_message(order)
        if understood(answer):
            return None
        complaint = refusal(self._glue, order, answer)
        if complaint is None:
            raise ControlError(
                f"the agent does not understand {order!r} and so cannot go on; it answered {answer[:80]!r}"
            )
        return complaint
