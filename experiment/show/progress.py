"""Progress of long work: one display on a terminal, plain lines elsewhere."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Self, TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from rlglue.messages import truncate_middle
from rlglue.types import Observation

REDRAWS = 4
"""Redraws of the bar a second."""
WATCH_REDRAWS = 10
"""The same when the board is shown."""
PLAIN_SECONDS = 60.0
"""Between two plain lines where there is no terminal."""
_NARROWEST_BAR = 8
T = TypeVar("T")


class Display:
    """Shows the progress of a run; a context."""

    def __init__(self, console: Console, done: int, total: int) -> None:
        self._console, self._total = console, total
        self._before, self._planned = done, total
        self._begin = time.monotonic()
        self._end: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def line(self, text: str) -> None:
        """Print a line that stays."""
        # In a file a line stays whole; a terminal would break it within a word.
        soft_wrap = not self._console.is_terminal
        self._console.print(text, markup=False, highlight=False, soft_wrap=soft_wrap)

    def advance(
        self, done: int, facts: Sequence[str], seconds_left: float | None = None, total: int | None = None
    ) -> None:
        """This many episodes are done; `facts` say how it goes, the most important first.

        Without `seconds_left` the rest is taken to go as fast as what was done, if the total was known at
        first. `total` is a new one.
        """
        self._total = total or self._total
        now = time.monotonic()
        if seconds_left is None and self._before < done <= self._planned:
            seconds_left = (now - self._begin) / (done - self._before) * (self._planned - done)
        self._end = None if seconds_left is None else now + seconds_left

    def _left(self) -> str:
        """Return the time left, such as 1:05; "" before anything is known."""
        return "" if self._end is None else f"{clock(self._end - time.monotonic())} left"

    def activity(self, text: str) -> None:
        """Say what is done besides training episodes; "" when that is over."""

    def stopping(self, text: str) -> None:
        """Say how a run stops after an interrupt; a signal handler calls this."""
        with suppress(OSError):  # not by print, which the signal may have interrupted
            os.write(2, f"{text}\n".encode())

    def see(self, observation: Observation) -> None:
        """Take note of a position."""


def make_display(console: Console, done: int, total: int, watch: bool, what: str = "episode") -> Display:
    """Return the display that fits the console, for a run of `total` episodes of which some are done."""
    if console.is_terminal:
        return TerminalDisplay(console, done, total, watch)
    if watch:
        console.print("--watch needs a terminal: the board is not shown")
    return PlainDisplay(console, done, total, what)


def counted(
    things: Iterable[T], total: int, console: Console, what: str, fact: Callable[[], str] = str
) -> Iterator[T]:
    """Yield things and show how many of them are done; `fact` says how it goes."""
    with make_display(console, 0, total, watch=False, what=what) as display:
        for done, thing in enumerate(things, 1):
            yield thing
            display.advance(done, [*filter(None, [fact()])])


def clock(seconds: float) -> str:
    """Return a time such as 1:05 or 2:00:00; what is negative is none."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class TerminalDisplay(Display):
    """A bar with how it goes, and above it the board in play if `watch` is on."""

    def __init__(self, console: Console, done: int, total: int, watch: bool) -> None:
        super().__init__(console, done, total)
        self._watch = watch
        self._last: Observation | None = None
        self._done = done
        self._facts: Sequence[str] = ()
        self._activity = ""
        # Redrawn by a thread of its own from what was noted last, so showing costs the loop nothing.
        self._live = Live(
            get_renderable=self._render,
            console=console,
            refresh_per_second=WATCH_REDRAWS if watch else REDRAWS,
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._live.stop()

    def _render(self) -> RenderableType:
        bar = self._bar()
        if self._watch and self._last is not None:
            from othello_lab.experiment.show.terminal_board import drawing  # loads the rules

            return Group(drawing(self._last), bar)
        return bar

    def _bar(self) -> Table:
        count, left = f"{self._done:,}/{self._total:,}", self._left()
        room = max(10, self._console.width - _NARROWEST_BAR - len(count) - len(left) - len(" , "))
        said = truncate_middle(self._activity, room) if self._activity else fitting(self._facts, room)
        table = Table.grid(padding=(0, 1, 0, 0), expand=True)
        table.add_column(ratio=1)
        table.add_column(no_wrap=True)
        table.add_row(
            ProgressBar(self._total, self._done), Text(f"{count} " + ", ".join(filter(None, (said, left))))
        )
        return table

    def advance(
        self, done: int, facts: Sequence[str], seconds_left: float | None = None, total: int | None = None
    ) -> None:
        """Move the bar."""
        super().advance(done, facts, seconds_left, total)
        self._done, self._facts = done, facts

    def activity(self, text: str) -> None:
        """Show it in place of how training goes."""
        self._activity = text

    def stopping(self, text: str) -> None:
        """Show it in place of how training goes."""
        self._activity = text

    def see(self, observation: Observation) -> None:
        """Keep the position for the next redraw."""
        self._last = observation


def fitting(facts: Sequence[str], width: int) -> str:
    """Return as many facts as have room in a line, the first always."""
    shown = list(facts[:1])
    for fact in facts[1:]:
        if len(", ".join([*shown, fact])) > width:
            break
        shown.append(fact)
    return ", ".join(shown)


class PlainDisplay(Display):
    """A line a minute."""

    def __init__(self, console: Console, done: int, total: int, what: str = "episode") -> None:
        super().__init__(console, done, total)
        self._what = what
        self._next = time.monotonic() + PLAIN_SECONDS

    def line(self, text: str) -> None:
        """Print a line, at once."""
        super().line(text)
        self._console.file.flush()

    def advance(
        self, done: int, facts: Sequence[str], seconds_left: float | None = None, total: int | None = None
    ) -> None:
        """Print how it goes if a minute has passed."""
        super().advance(done, facts, seconds_left, total)
        if self._is_due():
            said = ", ".join(filter(None, (*facts, self._left())))
            self.line(f"{self._what} {done:,} of {self._total:,}: {said}")

    def activity(self, text: str) -> None:
        """Print it if a minute has passed."""
        if text and self._is_due():
            self.line(text)

    def _is_due(self) -> bool:
        due = time.monotonic() >= self._next
        if due:
            self._next = time.monotonic() + PLAIN_SECONDS
        return due
