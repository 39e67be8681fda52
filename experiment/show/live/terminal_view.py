"""A run watched in a terminal of any size: what has no room is left out, the least important first."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from othello_lab.experiment.run.outcomes import by_opponent, in_words
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import shell_commands
from othello_lab.experiment.show.charts import Chart
from othello_lab.experiment.show.live.shown_game import GameShow, Shown
from othello_lab.experiment.show.live.snapshot import Phase, Snapshot, snapshot
from othello_lab.experiment.show.live.text_plot import ASCII, FINE, Signs, legend, plot
from othello_lab.experiment.show.progress import PlainDisplay, clock, fitting
from othello_lab.experiment.show.run_files import Following
from othello_lab.experiment.show.terminal import styled
from othello_lab.experiment.show.wording import short
from othello_lab.game import Colour
from othello_lab.game.drawing import Marks, Symbols, draw, looks_of, symbols_for
from othello_lab.game.notation import square_name
from othello_lab.game.players.base import value_text

_HEAD, _FOOT = 3, 2
"""Lines that are always there: above, and below."""
_TABLE_HEAD = 1
_LEAST_BODY, _MOST_BODY, _LEAST_ROWS = 7, 20, 2
"""Lines that curves get, if any, and rows that results do."""
_LEAST_PLOT_HEIGHT = 5
_LEAST_PLOT = 32
"""Columns that a plot needs beside a board."""
_NUMBERS = 3
"""Columns of the row numbers."""
_LEAST = 30
"""Columns that names and values have on a small board."""
_SQUARE = 3
"""Columns of a square: its disc between brackets where it was the last move."""


class TerminalView:
    """A run and, beside its curves, a game of its newest policy, drawn to the size of the terminal."""

    def __init__(self, now: Snapshot, shown: Shown | None, foot: str) -> None:
        """`foot` is the last line."""
        self._now, self._shown, self._foot = now, shown, foot

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it."""
        width, height = options.max_width, options.height or console.height
        yield from _head(self._now)
        room = height - _HEAD - _FOOT
        board = self._board(width, console.encoding)
        body, rows = _share_out(room, len(board), len(self._now.results.rows))
        if body:
            beside = board if len(board) <= body else []
            yield self._body(beside, width, body, ASCII if options.ascii_only else FINE)
        if rows:
            yield _results(self._now, rows)
        yield _one_line(fitting([f"{name} {text}" for name, text in self._now.numbers.items()], width))
        yield _one_line(self._foot, "dim")

    def _board(self, width: int, encoding: str) -> list[Text]:
        """The lines of the game that is shown; none where it has no room beside a plot."""
        if not self._shown:
            return []
        across = width_of(self._shown)
        return board_text(self._shown, symbols_for(encoding)) if width >= across + 2 + _LEAST_PLOT else []

    def _body(self, board: Sequence[Text], width: int, height: int, signs: Signs) -> RenderableType:
        """The curves and, if there is one, the board at their right."""
        across = max((line.cell_len for line in board), default=0)
        room = width - across - 2 if board else width
        left = _curves(self._now.rates, self._now.phase.done, room, height, signs)
        if not board:
            return Group(*left)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=room, no_wrap=True)
        table.add_column(width=across, no_wrap=True)
        table.add_row(Group(*left), Group(*board))
        return table


def _share_out(room: int, board: int, results: int) -> tuple[int, int]:
    """Return how many lines curves and board get, and how many rows of results there are."""
    table = results + _TABLE_HEAD if results else 0
    least = min(table, _LEAST_ROWS + _TABLE_HEAD)
    wanted = board if board + least <= room else _LEAST_BODY
    body = max(wanted, min(room - table, _MOST_BODY))
    if body + least > room:
        body = 0
    return body, max(0, min(results, room - body - _TABLE_HEAD))


def _head(now: Snapshot) -> Iterator[RenderableType]:
    title = Text(now.title, "bold", no_wrap=True, overflow="ellipsis")
    yield title.append(f"  run {now.run}, seed {now.seed}", "not bold dim")
    yield _progress(now.phase)
    yield _one_line(now.phase.says)


def _progress(phase: Phase) -> RenderableType:
    left = "" if phase.seconds_left is None else f", {clock(phase.seconds_left)} left"
    total = f"/{phase.total:,}" if phase.total else ""
    table = Table.grid(padding=(0, 1, 0, 0), expand=True)
    table.add_column(ratio=1)
    table.add_column(no_wrap=True)
    table.add_row(ProgressBar(1.0, phase.share), f"{phase.done:,}{total} training games{left}")
    return table


def _one_line(text: str, style: str = "") -> Text:
    return Text(text, style, no_wrap=True, overflow="ellipsis")


def _curves(rates: Chart, games: int, width: int, height: int, signs: Signs) -> list[Text]:
    """The curves, and below them what they are, as far as there is room for both."""
    names = legend(rates.series, signs)[: max(0, height - _LEAST_PLOT_HEIGHT)]
    return [*plot(rates.series, games, width, height - len(names), signs), *names]


def _results(now: Snapshot, rows: int) -> RenderableType:
    """The last evaluation, as many rows of it as have room."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    first, *others = now.results.shown
    table.add_column(f"after {now.after:,} games, {first.heading}", no_wrap=True, overflow="ellipsis")
    for column in others:
        table.add_column(column.heading, justify="right", no_wrap=True)
    for name, *cells in now.results.cells[:rows]:
        table.add_row(short(name), *cells)
    return table


def width_of(shown: Shown) -> int:
    """Return how many columns the drawing takes."""
    return max(_LEAST, _NUMBERS + _SQUARE * shown.board.size)


def board_text(shown: Shown, symbols: Symbols) -> list[Text]:
    """Return the position as lines: the board, who plays, whose turn it is, what its moves are worth."""
    board, width = shown.board, width_of(shown)
    lines = draw(looks_of(board, Marks(shown.marks.last, legal=True)), symbols, marks=True)
    rows = [Text.assemble(*map(styled, line), style="dim") for line in lines]
    sides = zip(Colour, board.counts(), (shown.black, shown.white), strict=True)
    rows += [Text(f"{symbols.disc(side)} {count:2} {name}") for side, count, name in sides]
    unit, _, _ = shown.unit.partition(":")
    rows += [Text(shown.says), Text(unit and f"{unit}:", style="dim"), Text(_best(shown, width))]
    for row in rows:
        row.truncate(width, overflow="ellipsis")
    return rows


def _best(shown: Shown, width: int) -> str:
    """The best moves and what they are worth, as many as have room."""
    values, size = shown.marks.values, shown.board.size
    ranked = sorted(values, key=lambda square: -values[square])
    told = [f"{square_name(square, size)} {value_text(values[square])}" for square in ranked]
    while len("  ".join(told)) > width:
        told.pop()
    return "  ".join(told)


LOOK_SECONDS = 1.0
"""Between two looks at the files and at the game, which is slower: each of its positions is seen."""
_LEAVE = "Ctrl-C ends this view, not the run"


def watch(folder: RunFolder, console: Console) -> None:
    """Show a run until it ends; Ctrl-C ends the view before. Raises RunFolderError, RunFolderGoneError."""
    run = Following(folder)
    on_screen = console.is_terminal and not console.is_dumb_terminal
    with suppress(KeyboardInterrupt):
        (_on_screen if on_screen else _in_lines)(run, console)
        plot = shell_commands.othello("experiment", "plot", str(folder.path))
        console.print(TerminalView(snapshot(run), None, f"as a picture: {plot}"))


def _looks(run: Following) -> Iterator[Snapshot]:
    """Yield the run as it stands, each second until it ends."""
    run.look()
    while not (now := snapshot(run)).phase.ended:
        yield now
        time.sleep(LOOK_SECONDS)
        run.look()


def _on_screen(run: Following, console: Console) -> None:
    with GameShow(run) as game, Live(console=console, screen=True, auto_refresh=False) as live:
        for now in _looks(run):
            foot = ". ".join(filter(None, (game.says, _LEAVE)))
            live.update(TerminalView(now, game.shown, foot), refresh=True)


def _in_lines(run: Following, console: Console) -> None:
    """Print at once what is watched, then a line a minute, and each evaluation."""
    display, told = PlainDisplay(console, 0, 0), 0
    for look, now in enumerate(_looks(run)):
        if look == 0:
            display.line(_greeting(run.folder, now.phase))
        for games, results in groupby(run.evaluations[told:], key=lambda result: result.episode):
            for own in by_opponent(results).values():
                display.line(f"after {games:,} games: {in_words(own)}")
        told = len(run.evaluations)
        phase = now.phase
        facts = [phase.says, *(f"{name} {text}" for name, text in now.numbers.items())]
        display.advance(phase.done, facts, phase.seconds_left, phase.total)


def _greeting(folder: RunFolder, now: Phase) -> str:
    games = f"{now.done:,} of {now.total:,} training games" if now.total else f"{now.done:,} training games"
    return f"{folder.path}: {now.says}, {games}. A line a minute and each evaluation follow; {_LEAVE}"
