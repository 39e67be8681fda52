"""`othello experiment train`: a run with the parts that connect, or with both in this process."""

from typing import TYPE_CHECKING, Any

import click

from experiment.run.training.config import ENVIRONMENT_OPTIONS
from othello.agent import agent_option
from othello.config_file import config_option
from othello.ending import interruptible
from othello.environment import environment_options
from othello.groups import Command, section
from othello.options import connect_timeout_option, server_address_options
from othello.training_options import refuse, training_options
from othello.training_plan import launch_settings, planned
from othello.trio_parts import check_in_process, environment_values, glue_in_process

if TYPE_CHECKING:
    from experiment.run.training.launch import Settings
    from experiment.run.training.plan import Plan
    from experiment.run.training.run_config import Part


@click.command(cls=Command)
@training_options
@section("Agent", agent_option("The agent that learns or plays; needs --in-process."))
@environment_options
@section(
    "Connection",
    click.option("--glue", metavar="HOST:PORT", help="Join this running server instead of hosting one."),
    click.option(
        "--in-process", is_flag=True, help="Run agent and environment in this process, without TCP."
    ),
    server_address_options,
    connect_timeout_option,
)
@config_option
@click.pass_context
def command(context: click.Context, /, glue: str | None, in_process: bool, **values: Any) -> None:  # noqa: ANN401  options
    """Train the agent and the environment that connect, and evaluate the agent.

    It hosts the RL-Glue server at --host and --port, unless there is --glue or --in-process.
    """
    if glue and in_process:
        raise click.UsageError("--glue and --in-process: expected one of them")
    parts = {"agent", *ENVIRONMENT_OPTIONS}
    if in_process:
        from game.threads import use_threads

        use_threads(1)
    else:
        refuse(context, parts, "this goes to `othello agent` or `othello environment`; or add --in-process")
    with interruptible() as interrupts:
        agent = check_in_process(values) if in_process and not values["resume"] else None
        environment = environment_values(values)
        own: tuple[Part, Part] = (agent, environment) if in_process else (None, None)
        with planned(context, values, *own, starts=in_process) as plan:
            _launch(plan, glue, in_process, launch_settings(values, interrupts))


def _launch(plan: "Plan", glue: str | None, in_process: bool, settings: "Settings") -> None:
    from experiment.run.training import launch

    if in_process:
        launch.in_process(plan, glue_in_process(plan), settings)
    elif glue:
        launch.joining(plan, glue, settings)
    else:
        launch.hosting(plan, settings)
