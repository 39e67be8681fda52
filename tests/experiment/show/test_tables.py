from collections.abc import Callable
from io import StringIO
from typing import NamedTuple

import pytest
from rich.console import Console

from othello_lab.experiment.show.pages.page import Page, Section, html_of
from othello_lab.experiment.show.tables import Column, Table, as_csv, as_json, as_markdown, grid, lines


class Thing(NamedTuple):
    name: str
    share: float | None
    games: int


THINGS = [Thing("one[b]", 0.5, 12_000), Thing("two", None, 3)]
COLUMNS: tuple[Column[Thing], ...] = (
    Column("player", lambda it: it.name),
    Column("won %", lambda it: it.share and 100 * it.share, "{:.1f}".format, key="share"),
    Column("", lambda it: it.games, key="games"),
)
TABLE = Table.of("Title", COLUMNS, THINGS, "says")


def on_a_terminal(table: Table) -> str:
    file = StringIO()
    Console(file=file, width=80).print(grid(table))
    return file.getvalue()


def on_a_page(table: Table) -> str:
    return html_of(Page("page", "", (), [Section("section", tables=[table])]))


MEDIA: dict[str, Callable[[Table], str]] = {
    "terminal": on_a_terminal,
    "lines": lambda table: "\n".join(lines(table)),
    "page": on_a_page,
    "markdown": as_markdown,
    "csv": as_csv,
    "json": lambda table: str(as_json(table)),
}


@pytest.mark.parametrize("medium", MEDIA)
def test_a_further_column_is_one_line_and_in_every_medium(medium: str) -> None:
    more = Table.of("Title", (*COLUMNS, Column("letters", lambda it: len(it.name), "{}".format)), THINGS)
    assert "letters" not in MEDIA[medium](TABLE)
    assert "letters" in MEDIA[medium](more)


def test_persons_read_headings_and_programs_keys() -> None:
    assert [line.split() for line in lines(TABLE)] == [
        ["#", "won", "%", "player"],
        ["1", "50.0", "one[b]"],
        ["2", "-", "two"],
    ]
    assert "one[b]" in on_a_terminal(TABLE)
    assert as_csv(TABLE) == "player,share,games\none[b],50.0,12000\ntwo,,3\n"
    assert TABLE.records[1] == {"player": "two", "share": None, "games": 3}
