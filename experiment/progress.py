"""What a person sees while a run goes on: one display on a terminal, plain lines elsewhere."""

import time
from typing import Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from experiment.watch import drawing
from rlglue.types import Observation

REDRAWS = 4
"""Redraws of the bar a second."""
WATCH_REDRAWS = 10
"""The same when the board is shown."""
PLAIN_SECONDS = 60.0
"""Between two plain lines where there is no terminal."""


class Display(Protocol):
    """Shows the progress of a run; a context."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

    def line(self, text: str) -> None:
        """Print a line that stays."""

    def advance(self, done: int, facts: str) -> None:
        """So many episodes are done; `facts` says how it goes."""

    def activity(self, text: str) -> None:
        """Say what is done besides training episodes; "" when that is over."""

    def see(self, observation: Observation) -> None:
        """Take note of a position."""


def make_display(console: Console, done: int, total: int, watch: bool, what: str = "episode") -> Display:
    """Return the display that fits the console, for a run of `total` episodes of which some are done."""
    if console.is_terminal:
        return TerminalDisplay(console, done, total, watch)
    if watch:
        console.print("--watch needs a terminal: the board is not shown")
    return PlainDisplay(console, total, what)


class TerminalDisplay:
    """A bar with how it goes, and above it the board in play if `watch` is on."""

    def __init__(self, console: Console, done: int, total: int, watch: bool) -> None:
        self._console = console
        self._watch = watch
        self._last: Observation | None = None
        self._bar = Progress(
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[facts]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            console=console,
            expand=True,
        )
        self._facts = ""
        self._task = self._bar.add_task("", total=total, completed=done, facts="")
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
        if self._watch and self._last is not None:
            return Group(drawing(self._last), self._bar)
        return self._bar

    def line(self, text: str) -> None:
        """Print a line above the bar."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def advance(self, done: int, facts: str) -> None:
        """Move the bar."""
        self._facts = facts
        self._bar.update(self._task, completed=done, facts=facts)

    def activity(self, text: str) -> None:
        """Show it in place of how training goes."""
        self._bar.update(self._task, facts=text or self._facts)

    def see(self, observation: Observation) -> None:
        """Keep the position for the next redraw."""
        self._last = observation


class PlainDisplay:
    """A line a minute."""

    def __init__(self, console: Console, total: int, what: str = "episode") -> None:
        self._console = console
        self._total = total
        self._what = what
        self._next = time.monotonic() + PLAIN_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def line(self, text: str) -> None:
        """Print a line."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)
        self._console.file.flush()

    def advance(self, done: int, facts: str) -> None:
        """Print how it goes if a minute has passed."""
        self._if_due(f"{self._what} {done} of {self._total}: {facts}")

    def activity(self, text: str) -> None:
        """Print it if a minute has passed."""
        if text:
            self._if_due(text)

    def see(self, observation: Observation) -> None:
        """Show nothing."""

    def _if_due(self, text: str) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PLAIN_SECONDS
            self.line(text)
