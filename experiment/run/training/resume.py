"""Start of a run, and resume: agent, environment and files restored to where they were."""

from dataclasses import replace
from typing import Any

from experiment.run.episodes.control import (
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
from experiment.run.episodes.task import Task
from experiment.run.training.checkpoints import Checkpoints
from experiment.run.training.plan import Plan

START = "start"
"""The checkpoint whose policy a run of self-play may begin with."""


def start_or_resume(glue: AnyGlue, plan: Plan, task: Task, checkpoints: Checkpoints) -> None:
    """Start a run, or restore agent, environment and files from its newest good checkpoint.

    A run without any starts again. Raises ControlError, before anything is changed, if agent or environment
    are not those of the run.
    """
    if "task_spec" not in plan.record:
        _announce_length(glue, plan)
        _begin(glue, plan, task)
        return
    _check_environment(glue, task, plan.record)
    _announce_length(glue, plan)
    checkpoint = checkpoints.load(plan.checkpoints)
    if checkpoint is None and agent_numbers(glue).get("steps"):
        raise ControlError("the agent has learned since the run began: start it again as before")
    episode = checkpoint.episode if checkpoint else 0
    _restore_environment(glue, plan.record["environment_stats"], episode)
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


def _check_environment(glue: AnyGlue, task: Task, record: dict[str, Any]) -> None:
    if task.text != record["task_spec"]:
        raise ControlError(
            f"the environment's task is {task.text!r}, the run's was {record['task_spec']!r}: "
            "start the environment as before"
        )
    now, before = environment_values(glue).get("opponent"), record["environment_stats"].get("opponent")
    if now != before:
        raise ControlError(
            f"the environment plays {now}, the run's played {before}: start it with --opponent {before}"
        )


def _restore_environment(glue: AnyGlue, before: dict[str, Any], episode: int) -> None:
    now = EnvironmentState.of(glue)
    if now and {"seed", "first", "start"} <= before.keys():
        first, start = before["first"], before["start"]
        replace(now, seed=before["seed"], episode=episode, first=first, start=start).restore(glue)
