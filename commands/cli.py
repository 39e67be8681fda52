"""The command `othello`: a click group that imports a subcommand only when it is called."""

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

_rlglue = Path(getattr(find_spec("rlglue"), "origin", None) or "rlglue/none").parent
if _rlglue.parent != Path(str(files("othello_lab"))).parent:  # rlglue-py3, or the rlglue of the registry
    raise SystemExit(
        f"Error: another package named rlglue, in {_rlglue}, is in the way of this program's own: "
        f"take it off PYTHONPATH or uninstall it; code written for it runs on ours"
    )

from othello_lab.commands.errors import run_and_exit  # noqa: E402  only once it is known to be ours
from othello_lab.commands.options import SETTINGS, Command  # noqa: E402

Sections = Mapping[str, Mapping[str, str]]
"""For each section title, the names of its commands with a one-line description of each."""


class LazyGroup(click.Group):
    """A group whose commands are modules of a package, imported when they are called.

    A command's module has the name of the command and contains it as `command`. Without arguments the group
    prints its help and exits with code 0.
    """

    command_class = Command

    def __init__(self, package: str, sections: Sections, **settings: Any) -> None:
        """Create a group of the commands in `sections`; `settings` are those of `click.Group`."""
        super().__init__(**settings)
        self.package = package
        self.sections = sections

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; without arguments, print the help and exit with code 0."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the named command; raise NoSuchCommand with similar names if it does not exist."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            name = error.command_name
            near = click.exceptions.NoSuchCommand(name, possibilities=self.list_commands(ctx), ctx=ctx)
            if not near.possibilities:
                line = f"No such command {name!r}. --help lists the commands."
                near = click.exceptions.NoSuchCommand(name, line, ctx=ctx)
            raise near from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the help."""
        return [name for names in self.sections.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None if there is no command of that name."""
        if cmd_name in self.commands or cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        command: click.Command = import_module(f"{self.package}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of commands for each section, without importing the commands."""
        longest = max(map(len, self.list_commands(ctx)))
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{longest}}", line) for name, line in commands.items()])


COMMANDS = {
    "Play": {
        "play": "play against a level from 1 to 10, any player or your own agent",
        "review": "what each move of your game was worth, and what was lost",
        "players": "list the players and evaluators, and how to write them",
    },
    "Train": {
        "run": "train an agent: three processes over RL-Glue, one command",
        "selfplay": "train by self-play, thousands of games at once",
        "watch": "look at a run while it goes on",
        "runs": "list your runs: state, length, verdict",
        "experiment": "train with parts of your own, sweep, compare runs",
    },
    "Measure": {
        "evaluate": "how strong is it? an agent against many opponents",
        "match": "two players against each other, from many openings",
        "tournament": "every player against every other: ratings",
        "truth": "how many of a player's moves are exactly right",
        "exercise": "check an answer to an exercise of the lessons",
        "report": "a run, a tournament, an analysis or games as one HTML page",
    },
    "Games": {
        "games": "list, show, replay and convert files of games",
        "analyse": "what many games show: moves, squares, corners, results",
        "draw": "a position or a whole game as a picture",
        "solve": "the exact value and the best move of a position",
    },
    "Build on it": {
        "agent": "serve an agent over RL-Glue: a learner, or any player",
        "environment": "serve the Othello environment over RL-Glue",
        "glue": "serve RL-Glue alone, for parts that you start yourself",
        "gymnasium": "serve an environment of Gymnasium over RL-Glue",
        "engine": "any player as an engine of other programs: GTP or NBoard",
        "perft": "count move paths, to check the rules",
    },
}
"""The sections of the help, with a one-line description of each command."""
_MORE = {
    "help": "explain a command, as its --help does",
    "completion": "make your shell complete commands, options and names",
}
SHELLS = ("bash", "zsh", "fish")
_COMPLETE = "_OTHELLO_COMPLETE"
"""The environment variable with which a shell asks click for completions."""

cli = LazyGroup(
    "othello_lab.commands",
    {**COMMANDS, "More": _MORE},
    help="""Train agents to play Othello, play against them, measure their strength.

    Begin with `othello play`, `othello run` or `othello evaluate greedy`. `othello COMMAND --help` explains a
    command.
    """,
    context_settings=SETTINGS,
)
click.version_option(package_name="othello-lab", prog_name="othello-lab")(cli)


experiment = LazyGroup(
    "othello_lab.commands",
    {
        "Commands": {
            "train": "train the agent and the environment that connect",
            "sweep": "carry out runs that differ in some options, and compare them",
            "compare": "tables and pictures of several runs",
        }
    },
    help="Run episodes over RL-Glue and record the results.",
)
cli.add_command(experiment, "experiment")


@cli.command("help")
@click.argument("command", nargs=-1)
@click.pass_context
def help_(context: click.Context, command: tuple[str, ...]) -> None:
    """Print the help of a command, such as `experiment sweep`; without arguments that of `othello`."""
    cli.main([*command, "--help"], context.find_root().info_name, standalone_mode=False)


@cli.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell, for its start-up file.

    \b
    ~/.bashrc:                   eval "$(othello completion bash)"
    ~/.zshrc, after compinit:    eval "$(othello completion zsh)"
    ~/.config/fish/config.fish:  othello completion fish | source
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None  # noqa: S101  click knows all of SHELLS
    click.echo(script(cli, {}, "othello", _COMPLETE).source())


def main(*words: str) -> None:
    """Run `othello WORDS...` with the arguments of this process, and exit with the exit code.

    An expected error prints one line on stderr.
    """
    arguments = sys.argv[1:]
    run_and_exit(cli, arguments if arguments == ["--version"] else [*words, *arguments], "othello")


if __name__ == "__main__":
    main()
