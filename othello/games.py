"""`othello games`: games of files, listed, shown, replayed and written in another format."""

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from othello.ending import blaming, reported_errors
from othello.groups import Command, section
from othello.options import DEFAULT_SIZE, check_new_file
from othello.position_argument import position_argument
from othello.unreadable_games import tell_left_out
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from console.plain.terminal import Terminal
    from game.records import Entry
    from game.records.selection import Numbered


@click.command(cls=Command)
@position_argument("what", "FILE...|MOVES")
@section(
    "Which games",
    click.option(
        "--number", type=click.IntRange(1), help="Only this game, counted from 1 through all files."
    ),
    click.option(
        "--player", default="", metavar="NAME", help="Only games of a player whose name has this in it."
    ),
    click.option(
        "--event", default="", metavar="NAME", help="Only games of a tournament whose name has this in it."
    ),
    click.option("--from", "first_year", type=int, metavar="YEAR", help="Only games of this year or later."),
    click.option("--to", "last_year", type=int, metavar="YEAR", help="Only games of this year or earlier."),
    click.option(
        "--size",
        default=DEFAULT_SIZE,
        show_default=True,
        help="Length of a side, of MOVES and of .txt files without a size.",
    ),
)
@section(
    "What to do with them",
    click.option(
        "--rows",
        type=click.IntRange(0),
        default=40,
        show_default=True,
        help="Games to list at most; 0: all.",
    ),
    click.option("--show", is_flag=True, help="Show one game: its moves as numbers on a board."),
    click.option("--replay", is_flag=True, help="Show one game, board after board; in a pipe all at once."),
    click.option(
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the games to this new file: .jsonl, .ggf, .wtb, .txt.",
    ),
)
def command(
    what: tuple[str, ...],
    number: int | None,
    player: str,
    event: str,
    first_year: int | None,
    last_year: int | None,
    size: int,
    rows: int,
    show: bool,
    replay: bool,
    output: Path | None,
) -> None:
    """List the games of FILEs, or show, replay or convert them.

    A FILE is a WTHOR database (.wtb, with the names in .jou and .trn files beside it), GGF (.ggf), a
    transcript on each line (.txt), or JSON lines (.jsonl); MOVES are a transcript such as f5d6c3. Games that
    cannot be read are named and left out.
    """
    from experiment.show.wording import plural
    from game.records.selection import Wanted

    if output:
        _check_output(output)
    every = _entries(what, size)
    wanted = Wanted(number, player, event, first_year, last_year)
    with blaming("FILE"):
        found = [*wanted.of(every)]
    if not found:
        raise click.UsageError(
            f"none of {plural(len(every), 'game')} fits --number, --player, --event, --from and --to"
        )
    if output:
        _write(output, found)
    if show or replay:
        _show(found, replay)
    elif not output:
        _list(found, rows)


def _check_output(path: Path) -> None:
    from game.records import check_suffix, files_of

    with blaming("--output"):
        check_suffix(path)
    for file in files_of(path):
        check_new_file(file, "--output")


def _entries(what: Sequence[str], size: int) -> "list[Entry]":
    """Return the games of files, or the one of a transcript, and say which cannot be read."""
    from console.saving import of_text
    from game.board import check_size
    from game.records import SUFFIXES

    with blaming("--size"):
        check_size(size)
    if all(Path(word).suffix.lower() in SUFFIXES for word in what):
        return _of_files([Path(word) for word in what], size)
    with blaming("FILE...|MOVES"):
        return [of_text(" ".join(what), size)]


def _of_files(paths: Sequence[Path], size: int) -> "list[Entry]":
    from game.records import entries, faults_of

    with reported_errors(), blaming("FILE"):
        every = [entry for path in paths for entry in entries(path, size)]
        faults = faults_of(every)
    tell_left_out(faults)
    return every


def _write(path: Path, found: "Sequence[Numbered]") -> None:
    from experiment.show.wording import plural
    from game.records import write

    with reported_errors(), blaming("--output"):
        write(path, [game.record for game in found])
    click.echo(f"{path}: {plural(len(found), 'game')}", err=True)


def _show(found: "Sequence[Numbered]", replay: bool) -> None:
    """Show one game on a sheet, or each of its boards."""
    if len(found) > 1:
        raise click.UsageError(f"{len(found):,} games fit: say which one with --number")
    from rich.console import Console

    from console.game_list import heading, sheet_lines
    from console.plain.terminal import Terminal

    terminal, game = Terminal(Console(highlight=False)), found[0].record.game
    terminal.say(heading(found[0]))
    if replay:
        _replay(found[0], terminal)
        return
    for line in sheet_lines(game, terminal.symbols):
        terminal.say(line)
    terminal.say(game.transcript())


def _replay(game: "Numbered", terminal: "Terminal") -> None:
    from console.plain.replay import Replay

    stepping = Replay(game.record.game, terminal)
    try:
        stepping.play() if sys.stdin.isatty() else stepping.play_whole()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _list(found: "Sequence[Numbered]", rows: int) -> None:
    from console.game_list import list_lines

    shown = found[: rows or None]
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo("\n".join(line[:width] for line in list_lines(shown)))
    if len(shown) < len(found):
        rest = len(found) - len(shown)
        click.echo(f"and {rest:,} more: --rows 0 lists all; --player, --event, --from, --to", err=True)
