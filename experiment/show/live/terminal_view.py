"""A run in a terminal of any size: what has no room is left out, the least important first."""

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from experiment.show.boards import Shown
from experiment.show.charts import Chart
from experiment.show.lettering import short
from experiment.show.live.snapshot import Phase, Snapshot
from experiment.show.live.text_plot import ASCII, FINE, Marks, legend, plot
from experiment.show.progress import clock, fitting
from experiment.show.terminal_boards import board_text, width_of
from game.drawing import symbols_for

_HEAD, _FOOT = 3, 2
"""Lines that are always there: above, and below."""
_TABLE_HEAD = 1
_LEAST_BODY, _MOST_BODY, _LEAST_ROWS = 7, 20, 2
"""Lines that curves get, if any, and rows that results do."""
_LEAST_PLOT_HEIGHT = 5
_LEAST_PLOT = 32
"""Columns that a plot needs beside a board."""


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

    def _body(self, board: Sequence[Text], width: int, height: int, marks: Marks) -> RenderableType:
        """The curves and, if there is one, the board at their right."""
        across = max((line.cell_len for line in board), default=0)
        room = width - across - 2 if board else width
        left = _curves(self._now.rates, self._now.phase.done, room, height, marks)
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


def _curves(rates: Chart, games: int, width: int, height: int, marks: Marks) -> list[Text]:
    """The curves, and below them what they are, as far as there is room for both."""
    names = legend(rates.series, marks)[: max(0, height - _LEAST_PLOT_HEIGHT)]
    return [*plot(rates.series, games, width, height - len(names), marks), *names]


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
