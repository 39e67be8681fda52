"""Checks of command-line arguments: players, agents, board sizes and files."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello_lab.commands.errors import blaming

if TYPE_CHECKING:
    from othello_lab.experiment.run.player_names import Named
    from othello_lab.game.records import Record, RecordError


def named(text: str, runs_dir: Path, argument: str) -> "Named":
    """Return the player that a text names. Raises click.BadParameter about `argument` for an invalid text."""
    from othello_lab.agent.trained import board_size
    from othello_lab.experiment.run.player_names import find

    with blaming(argument):
        return find(text, runs_dir, board_size)


def chosen_size(size: int | None, *players: "Named") -> int:
    """Return `size`. If `size` is None, return the first size that a player requires, or the default."""
    from othello_lab.experiment.run.player_names import board_for

    with blaming("--size"):
        return board_for(players, size)


def check_player(option: str, text: str, size: int) -> None:
    """Raise click.BadParameter about `option` if a player does not support boards of `size`."""
    from othello_lab.game.catalogue import make

    with blaming(option):
        make(text, size).close()


def check_new_file(path: Path, option: str) -> None:
    """Raise click.BadParameter if a file already exists, or if its folder does not exist."""
    if os.path.exists(path):  # Path.exists raises for a very long name
        raise click.BadParameter(f"{path} exists: name a new file", param_hint=option)
    check_folder(path, option)


def check_folder(path: Path, option: str) -> None:
    """Raise click.BadParameter if the folder of a file does not exist."""
    if not os.path.isdir(path.parent):
        raise click.BadParameter(f"there is no folder {path.parent}", param_hint=option)


def check_new_records(path: Path, option: str, size: int | None = None) -> None:
    """Raise click.BadParameter if `path` is not a valid new file for games on boards of `size`."""
    from othello_lab.game.records import check_suffix, files_of

    with blaming(option):
        check_suffix(path, size)
    for file in files_of(path):
        check_new_file(file, option)


def write_records(path: Path, records: "Iterable[Record]") -> None:
    """Write games to a file. Raises click.ClickException if the file cannot be written."""
    from othello_lab.game.records import RecordError, write

    try:
        write(path, records)
    except (OSError, RecordError) as error:
        raise click.ClickException(f"the games were not written: {error}") from None


def report_left_out(faults: "Sequence[RecordError]") -> None:
    """Print the first errors of unreadable games, and the number of further errors, on stderr."""
    from othello_lab.game.records.record import first_few

    for line in first_few(faults):
        click.echo(line, err=True)
