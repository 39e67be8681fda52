"""The comparison in numbers: for the terminal, and for a README."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.table import Table as RichTable

from experiment.compare.sweep.comparison import Group, Matchup, matchups
from experiment.compare.sweep.policies import PER_POLICY, PolicyResult, by_opponent, scores
from experiment.show.display.titled_table import titled_table
from experiment.study.statistics.means import difference
from experiment.study.statistics.runs import OVER_RUNS

_COLUMNS = ("run", "seeds", "won %", "95 %", "min", "max", "games")
_PAIR = 2
"""This many groups are compared: of more nobody asks for every difference."""
_POLICY_COLUMNS = ("run", "seeds", "after", "score", "95 %")


class Table(NamedTuple):
    """How the variants did against one opponent."""

    title: str
    columns: Sequence[str]
    """Headings; the first column is text, the others are numbers."""
    rows: Sequence[Sequence[str]]
    says: str
    """What its intervals are."""


def tables(groups: Sequence[Group]) -> list[Table]:
    """Return a table for each board and opponent; only groups that met it are in it."""
    return [
        Table(
            f"Won {matchup}".strip(),
            _COLUMNS,
            _rows([group for group in groups if group.against(matchup)], matchup),
            OVER_RUNS,
        )
        for matchup in matchups(groups)
    ]


def _rows(groups: Sequence[Group], matchup: Matchup) -> list[list[str]]:
    """Return a row for each group, and of two their difference."""
    rows = [_row(group, matchup) for group in groups]
    if len(groups) == _PAIR:
        apart = difference(*(group.estimate(matchup) for group in groups))
        low, high = (100 * end for end in apart.interval)
        share = f"{100 * apart.value:+.1f}"
        rows.append(["the first minus the second", "", share, f"{low:+.1f} to {high:+.1f}", "", "", ""])
    return rows


def policy_tables(results: Sequence[PolicyResult]) -> list[Table]:
    """Return a table for each opponent that the kept policies of runs were matched with."""
    found = by_opponent(results)
    return [
        Table(f"Score against {opponent}", _POLICY_COLUMNS, _policy_rows(own), PER_POLICY)
        for opponent, own in found.items()
    ]


def _policy_rows(results: Sequence[PolicyResult]) -> list[list[str]]:
    rows = list[list[str]]()
    for group in dict.fromkeys(result.policy.group for result in results):
        own = [result for result in results if result.policy.group == group]
        for episode, found in scores(own).items():
            seeds = sum(result.policy.episode == episode for result in own)
            low, high = found.interval
            rows.append([group, str(seeds), f"{episode:,}", f"{found.value:.3f}", f"{low:.3f}-{high:.3f}"])
    return rows


def _row(group: Group, matchup: Matchup) -> list[str]:
    found, finals = group.estimate(matchup), group.finals(matchup)
    games = sum(tally.games for tally in finals)
    rates = [tally.win_rate for tally in finals]
    low, high = found.interval
    return [
        group.name,
        str(len(finals)),
        f"{100 * found.value:.1f}",
        f"{100 * low:.1f}-{100 * high:.1f}",
        f"{100 * min(rates):.1f}",
        f"{100 * max(rates):.1f}",
        f"{games:,}",
    ]


def rich_table(table: Table) -> RichTable:
    """Return it for a terminal."""
    drawn = titled_table(table.title)
    for place, heading in enumerate(table.columns):
        drawn.add_column(heading, justify="right" if place else "left", no_wrap=place > 0, overflow="fold")
    for row in table.rows:
        drawn.add_row(*row)
    return drawn


def markdown(table: Table) -> str:
    """Return it as Markdown, with what it says above it."""
    lines = [_line(table.columns), "|---" + "|---:" * (len(table.columns) - 1) + "|", *map(_line, table.rows)]
    return "\n".join([f"{table.title}, {table.says}:", "", *lines])


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
