"""The console command `othello`: a group that imports a subcommand only when it is called."""

from importlib import import_module
from typing import Any

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
    "solve": ("console.solve.__main__", "main", "the exact value and the best move of a position"),
    "players": ("game.players.__main__", "main", "list the players and evaluators there are"),
    "perft": ("game.perft", "main", "count move paths"),
}
"""Subcommand: module, name of its click command there, one line about it."""
BENCH = {
    "game": ("game.bench", "main", "moves, games and positions a second"),
    "glue": ("rlglue.__main__", "bench_glue", "steps a second over TCP"),
    "learn": ("agent.bench", "main", "updates a second of the DQN, memory and draws of its replay"),
}
"""The same for the subcommands of `bench`."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports them when they are asked for."""

    def __init__(self, table: dict[str, tuple[str, str, str]], **settings: Any) -> None:  # noqa: ANN401  click's
        """Take a table such as COMMANDS; the rest is click's. Commands may also be added as usual."""
        super().__init__(**settings)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return [*self.table, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for a name that does not exist."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        module, attribute, _ = self.table[cmd_name]
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101  a wrong entry in the table is our own mistake
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        lazy = [(name, line) for name, (_, _, line) in self.table.items()]
        with formatter.section("Commands"):
            formatter.write_dl(lazy + [(name, command.help or "") for name, command in self.commands.items()])


cli = LazyGroup(
    COMMANDS,
    help="Othello reinforcement-learning lab in the RL-Glue style.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
cli.add_command(LazyGroup(BENCH, name="bench", help="measure speed on this machine"))


def main() -> None:
    """Run the command line and end the process: one line for a foreseen error, and its exit code."""
    run(cli, name="othello")


if __name__ == "__main__":
    main()
