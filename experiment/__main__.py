"""`othello experiment train` and `plot`, and `othello run`: here the parts are put together."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.__main__ import agent_option
from environment.__main__ import environment_options, make_environment
from experiment.sweep.__main__ import compare, sweep
from experiment.training.config import ENVIRONMENT_OPTIONS
from othello import training_options as options
from othello.commands import Command, Group, section
from othello.completion import a_run
from othello.config_file import FileFirst, config_option, spelled
from othello.options import (
    blaming,
    connect_timeout_option,
    runs_dir_option,
    server_address_options,
    warn_if_open,
)
from othello.options import run as run_command

if TYPE_CHECKING:
    from experiment.episodes.control import AnyGlue
    from experiment.training.launch import Settings
    from experiment.training.plan import Plan
    from experiment.training.run_config import Part
    from experiment.workers.interrupts import Interrupts


@click.group(cls=Group, commands={"sweep": sweep, "compare": compare})
def main() -> None:
    """Run episodes over RL-Glue and write down what happened."""


@main.command()
@options.training_options
@section("Agent", agent_option("With --in-process: who learns or plays."))
@environment_options
@section(
    "Connection",
    click.option("--glue", metavar="HOST:PORT", help="Join a server that runs, instead of hosting one."),
    click.option("--in-process", is_flag=True, help="Make agent and environment here, without TCP."),
    server_address_options,
    connect_timeout_option,
)
@config_option
@click.pass_context
def train(context: click.Context, /, glue: str | None, in_process: bool, **values: Any) -> None:  # noqa: ANN401  options
    """Train whatever agent and environment connect, and evaluate it.

    Hosts the RL-Glue server at --host and --port unless told otherwise by --glue or --in-process.
    """
    if glue and in_process:
        raise click.UsageError("--glue and --in-process: expected one of them")
    parts = {"agent", *ENVIRONMENT_OPTIONS}
    if in_process:
        from game.threads import use_threads

        use_threads(1)
    else:
        options.refuse(context, parts, "this goes to the agent's or environment's own command")
    with options.foreseen(), options.interrupts() as interrupts:
        if in_process and not values["resume"]:
            check_in_process(values)
        environment, agent = _environment_values(values), {"text": values.pop("agent")}
        own: tuple[Part, Part] = (agent, environment) if in_process else (None, None)
        with options.planned(context, values, *own, starts=in_process) as plan:
            from experiment.training import launch

            settings = _settings(values, interrupts)
            if in_process:
                launch.in_process(plan, _in_process(plan), settings)
            elif glue:
                launch.joining(plan, glue, settings)
            else:
                launch.hosting(plan, settings)
    options.end_of(interrupts)


@click.command(cls=Command)
@options.training_options
@section(
    "Agent",
    agent_option("An agent or player (dqn, greedy, ...), or the command line of your own program."),
)
@environment_options
@section(
    "Environment",
    click.option("--environment", metavar="COMMAND", help="Command line of an environment of your own."),
)
@section(
    "Connection",
    click.option(
        "--host",
        cls=FileFirst,
        default="127.0.0.1",
        envvar="RLGLUE_HOST",
        show_default=True,
        show_envvar=True,
        help="Address that the server of this run listens on.",
        callback=warn_if_open,
    ),
    click.option(
        "--port",
        cls=FileFirst,
        type=click.IntRange(0, 65535),
        default=0,
        envvar="RLGLUE_PORT",
        show_envvar=True,
        help="Its port.  [default: any free one]",
    ),
    connect_timeout_option,
)
@config_option
@click.pass_context
def run(context: click.Context, /, agent: str, environment: str | None, **values: Any) -> None:  # noqa: ANN401  options
    """Train: environment, agent and this experiment as three processes."""
    from experiment.training.commands import agent_part

    own = _environment_values(values)
    if environment:
        options.refuse(context, set(ENVIRONMENT_OPTIONS), "this belongs into the command of --environment")
    with options.foreseen(), options.interrupts() as interrupts:
        if not values["resume"]:
            _check_parts(agent, environment, own)
            _check_opponents(values, own["size"])
        part: Part = {"command": environment} if environment else own
        with options.planned(context, values, dict(agent_part(agent)), part) as plan:
            from experiment.training import launch

            launch.trio(plan, _settings(values, interrupts))
    options.end_of(interrupts)


@main.command()
@click.argument("run_name", metavar="RUN", shell_complete=a_run)
@runs_dir_option("Where run folders are.")
def plot(run_name: str, runs_dir: Path) -> None:
    """Draw the picture of RUN (a name or a folder) again, from its files."""
    from experiment.display.plots import plot_run
    from experiment.results.run_folder import RunFolder

    with options.foreseen():
        click.echo(plot_run(RunFolder.open(runs_dir, run_name)))


def _settings(values: dict[str, Any], interrupts: "Interrupts") -> "Settings":
    from experiment.training.launch import Settings

    server = (values["host"], values["port"])
    return Settings(values["runs_dir"], values["watch"], server, values["connect_timeout"], interrupts)


def _environment_values(values: dict[str, Any]) -> dict[str, Any]:
    return {name: values.pop(name) for name in ENVIRONMENT_OPTIONS}


def check_in_process(values: dict[str, Any]) -> None:
    """Raise click.BadParameter for options of `train --in-process` that cannot be carried out."""
    own = {name: values[name] for name in ENVIRONMENT_OPTIONS}
    _check_parts(values["agent"], None, own)
    _check_opponents(values, own["size"])


def _check_parts(agent: str, environment: str | None, own: dict[str, Any]) -> None:
    """Find wrong options before anything is started; raise click.BadParameter."""
    from experiment.training.commands import CommandError, agent_part, split_command
    from game.players import catalogue as registry

    part = agent_part(agent)
    option, text = "--agent", part.get("command")
    try:
        if text:
            split_command(text)
        elif registry.parse(agent).name == "dqn":
            _check_dqn(agent, own["size"])
        else:
            registry.make(agent, own["size"]).close()
        option = "--environment"
        if environment:
            split_command(environment)
    except CommandError as error:
        known = f"; players and agents are: {', '.join(registry.names())}" if option == "--agent" else ""
        raise click.BadParameter(f"{error}{known}", param_hint=spelled(option[2:], option)) from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=spelled(option[2:], option)) from None
    if not environment:
        make_environment(**own).env_cleanup()


def _check_opponents(values: dict[str, Any], size: int) -> None:
    """Raise click.BadParameter for an --eval-opponent that cannot be made."""
    from game.players import catalogue as registry

    for text in values["eval_opponent"]:
        with blaming("--eval-opponent"):
            registry.make(text, size).close()


def _check_dqn(text: str, size: int) -> None:
    """Raise ValueError for options that dqn does not have. Does not load torch."""
    from agent.dqn.config import configure
    from game.players import catalogue as registry

    spec = registry.parse(text)
    if spec.argument is None:
        configure(spec.options, size)


def _in_process(plan: "Plan") -> "AnyGlue":
    from agent.make import make_agent
    from experiment.results.run_folder import RunFolderError
    from experiment.training.commands import opponents_to_allow
    from rlglue.glue import Glue

    if not plan.agent or not plan.environment or "command" in {*plan.agent, *plan.environment}:
        raise RunFolderError(
            f"the run {plan.folder.path.name} had an agent or environment of its own: leave --in-process out"
        )
    allowed = opponents_to_allow(plan.config, plan.environment.get("size"))
    environment = make_environment(**plan.environment, seed=plan.seeds.environment, allow_opponent=allowed)
    with blaming("--agent"):
        agent = make_agent(plan.agent["text"], plan.seeds.agent, plan.folder.checkpoints)
    return Glue(agent, environment)


if __name__ == "__main__":
    run_command(main)
