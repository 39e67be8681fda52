"""`othello players`: what texts such as alphabeta:depth=4,eval=positional are made of."""

import ast
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import click


@click.command()
def command() -> None:
    """List the players and evaluators, with the options that each of them takes.

    They are written as in alphabeta:depth=4,eval=positional, wherever a command takes a player.
    """
    # Imported here so that --help does not wait for numba.
    from game.evaluators.catalogue import EVALUATORS
    from game.players.catalogue import PLAYERS

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
        _row(found.name, _about(found))


def _about(found: EntryPoint) -> str:
    """Return the first line of the module of an entry point, read without importing it: that may be slow."""
    spec = find_spec(found.module)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return f"of another package: {found.value}"
    text = ast.get_docstring(ast.parse(Path(spec.origin).read_text("utf-8"))) or found.value
    return text.partition("\n")[0]


def _row(left: str, right: str) -> None:
    click.echo(f"  {left:28}  {right}")
