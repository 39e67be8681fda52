"""The terminal that a run writes to, which may be closed, and tables as text."""

import errno
import sys
from collections.abc import Iterator
from typing import TextIO, cast

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from othello_lab.experiment.show.tables import Table
from rlglue.messages import truncate_middle


def console() -> Console:
    """Return a console on stdout that goes on when its terminal is gone."""
    return Console(file=cast(TextIO, _Lasting(sys.stdout)))


class _Lasting:
    """A text file; what a closed terminal would not take is dropped."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        """Write; return how much was taken."""
        try:
            return self._file.write(text)
        except OSError as error:
            _raise_unless_gone(error)
            return len(text)

    def flush(self) -> None:
        """Write what is held back."""
        try:
            self._file.flush()
        except OSError as error:
            _raise_unless_gone(error)


def _raise_unless_gone(error: OSError) -> None:
    if error.errno != errno.EIO:  # what the system answers for a terminal that is closed
        raise error


_SHORTEST, _LONGEST = 14, 34
"""Letters of a name beside a matrix."""


def grid(table: Table) -> Grid:
    """Return a table for rich: its title above it, flush left, and a line under the headings.

    The first column is broken into lines where there is no room for it.
    """
    drawn = Grid(
        title=f"\n{escape(table.title)}" if table.title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for place, column in enumerate(table.shown):
        drawn.add_column(
            escape(column.heading),
            justify="right" if column.number else "left",
            no_wrap=place > 0,
            overflow="fold",
        )
    for row in table.cells:
        drawn.add_row(*map(escape, row))
    return drawn


def lines(table: Table) -> Iterator[str]:
    """Yield a table as plain text: the places of the rows first, and their names last, however long."""
    rows = [[column.heading for column in table.shown], *table.cells]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for place, (name, *cells) in enumerate(rows):
        number = f"{place or '#':>3}"
        yield "  ".join([number, *map(str.rjust, cells, widths[1:]), name])


def matrix_lines(table: Table, width: int) -> Iterator[str]:
    """Yield a matrix as plain text, in as many blocks of columns as a line of `width` makes necessary."""
    yield table.title
    names, rows = [cells[0] for cells in table.cells], [cells[1:] for cells in table.cells]
    count = len(names)
    across = 2 + max(len(f"{count}"), *(len(cell) for row in rows for cell in row))
    at_once = max(1, min(count, (width - 4 - _SHORTEST) // across))
    room = max(_SHORTEST, min(_LONGEST, max(map(len, names)), width - 4 - at_once * across))
    for begin in range(0, count, at_once):
        block = slice(begin, begin + at_once)
        numbers = "".join(f"{place + 1:{across}}" for place in range(count)[block])
        yield " " * (room + 4) + numbers
        for place, name in enumerate(names):
            cells = "".join(f"{cell:>{across}}" for cell in rows[place][block])
            yield f"{place + 1:3} {truncate_middle(name, room):{room}}{cells}"
