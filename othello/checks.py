"""Checks of what was typed, before anything is played or written: they raise click.BadParameter."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.ending import blaming
from othello.shared_options import DEFAULT_SIZE


def checked_size(size: int) -> int:
    """Return the size of a board if there are such boards."""
    from game.board import check_size

    with blaming("--size"):
        check_size(size)
    return size


def board_size(said: int | None, *players: "Named") -> int:
    """Return the size that is said, else that of the first player who has one, else the usual one."""
    return checked_size(said or next((each.size for each in players if each.size), DEFAULT_SIZE))


def check_player(word: str, text: str, size: int) -> None:
    """See to it that a player, named by that option or argument, can play on boards of `size`."""
    from game.players import make

    with blaming(word):
        make(text, size).close()


def check_new_file(path: Path, option: str) -> None:
    """See to it that a file is not there yet, and its folder is."""
    if path.exists():
        raise click.BadParameter(f"{path} exists: name a new file", param_hint=option)
    check_folder(path, option)


def check_folder(path: Path, option: str) -> None:
    """See to it that the folder of a file is there."""
    if not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder {path.parent}", param_hint=option)


def check_new_records(path: Path, option: str, size: int | None = None) -> None:
    """See to it that games can be written to a new file, of boards of `size` where that is known."""
    from game.records import check_suffix, files_of

    with blaming(option):
        check_suffix(path, size)
    for file in files_of(path):
        check_new_file(file, option)


if TYPE_CHECKING:
    from experiment.run.results.player_names import Named
    from game.records import RecordError


def tell_left_out(faults: "Sequence[RecordError]") -> None:
    """Say on stderr which games of files are left out."""
    from game.records.selection import left_out

    for line in left_out(faults):
        click.echo(line, err=True)
