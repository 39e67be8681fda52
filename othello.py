"""The console command `othello`: a group that imports a subcommand only when it is called."""

from importlib import import_module

import click

from rlglue.options import run

COMMANDS = {
    "run": ("experiment.__main__", "run", "train: environment, agent and experiment as three processes"),
    "play": ("console.__main__", "main", "play at the console against any opponent or a trained agent"),
    "match": ("experiment.match.__main__", "main", "two players against each other, from many openings"),
    "environment": ("environment.__main__", "main", "serve the Othello environment"),
    "agent": ("agent.__main__", "main", "serve an agent: dqn, or any player as one"),
    "experiment": ("experiment.__main__", "main", "run episodes and write down what happened"),
    "glue": ("rlglue.__main__", "main", "an RL-Glue server alone"),
    "solve": ("game.solver.__main__", "main", "the exact value and the best move of a position"),
    "perft": ("game.perft", "main", "count move paths"),
    "bench": ("rlglue.__main__", "bench", "measure speed on this machine"),
}
"""Subcommand: module, name of its click command there, one line about it."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports them when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for a name that does not exist."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101  a wrong entry in COMMANDS is our own mistake
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Othello reinforcement-learning lab in the RL-Glue style."""


def main() -> None:
    """Run the command line and end the process: one line for a foreseen error, and its exit code."""
    run(cli, name="othello")


if __name__ == "__main__":
    main()
