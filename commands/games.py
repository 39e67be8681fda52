"""`othello games`: list, show and convert the games of files."""

import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import check_new_records, report_left_out
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number
from othello_lab.experiment.show.wording import plural

if TYPE_CHECKING:
    from othello_lab.game.records import Entry, Record

# ASCII replacements for letters that Unicode cannot decompose. casefold() converts the sharp s to ss.
_WHOLE_LETTERS: Final = str.maketrans("øłđðħŧ\u0131", "olddhti") | {
    ord(letter): letters for letter, letters in {"þ": "th", "æ": "ae", "œ": "oe"}.items()
}


def _name(text: str) -> Any:
    return option(text, default="", show_default=False, metavar="NAME")


@options
class _Options:
    what: tuple[str, ...] = a_position("FILE...|MOVES")
    number: int | None = whole_number(
        "Select only the game with this number. Numbers start at 1 and continue from file to file.",
        lowest=1,
        section="Which games",
    )
    player: str = _name("Select only games of players whose name contains this text.")
    event: str = _name("Select only games of tournaments whose name contains this text.")
    opening: str = _name(
        "Select only games with this opening. A unique part of the opening's name is enough."
    )
    since: int | None = option("Select only games of this year or later.", metavar="YEAR")
    until: int | None = option("Select only games of this year or earlier.", metavar="YEAR")
    size: int = fields.size("Board size of MOVES, and of games in FILE that do not state a size.")
    rows: int = whole_number(
        "Maximum number of games in the list. With 0, list all games.",
        default=40,
        section="What to do with them",
    )
    by_opening: bool = option("For each opening, print the number of games and the results of black.")
    show: bool = option("Show the moves of one game as numbers on a board.")
    output: Path | None = option(
        "Write the games to this new file (.jsonl, .ggf, .wtb or .txt).", type=fields.FILE
    )


@takes(_Options)
def command(options: _Options) -> None:
    """List, show or convert the games of FILEs.

    FILE is a WTHOR database (.wtb), GGF (.ggf), SGF (.sgf), PGN (.pgn), JSON lines (.jsonl) or text (.txt). A
    text file has one transcript or position on each line, or games in a text format such as GGF. The names in
    a WTHOR database come from .jou and .trn files in the same folder. MOVES is a transcript such as f5d6c3.
    The command reports the games that it cannot read, and leaves them out.
    """
    from othello_lab.game.openings import find_name
    from othello_lab.game.records import write

    if options.output:
        check_new_records(options.output, "--output")
    every = _entries(options.what, options.size)
    with blaming("--opening"):
        opening = find_name(options.opening) if options.opening else ""
    with blaming("FILE"):
        records = _selected(every, options, opening)
    if not every:
        raise click.UsageError(f"there is no game in {', '.join(options.what)}")
    if not records:
        choices = "--number, --player, --event, --opening, --since and --until"
        raise click.UsageError(f"none of {plural(len(every), 'game')} fits {choices}")
    if options.output:
        with blaming("--output"):
            write(options.output, records.values())
        click.echo(f"{options.output}: {plural(len(records), 'game')}", err=True)
    if options.show:
        _show(records)
    elif options.by_opening:
        _count(records)
    elif not options.output:
        _list(records, options.rows)


def _entries(what: Sequence[str], size: int) -> "list[Entry]":
    from othello_lab.console.files import names_file, of_text
    from othello_lab.game.records import entries, faults_of

    if not all(map(names_file, what)):
        with blaming("FILE...|MOVES"):
            return [of_text(" ".join(what), size)]
    with blaming("FILE"):
        every = [entry for path in what for entry in entries(Path(path), size)]
        faults = faults_of(every)
    report_left_out(faults)
    return every


def _show(records: "dict[int, Record]") -> None:
    if len(records) > 1:
        raise click.UsageError(f"{len(records):,} games fit: say which one with --number")
    from othello_lab.console.recorded import heading, sheet_lines
    from othello_lab.console.terminal import Terminal

    terminal, ((number, record),) = Terminal(Console(highlight=False)), records.items()
    terminal.say(heading(number, record))
    for line in sheet_lines(record.game, terminal.symbols):
        terminal.say(line)
    terminal.say(record.game.transcript())


def _count(records: "dict[int, Record]") -> None:
    from othello_lab.experiment.show.record_tables import opening_table
    from othello_lab.experiment.show.tables import grid

    table = opening_table([*records.values()])
    if not table.rows:
        raise click.UsageError(f"no opening of {plural(len(records), 'game')} with a result has a name")
    console = Console(highlight=False)
    console.print(grid(table))
    console.print(table.says)


def _list(records: "dict[int, Record]", rows: int) -> None:
    from othello_lab.console.recorded import list_lines

    first = dict([*records.items()][: rows or None])
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo("\n".join(line[:width] for line in list_lines(first)))
    if rest := len(records) - len(first):
        fewer = "--player, --event, --opening, --since, --until"
        click.echo(f"and {rest:,} more: --rows 0 lists all; {fewer}", err=True)


def _selected(every: "Sequence[Entry]", options: _Options, opening: str) -> "dict[int, Record]":
    """Return the games that fit the options, by number from 1. Raises RecordError for an unreadable game."""
    from othello_lab.game.records import RecordError

    records: dict[int, Record] = {}
    for number, entry in enumerate(every, 1):
        if options.number not in (None, number):
            continue
        if not isinstance(entry, RecordError):
            if _fits(entry, options, opening):
                records[number] = entry
        elif options.number:
            raise entry
    return records


def _fits(record: "Record", options: _Options, opening: str) -> bool:
    from othello_lab.game.openings import names_along

    since, until, year = options.since, options.until, record.year
    return (
        (_is_part(options.player, record.black) or _is_part(options.player, record.white))
        and _is_part(options.event, record.event)
        and (since is until is None or (year is not None and (since or year) <= year <= (until or year)))
        and (not opening or opening in names_along(record.game).values())
    )


def _is_part(part: str, text: str) -> bool:
    return not part or _plain(part) in _plain(text)


def _plain(text: str) -> str:
    """Return a text in lower case without accents, because some files write names without accents."""
    letters = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain.casefold().translate(_WHOLE_LETTERS)
