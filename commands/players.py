"""`othello players`: what texts such as alphabeta:depth=4,eval=positional are made of."""

import ast
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

_COLUMN = 30
"""Letters of a name, at most, beside which its line stands."""
_UNBROKEN = 1000
"""Letters of a line where no terminal breaks it."""


@click.command()
def command() -> None:
    """List the players and evaluators, with the options that each of them takes.

    They are written as in alphabeta:depth=4,eval=positional, wherever a command takes a player.
    """
    # Imported here so that --help does not wait for numba.
    from othello_lab.game.evaluators.catalogue import EVALUATORS
    from othello_lab.game.players.catalogue import KINDS, PLAYERS

    lists = click.HelpFormatter(width=get_terminal_size().columns if sys.stdout.isatty() else _UNBROKEN)
    lists.write_text(
        "A player is written NAME or NAME:ARGUMENT, then ,OPTION=VALUE. Defaults stand here in ( ); a "
        "value that has commas stands in [ ]."
    )
    for title, names in KINDS.items():
        _write(lists, title, _rows({name: PLAYERS.own(name) for name in names}))
    _write(lists, "Players that were trained, and those of other packages", _announced(PLAYERS.group))
    evaluators = [
        *_rows({name: EVALUATORS.own(name) for name in EVALUATORS.entries}),
        *_announced(EVALUATORS.group),
    ]
    _write(lists, "Evaluators, for eval= of the players that look further", evaluators)
    click.echo(lists.getvalue(), nl=False)


def _write(lists: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    with lists.section(title):
        lists.write_dl(rows, col_max=_COLUMN)


def _rows(
    entries: Mapping[str, Any],
) -> list[tuple[str, str]]:  # Entry: its type would have to be imported above
    """Return every name with its line, and below what has the same options those."""
    rows = []
    for _, group in groupby(entries.items(), lambda item: tuple(item[1].options.items())):
        for name, entry in group:
            rows.append((f"{name}:{entry.argument}" if entry.argument else name, entry.line))
        rows += [(f"  {key}=", takes) for key, takes in entry.options.items()]
    return rows


def _announced(group: str) -> list[tuple[str, str]]:
    """Return the names that packages announce with the line about each; those of a file share a row."""
    found: dict[str, list[str]] = {}
    for point in entry_points(group=group):
        found.setdefault(_about(point), []).append(point.name)
    return [(", ".join(names), line) for line, names in found.items()]


def _about(found: EntryPoint) -> str:
    """Return the first line of the module of an entry point, read without importing it: that may be slow."""
    spec = find_spec(found.module)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return f"of another package: {found.value}"
    text = ast.get_docstring(ast.parse(Path(spec.origin).read_text("utf-8"))) or found.value
    return text.partition("\n")[0]
