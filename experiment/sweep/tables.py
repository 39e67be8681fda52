"""The comparison in numbers: for the terminal, and for a README."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.table import Table as RichTable

from experiment.sweep.results import Group, opponents

INTERVAL = "95 % interval over the seeds (Student's t)"
_COLUMNS = ("variant", "seeds", "won %", "min", "max", "games")


class Table(NamedTuple):
    """How the variants did against one opponent."""

    title: str
    rows: Sequence[Sequence[str]]


def tables(groups: Sequence[Group]) -> list[Table]:
    """Return a table for each opponent; only variants that met it are in it."""
    return [
        Table(
            f"Won against {opponent}" if opponent else "Won",
            [_row(group, opponent) for group in groups if group.against(opponent)],
        )
        for opponent in opponents(groups)
    ]


def _row(group: Group, opponent: str) -> list[str]:
    found, finals = group.estimate(opponent), group.finals(opponent)
    half = "" if found.half is None else f" ± {100 * found.half:.1f}"
    games = sum(tally.games for tally in finals)
    return [
        group.name,
        str(len(finals)),
        f"{100 * found.mean:.1f}{half}",
        f"{100 * found.lowest:.1f}",
        f"{100 * found.highest:.1f}",
        f"{games:,}",
    ]


def rich_table(table: Table) -> RichTable:
    """Return it for a terminal."""
    drawn = RichTable(title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE)
    for place, heading in enumerate(_COLUMNS):
        drawn.add_column(heading, justify="right" if place else "left", no_wrap=place > 0, overflow="fold")
    for row in table.rows:
        drawn.add_row(*row)
    return drawn


def markdown(table: Table) -> str:
    """Return it as Markdown, with what it says above it."""
    lines = [_line(_COLUMNS), "|---" + "|---:" * (len(_COLUMNS) - 1) + "|", *map(_line, table.rows)]
    return "\n".join([f"{table.title}, ± {INTERVAL}:", "", *lines])


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
