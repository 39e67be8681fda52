"""`othello run`: environment, agent and experiment as three processes."""

from typing import TYPE_CHECKING, Any

import click

from experiment.run.training.config import ENVIRONMENT_OPTIONS
from othello.agent import agent_option
from othello.config_file import config_option
from othello.ending import interruptible
from othello.environment import environment_options
from othello.groups import Command, section
from othello.options import connect_timeout_option, host_option, port_option, warn_if_open
from othello.permission import ProgramText
from othello.player_names import agent_part_of
from othello.training_options import refuse, training_options
from othello.training_plan import launch_settings, planned
from othello.trio_parts import check_opponents, check_parts, environment_values

if TYPE_CHECKING:
    from experiment.run.training.run_config import Part


@click.command(cls=Command)
@training_options
@section(
    "Agent",
    agent_option("A learner (dqn, ntuple, ...), a player, a run, or the command line of your own program."),
)
@environment_options
@section(
    "Environment",
    click.option(
        "--environment",
        type=ProgramText(),
        metavar="COMMAND",
        help="The command line of your own environment.",
    ),
)
@section(
    "Connection",
    host_option("Address that the server of the run listens on.", warn_if_open),
    port_option(0, "Its port.  [default: any free one]", default=0),
    connect_timeout_option,
)
@config_option
@click.pass_context
def command(context: click.Context, /, agent: str, environment: str | None, **values: Any) -> None:  # noqa: ANN401  options
    """Train an agent: environment, agent and experiment run as three processes.

    At the end it is measured: a table of results, what they come to in one line, and how to play it.
    """
    own = environment_values(values)
    if environment:
        refuse(context, set(ENVIRONMENT_OPTIONS), "this belongs into the command of --environment")
    with interruptible() as interrupts:
        who: Part = None
        if not values["resume"]:
            who = agent_part_of(agent, values["runs_dir"])
            check_parts(who, environment, own)
            check_opponents(values, own["size"])
        part: Part = {"command": environment} if environment else own
        with planned(context, values, who, part) as plan:
            from experiment.run.training import launch

            launch.trio(plan, launch_settings(values, interrupts))
