"""`othello games`: games of files, listed, shown, replayed and written in another format."""

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from othello_lab.commands.checks import check_new_records, tell_left_out
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number
from othello_lab.commands.reporting import reported_errors
from othello_lab.commands.shared_options import FILE, board_size
from othello_lab.experiment.show.wording import plural
from othello_lab.game.notation import USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.game.records import Entry, Record


def _name(text: str) -> Any:  # noqa: ANN401  a str
    return option(text, default="", show_default=False, metavar="NAME")


@options
class _Options:
    what: tuple[str, ...] = a_position("FILE...|MOVES")
    number: int | None = whole_number(
        "Only this game, counted from 1 through all files.", lowest=1, section="Which games"
    )
    player: str = option(
        "Only games of a player whose name has this in it.", metavar="NAME", default="", show_default=False
    )
    event: str = _name("Only games of a tournament whose name has this in it.")
    opening: str = option(
        "Only games that go through this opening: its name, or a part of no other.",
        metavar="NAME",
        default="",
        show_default=False,
    )
    first_year: int | None = option("Only games of this year or later.", "--from", metavar="YEAR")
    last_year: int | None = option("Only games of this year or earlier.", "--to", metavar="YEAR")
    size: int = board_size(
        "Length of a side, of MOVES and of files that do not say theirs.", default=USUAL_SIZE
    )
    rows: int = whole_number("Games to list at most; 0: all.", default=40, section="What to do with them")
    by_opening: bool = option("Count the games of each opening: how many, and how black did in them.")
    show: bool = option("Show one game: its moves as numbers on a board.")
    replay: bool = option("Show one game, board after board; in a pipe all at once.")
    output: Path | None = option("Write the games to this new file: .jsonl, .ggf, .wtb, .txt.", type=FILE)


@takes(_Options)
def command(said: _Options) -> None:
    """List the games of FILEs, or show, replay or convert them.

    A FILE is a WTHOR database (.wtb, with the names in .jou and .trn files beside it), GGF (.ggf), SGF
    (.sgf), PGN (.pgn), JSON lines (.jsonl), or text (.txt): a transcript or a position on each line, or any
    other text format. MOVES are a transcript such as f5d6c3. The command names the games that it cannot
    read and leaves them out.
    """
    from othello_lab.game.records.record import GameFilter

    if said.output:
        check_new_records(said.output, "--output")
    every = entries_of(said.what, said.size)
    opening = _opening(said.opening)
    conditions = GameFilter(said.number, said.player, said.event, said.first_year, said.last_year, opening)
    with blaming("FILE"):
        found = conditions.select(every)
    if not every:
        raise click.UsageError(f"there is no game in {', '.join(said.what)}")
    if not found:
        choices = "--number, --player, --event, --opening, --from and --to"
        raise click.UsageError(f"none of {plural(len(every), 'game')} fits {choices}")
    if said.output:
        _write(said.output, found)
    if said.show or said.replay:
        _show(found, said.replay)
    elif said.by_opening:
        _count(found)
    elif not said.output:
        _list(found, said.rows)


def _opening(text: str) -> str:
    """Return the name of the opening that is meant, "" for any; raise click.BadParameter."""
    from othello_lab.game.openings import find_name

    with blaming("--opening"):
        return find_name(text) if text else ""


def entries_of(what: Sequence[str], size: int) -> "list[Entry]":
    """Return the games of files, or the one of a transcript, and say which cannot be read."""
    from othello_lab.console.files import names_file, of_text

    if all(map(names_file, what)):
        return _of_files([Path(word) for word in what], size)
    with blaming("FILE...|MOVES"):
        return [of_text(" ".join(what), size)]


def _of_files(paths: Sequence[Path], size: int) -> "list[Entry]":
    from othello_lab.game.records import entries, faults_of

    with reported_errors(), blaming("FILE"):
        every = [entry for path in paths for entry in entries(path, size)]
        faults = faults_of(every)
    tell_left_out(faults)
    return every


def _write(path: Path, found: "dict[int, Record]") -> None:
    from othello_lab.game.records import write

    with reported_errors(), blaming("--output"):
        write(path, found.values())
    click.echo(f"{path}: {plural(len(found), 'game')}", err=True)


def _show(found: "dict[int, Record]", replay: bool) -> None:
    """Show one game on a sheet, or each of its boards."""
    if len(found) > 1:
        raise click.UsageError(f"{len(found):,} games fit: say which one with --number")
    from othello_lab.console.recorded import Replay, heading, sheet_lines
    from othello_lab.console.terminal import Terminal

    terminal, ((number, record),) = Terminal(Console(highlight=False)), found.items()
    terminal.say(heading(number, record))
    if replay:
        stepping = Replay(record.game, terminal)
        stepping.play() if sys.stdin.isatty() else stepping.play_whole()
        return
    for line in sheet_lines(record.game, terminal.symbols):
        terminal.say(line)
    terminal.say(record.game.transcript())


def _count(found: "dict[int, Record]") -> None:
    """Print how often each opening was played, and how black did."""
    from othello_lab.experiment.show.record_tables import opening_table
    from othello_lab.experiment.show.tables import grid

    table = opening_table([*found.values()])
    if not table.rows:
        raise click.UsageError(f"no opening of {plural(len(found), 'game')} with a result has a name")
    console = Console(highlight=False)
    console.print(grid(table))
    console.print(table.says)


def _list(found: "dict[int, Record]", rows: int) -> None:
    from othello_lab.console.recorded import list_lines

    shown = dict([*found.items()][: rows or None])
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo("\n".join(line[:width] for line in list_lines(shown)))
    if len(shown) < len(found):
        rest = len(found) - len(shown)
        click.echo(
            f"and {rest:,} more: --rows 0 lists all; --player, --event, --opening, --from, --to", err=True
        )
