"""Exchange lines of text with another program over stdin and stdout."""

import io
import re
import select
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from math import inf
from queue import Empty, Queue
from threading import Thread
from typing import IO

from othello_lab.game.notation import NotationError, brief

LONGEST = 65_536
"""The longest line, in bytes. The record of a long game on the largest board has a tenth of this length."""
AFTER_THE_END = 5.0
"""The longest time for an answer after the input has ended, in seconds. A script needs this time."""
_LONGEST_ERROR = 500
_MOST_WAITING = 1000
_WAIT = 0.2
_CATCH_UP = 0.5
"""The longest wait for lines that have arrived but are not read yet, in seconds."""


class Conversation:
    """An iterator over the lines of the other program. An urgent line interrupts the current answer."""

    is_over = False
    """Whether the other program has ended the conversation with a line such as `quit`."""

    def __init__(
        self, source: IO[bytes], sink: IO[bytes], is_urgent: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._source, self._sink, self._is_urgent = source, sink, is_urgent
        self._lines: Queue[str | None] = Queue(_MOST_WAITING)
        self._urgent: deque[str] = deque()
        self._end = inf
        """The time at which the input ended, according to `time.monotonic`. Infinite before the end."""

    def __iter__(self) -> Iterator[str]:
        Thread(target=self._read, daemon=True).start()
        while (line := self._next()) is not None:
            if self._is_urgent(line):
                self._urgent.popleft()
            yield line

    def has_urgent(self) -> bool:
        """Tell whether an urgent line is waiting."""
        return bool(self._urgent)

    def has_left(self, seconds: float) -> bool:
        """Tell whether the other program ended in the last `seconds`, or does not read any more."""
        now = time.monotonic()
        return now - seconds < self._end <= now or _is_broken(self._sink)

    def is_overdue(self, seconds: float) -> bool:
        """Tell whether the input has ended and an answer has taken more than AFTER_THE_END seconds."""
        return self._end <= time.monotonic() and seconds > AFTER_THE_END

    def send(self, line: str) -> None:
        """Send a line. Raises OSError if the other program does not read any more."""
        self._sink.write(f"{line}\n".encode())
        self._sink.flush()

    def _next(self) -> str | None:
        while True:  # on some systems, Python notices Ctrl-C only between two waits
            with suppress(Empty):
                line = self._lines.get(timeout=_WAIT)
                self._catch_up()
                return line

    def _catch_up(self) -> None:
        """Wait until the thread has read all lines that have arrived, unless the queue is full."""
        deadline = time.monotonic() + _CATCH_UP
        with suppress(OSError):  # this system does not support the call
            while self._end == inf and not self._lines.full() and time.monotonic() < deadline:
                if not _is_readable(self._source):
                    return
                time.sleep(0.001)

    def _read(self) -> None:
        with suppress(OSError):  # an error ends the input too
            for line in read_lines(self._source):
                if self._is_urgent(line):
                    self._urgent.append(line)
                self._lines.put(line)
        self._end = time.monotonic()
        self._lines.put(None)


def _is_readable(source: IO[bytes]) -> bool:
    try:
        return bool(select.select([source], [], [], 0)[0])
    except io.UnsupportedOperation:  # the stream is in memory
        return True


def _is_broken(sink: IO[bytes]) -> bool:
    """Tell whether the other program has closed the pipe. Return False if the system cannot tell."""
    try:
        watch = select.poll()
        watch.register(sink, 0)
        return any(event & select.POLLERR for _, event in watch.poll(0))
    except (AttributeError, OSError, ValueError):  # no such call, not a file, or closed
        return False


def serve(answer: Callable[[str], Iterable[str]], conversation: Conversation) -> None:
    """Send the lines that `answer` yields, until the conversation is over or the input ends.

    Raises OSError if the other program does not read any more.
    """
    for line in conversation:
        for reply in answer(line):
            conversation.send(reply)
        if conversation.is_over:
            return


def read_lines(source: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a stream without control characters, cut to LONGEST + 1 bytes."""
    while line := source.readline(LONGEST + 1):
        end = line
        while len(end) > LONGEST and not end.endswith(b"\n"):
            end = source.readline(LONGEST + 1)  # discard the rest
        text = line.decode("utf-8", "replace").rstrip("\n").replace("\t", " ")
        yield "".join(character for character in text if character.isprintable())


def whole_number(text: str) -> int:
    """Parse a number of at most nine digits. Raises NotationError for any other text."""
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        raise NotationError(f"expected a whole number, found {text[:40]!r}")
    return int(text)


def one_line(error: object) -> str:
    """Return an error as one line of limited length."""
    return brief(" ".join(str(error).split()), _LONGEST_ERROR)
