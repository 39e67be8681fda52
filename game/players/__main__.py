"""The command `players`: what a registry text may say."""

from importlib.metadata import entry_points
from itertools import groupby
from typing import Any

import click


@click.command("players")
def main() -> None:
    """List the players and evaluators that texts such as alphabeta:depth=4,eval=positional are made of."""
    # Imported here so that --help does not wait for numba.
    from game.evaluators.registry import EVALUATORS
    from game.players.registry import PLAYERS

    click.echo("Players: NAME or NAME:ARGUMENT, then ,OPTION=VALUE (default); values with commas in [ ].")
    _list(PLAYERS)
    click.echo("\nEvaluators, for eval= of the players that search:")
    _list(EVALUATORS)


def _list(registry: Any) -> None:  # noqa: ANN401  Registry: its type would have to be imported above
    """Print every name with its line, and below what has the same options those."""
    for _, group in groupby(registry.entries.items(), lambda item: tuple(item[1].options.items())):
        for name, entry in group:
            _row(f"{name}:{entry.argument}" if entry.argument else name, entry.line)
        for key, takes in entry.options.items():
            _row(f"  {key}=", takes)
    for found in entry_points(group=registry.group):
        _row(found.name, f"of another package: {found.value}")


def _row(left: str, right: str) -> None:
    click.echo(f"  {left:28}  {right}")


if __name__ == "__main__":
    main()
