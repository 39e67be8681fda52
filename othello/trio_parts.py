"""Agent and environment of a run: from option values, looked at before anything is started, or made here."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from experiment.run.training.config import ENVIRONMENT_OPTIONS
from othello.ending import blaming
from othello.environment import make_environment
from othello.player_names import agent_part_of

if TYPE_CHECKING:
    from experiment.run.episodes.control import AnyGlue
    from experiment.run.training.plan import Plan


def environment_values(values: dict[str, Any]) -> dict[str, Any]:
    """Take the options of our own environment out of option values."""
    return {name: values.pop(name) for name in ENVIRONMENT_OPTIONS}


def check_in_process(values: dict[str, Any]) -> dict[str, str]:
    """Return the agent of `train --in-process` as a run records it.

    Raises click.BadParameter for options that cannot be carried out.
    """
    own = {name: values[name] for name in ENVIRONMENT_OPTIONS}
    agent = agent_part_of(values["agent"], values["runs_dir"])
    if "command" in agent:
        raise click.BadParameter(
            "--in-process starts no program: leave one of the two out", param_hint="--agent"
        )
    check_parts(agent, None, own)
    check_opponents(values, own["size"])
    return agent


def check_parts(agent: Mapping[str, str], environment: str | None, own: dict[str, Any]) -> None:
    """Find wrong options before anything is started; raise click.BadParameter."""
    from experiment.workers.command import split_command

    if "text" in agent:
        with blaming("--agent"):
            _check_agent(agent["text"], own["size"])
    if environment:
        with blaming("--environment"):
            split_command(environment)
    else:
        make_environment(**own).env_cleanup()


def _check_agent(text: str, size: int) -> None:
    """Raise ValueError for a learner or a player that cannot be on that board. Does not load torch."""
    from agent.make import check_learner, learns
    from game.players import catalogue as registry

    if learns(registry.parse(text)):
        check_learner(text, size)
    else:
        registry.make(text, size).close()


def check_opponents(values: dict[str, Any], size: int) -> None:
    """Raise click.BadParameter for an --eval-opponent that cannot be made."""
    from game.players import catalogue as registry

    for text in values["eval_opponent"]:
        with blaming("--eval-opponent"):
            registry.make(text, size).close()


def glue_in_process(plan: "Plan") -> "AnyGlue":
    """Make the agent and the environment of a plan; raise RunFolderError if they are not ours to make."""
    from rlglue.glue import Glue

    return Glue(*agent_and_environment(plan))


def agent_and_environment(plan: "Plan") -> tuple[Any, Any]:
    """Make the parts of a plan; raise RunFolderError if they are not ours to make."""
    from agent.make import make_agent
    from experiment.run.results.run_folder import RunFolderError
    from experiment.run.training.commands import opponents_to_allow

    if not plan.agent or not plan.environment or "command" in {*plan.agent, *plan.environment}:
        raise RunFolderError(
            f"the run {plan.folder.path.name} had an agent or environment of its own: leave --in-process out"
        )
    allowed = opponents_to_allow(plan.config, plan.environment.get("size"))
    environment = make_environment(**plan.environment, seed=plan.seeds.environment, allow_opponent=allowed)
    with blaming("--agent"):
        agent = make_agent(plan.agent["text"], plan.seeds.agent, plan.folder.checkpoints)
    return agent, environment
