"""`othello book`: a book of openings, made, extended, merged and shown."""

import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from othello_lab.commands.checks import check_folder, checked_size, tell_left_out
from othello_lab.commands.ending import blaming, interruptible, reported_errors
from othello_lab.commands.openings import Openings, OpeningsText, lines_of
from othello_lab.commands.options import Number, argument, option, options, takes, whole_number
from othello_lab.commands.shared_options import DEFAULT_SIZE, FILE, a_seed, a_size
from othello_lab.experiment.show.wording import plural

if TYPE_CHECKING:
    from othello_lab.game import Game
    from othello_lab.game.book import Book

_SAVED_EVERY: Final = 5.0
"""Seconds."""


@options
class _Options:
    book: Path = argument(metavar="BOOK", type=FILE)
    games: tuple[Path, ...] = argument(metavar="[FILE]...", nargs=-1, type=FILE)
    least: int = whole_number(
        "Add the positions that are in N of the games of FILEs or more.",
        "--in-games",
        default=1,
        lowest=1,
        metavar="N",
        section="What to add",
    )
    selfplay: int = whole_number(
        "Play N lines against itself and add their positions: moves of the book by lot, the better the more "
        "often, then the best of what is new.",
        default=0,
        metavar="N",
        show_default=False,
    )
    spread: float = option(
        "In these lines a move that is worse by this many discs is played a third as often as the best.",
        default=1.0,
        type=Number(0.01, 64),
        metavar="DISCS",
    )
    openings: Openings = option(
        "Begin these lines in turn from N of the openings, those of a FILE, or XOT: as `othello match`.  "
        "[default: the standard start]",
        default=0,
        type=OpeningsText(),
        metavar="N|FILE|xot",
        show_default=False,
    )
    seed: int = a_seed()
    merge: tuple[Path, ...] = option(
        "Add what this book says. Several are allowed.", type=FILE, metavar="BOOK"
    )
    plies: int = whole_number(
        "Add positions of the first P plies of a game.",
        default=16,
        lowest=1,
        highest=60,
        metavar="P",
        section="How much",
    )
    nodes: int = whole_number(
        "Look at N positions for each that is added.", default=200_000, lowest=1, highest=10**9, metavar="N"
    )
    positions: int = whole_number(
        "Add nothing once the book has N positions.", default=50_000, highest=200_000, metavar="N"
    )
    size: int | None = a_size("the book's")
    show: str | None = option(
        "Show what the book says here: moves, or a position.",
        metavar="MOVES|POSITION",
        section="What to show",
    )


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Make or extend BOOK, a text file of openings with the value of each move in discs, or show it.

    Positions come from FILEs of games (any that `othello games` reads) and from lines of self-play; search
    values their moves, and a move is worth what its best continuation is worth. What BOOK has already stays,
    so an interrupted command goes on when it is given again. `search:book=BOOK` and `level:8,book=BOOK` play
    by it.
    """
    is_made = bool(said.games or said.selfplay or said.merge)
    book = _made(said) if is_made else _read(said.book, "BOOK", said.size)
    if said.show is not None:
        _show(book, said.show)
    else:
        _tell(book, said.book)


def _made(said: _Options) -> "Book":
    """Return the book with what was asked for; no other process makes it at the same time."""
    from othello_lab.experiment.run.lock import held

    check_folder(said.book, "BOOK")
    with reported_errors(), held(said.book):
        book = _read(said.book, "BOOK", said.size) if said.book.exists() else _new(said)
        _make(book, said)
    return book


def _new(said: _Options) -> "Book":
    from othello_lab.game.book import Book

    with blaming("--size"):
        return Book(checked_size(DEFAULT_SIZE if said.size is None else said.size))


def _read(path: Path, argument: str, size: int | None) -> "Book":
    """Return the book of a file; raise click.BadParameter about that argument."""
    from othello_lab.game.book_file import read_book

    with blaming(argument):
        book = read_book(path)
    if size not in (None, book.size):
        raise click.BadParameter(f"{path} is for {book.size}x{book.size}", param_hint="--size")
    return book


def _make(book: "Book", said: _Options) -> None:
    """Add what is asked for, and write the book now and then and in any case at the end."""
    from othello_lab.game.book_building import Builder

    others = [_read(path, "--merge", book.size) for path in said.merge]
    games, starts = _games(said.games, book.size), lines_of(said.openings, book.size)
    builder = Builder(book, said.plies, said.nodes, said.positions)
    with interruptible() as interrupts, _Saving(book, said.book) as saving:
        interrupts.patient, interrupts.on_request = True, builder.stop
        for other in others:
            book.merge(other)
        wanted = builder.missing(games, said.least)
        saving.through(builder.search_all(wanted), len(wanted), "position")
        saving.through(builder.selfplay(said.selfplay, starts, said.spread, said.seed), said.selfplay, "line")
        if not interrupts.requested:
            builder.count(games)
    if len(book) >= said.positions:
        click.echo(f"--positions: no more are added to {plural(len(book), 'position')}", err=True)


class _Saving:
    """A context at whose end a book is written, and every few seconds before."""

    def __init__(self, book: "Book", path: Path) -> None:
        self._book, self._path, self._written = book, path, time.monotonic()

    def __enter__(self) -> "_Saving":
        return self

    def __exit__(self, *exception: object) -> None:
        self._write()

    def through(self, steps: Iterable[object], total: int, what: str) -> None:
        """Do these steps, with their progress on the terminal."""
        from othello_lab.experiment.show.progress import counted

        def size() -> str:
            return plural(len(self._book), "position")

        for _ in counted(steps, total, Console(stderr=True), what, size):
            if time.monotonic() - self._written > _SAVED_EVERY:
                self._write()

    def _write(self) -> None:
        from othello_lab.game.book_file import write_book

        if self._book:
            with blaming("BOOK"):
                write_book(self._path, self._book)
        self._written = time.monotonic()


def _games(paths: tuple[Path, ...], size: int) -> "list[Game]":
    """Return the games of files on boards of `size`, and say which cannot be read."""
    from othello_lab.game.records import readable

    found = []
    with reported_errors(), blaming("FILE"):
        for path in paths:
            records, faults = readable(path, size)
            tell_left_out(faults)
            found += [record.game for record in records if record.game.size == size]
    if paths and not found:
        raise click.BadParameter(f"there is no game on {size}x{size} in them", param_hint="FILE")
    return found


def _show(book: "Book", where: str) -> None:
    """Print what the book says of a position, and how each move goes on."""
    from othello_lab.console.files import of_text
    from othello_lab.console.wording import opening_lines
    from othello_lab.experiment.show.tables import Column, Table
    from othello_lab.experiment.show.terminal import grid
    from othello_lab.game.book import after
    from othello_lab.game.notation import square_name

    with blaming("--show"):
        game = of_text(where, book.size).game
    game.pass_if_forced()
    moves = book.moves(game.board)
    if not moves:
        raise click.ClickException(f"the book says nothing of this position, {game.board}")

    def goes_on(move: int) -> str:
        return " ".join(square_name(each, book.size) for each in book.line(after(game.board, move)))

    columns: tuple[Column[int], ...] = (
        Column("move", lambda move: square_name(move, book.size)),
        Column("discs", lambda move: moves[move].discs, "{:+.2f}".format),
        Column("games", lambda move: moves[move].games, "{:,}".format),
        Column("best continuation", goes_on),
    )
    best_first = sorted(moves, key=lambda move: (-moves[move].discs, -moves[move].games))
    says = f"Discs: what {game.board.turn.value}, who is to move, has more at the end than the other side."
    console = Console(highlight=False)
    console.print(*opening_lines(game), grid(Table.of("", columns, best_first)), says, sep="\n")


def _tell(book: "Book", path: Path) -> None:
    """Print how large the book is, and its best line."""
    from othello_lab.game import Board
    from othello_lab.game.book import BEGIN, discs_on
    from othello_lab.game.notation import square_name

    if not book:
        raise click.ClickException(f"{path} was not written: there was no position to add")
    plies = Counter(discs_on(board) - BEGIN for board, _, _ in book.positions())
    click.echo(f"{path}: {plural(len(book), 'position')} of {book.size}x{book.size}")
    counts = " ".join(str(plies[ply]) for ply in range(max(plies) + 1))
    click.echo(f"after 0, 1, 2... plies: {counts}")
    start = Board.start(book.size)
    if line := book.line(start):
        value = book.moves(start)[line[0]].discs
        click.echo(f"best {value:+.2f}: {' '.join(square_name(move, book.size) for move in line)}")
