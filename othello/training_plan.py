"""The plan of a run of `run` and `experiment train` from its options, the run folder held."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from othello.permission import permit
from othello.training_options import ON_RESUME, given, refuse, training_config

if TYPE_CHECKING:
    from experiment.run.training.launch import Settings
    from experiment.run.training.plan import Plan
    from experiment.run.training.run_config import Part
    from experiment.workers.interrupts import Interrupts


@contextmanager
def planned(
    context: click.Context, values: dict[str, Any], agent: "Part", environment: "Part", starts: bool = True
) -> Iterator["Plan"]:
    """Make the plan of a new run, or of the one that --resume names, and hold its folder.

    `starts`: agent and environment are started here, with the programs that they may need.
    """
    from experiment.run.results.lifecycle import held
    from experiment.run.training.planning import new_plan

    if values["yardstick"] is None:  # an environment that we do not make takes no program for its opponent
        values["yardstick"] = environment is not None and "command" not in environment
    config = training_config(values)
    if values["resume"]:
        episodes = config.episodes if "episodes" in given(context) else None
        with resumed(context, values, "only --episodes may change", starts, episodes=episodes) as plan:
            yield plan
    else:
        plan = new_plan(values["runs_dir"], values["name"], config, values["seed"], agent, environment)
        with held(plan.folder):
            yield plan


@contextmanager
def resumed(
    context: click.Context,
    values: dict[str, Any],
    what_may: str,
    starts: bool,
    **length: Any,  # noqa: ANN401  what `resumed_plan` takes
) -> Iterator["Plan"]:
    """Make the plan of the run that --resume names; refuse options that would change it, but for `length`."""
    from experiment.run.results.lifecycle import held
    from experiment.run.results.run_folder import RunFolder
    from experiment.run.training.planning import resumed_plan

    why = f"a resumed run keeps what was recorded; {what_may}"
    refuse(context, set(context.params) - ON_RESUME, why)
    runs, name = values["runs_dir"], values["resume"]
    with held(RunFolder.open(runs, name)):
        plan = resumed_plan(runs, name, **length)
        if starts:
            permit(plan.programs, plan.folder.path)
        yield plan


def launch_settings(values: dict[str, Any], interrupts: "Interrupts") -> "Settings":
    """Return what option values say of the launch itself, rather than of its run."""
    from experiment.run.training.launch import Settings

    server = (values["host"], values["port"])
    return Settings(values["runs_dir"], values["watch"], server, values["connect_timeout"], interrupts)
