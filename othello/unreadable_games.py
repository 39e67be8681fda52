"""The words about games that cannot be read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from game.records import RecordError


def tell_left_out(faults: "Sequence[RecordError]") -> None:
    """Say on stderr which games of files are left out."""
    from game.records.selection import left_out

    for line in left_out(faults):
        click.echo(line, err=True)
