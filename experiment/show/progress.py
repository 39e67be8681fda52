"""Show the progress of long tasks as a bar in a terminal, otherwise as plain lines."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Self, TextIO, TypeAlias, TypeVar, cast

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from rlglue.messages import truncate_middle

_REDRAWS = 4  # redraws of the bar per second
PLAIN_SECONDS = 60.0  # The minimum interval between plain lines, in seconds.
_NARROWEST_BAR = 8
T = TypeVar("T")
# A progress callback, with the number of finished games and the total number of games.
Tell: TypeAlias = Callable[[int, int], object]


def console() -> Console:
    """Return a console on stdout that drops its output after the terminal is closed."""
    return Console(file=cast(TextIO, _Lasting(sys.stdout)))


class _Lasting:
    """A wrapper of a text file that discards output after the terminal is closed."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        try:
            return self._file.write(text)
        except OSError as error:
            _raise_unless_closed(error)
            return len(text)

    def flush(self) -> None:
        try:
            self._file.flush()
        except OSError as error:
            _raise_unless_closed(error)


def _raise_unless_closed(error: OSError) -> None:
    if error.errno != errno.EIO:  # the error of a closed terminal
        raise error


class Display:
    """A context manager that shows progress as a bar in a terminal, otherwise as one line per minute."""

    def __init__(
        self, console: Console, done: int, total: int, what: str = "episode", tell: Tell | None = None
    ) -> None:
        """Create the display. Of the `total` episodes, `done` are already finished.

        `what` is the unit in the lines. The callback `tell` also receives the progress.
        """
        self._console, self._what, self._tell = console, what, tell
        self._done = self._before = done
        self._total = self._planned = total
        self._facts: Sequence[str] = ()
        self._activity = ""
        self._begin = time.monotonic()
        self._next = self._begin + PLAIN_SECONDS
        self._end: float | None = None
        # A separate thread redraws the bar, because the training loop must not wait.
        live = Live(get_renderable=self._bar, console=console, refresh_per_second=_REDRAWS)
        self._live = live if console.is_terminal and not console.quiet else None

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live:
            self._live.stop()

    def line(self, text: str) -> None:
        """Print a permanent line."""
        soft_wrap = not self._console.is_terminal  # wrap long lines in a terminal, but not in a file
        self._console.print(text, markup=False, highlight=False, soft_wrap=soft_wrap)

    def advance(
        self, done: int, facts: Sequence[str], seconds_left: float | None = None, total: int | None = None
    ) -> None:
        """Show the number of finished episodes and the facts, the most important fact first.

        `total` replaces the planned number. Without `seconds_left`, the display estimates the remaining time.
        """
        self._done, self._facts, self._total = done, facts, total or self._total
        if self._tell:
            self._tell(done, self._total)
        now = time.monotonic()
        if seconds_left is None and self._before < done <= self._planned:
            seconds_left = (now - self._begin) / (done - self._before) * (self._planned - done)
        self._end = None if seconds_left is None else now + seconds_left
        if self._is_due():
            text = ", ".join(filter(None, (*facts, self._left())))
            self.line(f"{self._what} {done:,} of {self._total:,}: {text}")

    def activity(self, text: str) -> None:
        """Show an activity instead of the facts. An empty string shows the facts again."""
        self._activity = text
        if text and self._is_due():
            self.line(text)

    def stopping(self, text: str) -> None:
        """Show that a run is stopping. A signal handler may call this method."""
        self._activity = text
        if not self._live:
            with suppress(OSError):  # no print, which is not reentrant in a signal handler
                os.write(2, f"{text}\n".encode())

    def _is_due(self) -> bool:
        """Return whether a plain line is due. If so, schedule the next line in PLAIN_SECONDS."""
        due = self._live is None and time.monotonic() >= self._next
        if due:
            self._next = time.monotonic() + PLAIN_SECONDS
        return due

    def _left(self) -> str:
        return "" if self._end is None else f"{clock(self._end - time.monotonic())} left"

    def _bar(self) -> Table:
        count, left = f"{self._done:,}/{self._total:,}", self._left()
        room = max(10, self._console.width - _NARROWEST_BAR - len(count) - len(left) - len(" , "))
        text = truncate_middle(self._activity, room) if self._activity else fitting(self._facts, room)
        table = Table.grid(padding=(0, 1, 0, 0), expand=True)
        table.add_column(ratio=1)
        table.add_column(no_wrap=True)
        line = Text(f"{count} " + ", ".join(filter(None, (text, left))))
        table.add_row(ProgressBar(self._total, self._done), line)
        return table


def counted(
    things: Iterable[T], total: int, console: Console, what: str, fact: Callable[[], str] = str
) -> Iterator[T]:
    """Yield items, and display the number of finished items and the text that `fact` returns."""
    with Display(console, 0, total, what) as display:
        for done, thing in enumerate(things, 1):
            yield thing
            display.advance(done, [*filter(None, [fact()])])


def clock(seconds: float) -> str:
    """Return a duration as text, such as 1:05 or 2:00:00. A negative duration is 0:00."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def fitting(facts: Sequence[str], width: int) -> str:
    """Join as many of the first facts as fit into `width` characters, but at least one fact."""
    count = 1
    while count < len(facts) and len(", ".join(facts[: count + 1])) <= width:
        count += 1
    return ", ".join(facts[:count])
