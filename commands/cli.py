"""The command `othello`, a click group with lazy imports of its commands."""

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

_rlglue = Path(getattr(find_spec("rlglue"), "origin", None) or "rlglue/none").parent
if _rlglue.parent != Path(str(files("othello_lab"))).parent:  # rlglue-py3, or rlglue from PyPI
    raise SystemExit(
        f"Error: another package named rlglue, in {_rlglue}, is in the way of this program's own: "
        f"remove it from PYTHONPATH or uninstall it; programs for it also run with this one"
    )

from othello_lab.commands.errors import run_and_exit  # noqa: E402  only after the check
from othello_lab.commands.options import SETTINGS  # noqa: E402

Sections = Mapping[str, Mapping[str, str]]  # The one-line description of each command, by section and name.


class LazyGroup(click.Group):
    """A click group with lazy imports. A command is the attribute `command` of its module."""

    def __init__(self, sections: Sections, **settings: Any) -> None:
        """Create a group with the commands in `sections`. `settings` are arguments of `click.Group`."""
        super().__init__(**settings)
        self.sections = sections
        names: dict[str, Any] = {name: None for section in sections.values() for name in section}
        self.commands = names

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Without arguments, print the help and exit with code 0."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the help."""
        return [*self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of this name, or return None for an unknown name."""
        if cmd_name in self.commands and not self.commands[cmd_name]:
            self.commands[cmd_name] = import_module(f"othello_lab.commands.{cmd_name}").command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands in each section, without importing the commands."""
        longest = max(map(len, self.commands))
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{longest}}", line) for name, line in commands.items()])


# The sections of the help, with one line about each command.
COMMANDS = {
    "Play": {
        "play": "play against a level from 1 to 10, a player or your own agent",
        "review": "show the value of each move of your game, and what each mistake lost",
        "players": "list the players and evaluators, with their options",
    },
    "Train": {
        "run": "train an agent in three processes over RL-Glue",
        "selfplay": "train by self-play, thousands of games at once",
        "watch": "show a run in the browser while it trains",
        "runs": "list your runs with their state, length and verdict",
        "experiment": "train with your own programs, sweep options, compare runs",
    },
    "Measure": {
        "evaluate": "measure the strength of an agent against many opponents",
        "match": "play two players against each other, from many openings",
        "tournament": "play every player against every other, and rate them",
        "truth": "count the exactly right moves of a player",
        "exercise": "check your answer to an exercise of the lessons",
        "report": "write a run, a tournament or games as one HTML page",
    },
    "Games": {
        "games": "list, show, replay and convert files of games",
        "analyse": "count moves, squares, corners and results of many games",
        "draw": "draw a position or a whole game as a picture",
        "solve": "compute the exact value and the best move of a position",
    },
    "Build on it": {
        "agent": "serve a learner or a player as an agent over RL-Glue",
        "environment": "serve the Othello environment over RL-Glue",
        "glue": "serve RL-Glue for programs that you start yourself",
        "gymnasium": "serve a Gymnasium environment over RL-Glue",
        "engine": "let other programs use a player over GTP or NBoard",
        "perft": "count move paths, to check the rules",
    },
}

cli = LazyGroup(
    COMMANDS,
    help="""Train agents to play Othello, play against them, and measure their strength.

    Begin with `othello play`, `othello run` or `othello evaluate greedy`. `othello COMMAND --help` explains a
    command.
    """,
    context_settings=SETTINGS,
)
click.version_option(package_name="othello-lab", prog_name="othello-lab")(cli)


experiment = LazyGroup(
    {
        "Commands": {
            "train": "train an agent that connects to this command",
            "sweep": "carry out runs that differ in some options, and compare them",
            "compare": "compare several runs in tables and pictures",
        }
    },
    help="Run episodes over RL-Glue and record the results.",
)
cli.add_command(experiment, "experiment")


def main(*prefix: str) -> None:
    """Run `othello PREFIX...` with the arguments of this process, and exit with the command's exit code."""
    arguments = sys.argv[1:]
    run_and_exit(cli, arguments if arguments == ["--version"] else [*prefix, *arguments], "othello")


if __name__ == "__main__":
    main()
