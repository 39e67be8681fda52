"""A conversation with another program in lines of text, over stdin and stdout."""

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
"""The most bytes of a line: ten times the record of a long game on the largest board."""
AFTER_THE_END = 5.0
"""Seconds that a player may still think after the input has ended. A script sends all its lines at once."""
_LONGEST_ERROR = 500
_MOST_WAITING = 1000
"""The most lines that are read ahead."""
_WAIT = 0.2
_CATCH_UP = 0.5
"""The longest wait, in seconds, for lines that have arrived but are not read yet."""


class Conversation:
    """An iterator over the lines of the other program. A thread reads ahead, to notice urgent lines.

    `is_urgent` tells whether a line interrupts the answer to an earlier line.
    """

    is_over = False
    """Whether the other program has ended the conversation with a line such as `quit`."""

    def __init__(
        self, source: IO[bytes], sink: IO[bytes], is_urgent: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._source, self._sink, self._is_urgent = source, sink, is_urgent
        self._lines: Queue[str | None] = Queue(_MOST_WAITING)
        self._urgent: deque[str] = deque()
        self._end = inf
        """The time at which the input ended, by `time.monotonic`; infinite until then."""

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
        """Tell whether the other program ended in the last `seconds`, the time since its question."""
        now = time.monotonic()
        return now - seconds < self._end <= now or _is_broken(self._sink)

    def is_overdue(self, seconds: float) -> bool:
        """Tell whether the input has ended and an answer has taken more than AFTER_THE_END seconds."""
        return self._end <= time.monotonic() and seconds > AFTER_THE_END

    def send(self, line: str) -> None:
        """Send a line; raise OSError if the other program no longer reads."""
        self._sink.write(f"{line}\n".encode())
        self._sink.flush()

    def _next(self) -> str | None:
        while True:  # on some systems Python notices Ctrl-C only between two waits
            with suppress(Empty):
                line = self._lines.get(timeout=_WAIT)
                self._catch_up()
                return line

    def _catch_up(self) -> None:
        """Wait until the thread has read all that has arrived, so that an end of input is known.

        Does not wait if the queue is full: the end is then far away.
        """
        deadline = time.monotonic() + _CATCH_UP
        with suppress(OSError):  # not supported on this system
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
    except io.UnsupportedOperation:  # a stream in memory
        return True


def _is_broken(sink: IO[bytes]) -> bool:
    """Tell whether the reader of our answers has closed the pipe; False if the system cannot tell."""
    try:
        watch = select.poll()
        watch.register(sink, 0)
        return any(event & select.POLLERR for _, event in watch.poll(0))
    except (AttributeError, OSError, ValueError):  # no such call, no file, or closed
        return False


def serve(answer: Callable[[str], Iterable[str]], conversation: Conversation) -> None:
    """Answer lines until the conversation is over or the input ends.

    `answer` yields the lines of an answer one by one. Raises OSError if the other program no longer reads.
    """
    for line in conversation:
        for reply in answer(line):
            conversation.send(reply)
        if conversation.is_over:
            return


def read_lines(source: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a stream without control characters.

    A line of more than LONGEST bytes is cut to LONGEST + 1 bytes: the caller can see that it was too long.
    """
    while line := source.readline(LONGEST + 1):
        end = line
        while len(end) > LONGEST and not end.endswith(b"\n"):
            end = source.readline(LONGEST + 1)  # discard the rest
        text = line.decode("utf-8", "replace").rstrip("\n").replace("\t", " ")
        yield "".join(character for character in text if character.isprintable())


def whole_number(text: str) -> int:
    """Parse a number of at most nine digits; raise NotationError for any other text."""
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        raise NotationError(f"expected a whole number, found {text[:40]!r}")
    return int(text)


def one_line(error: object) -> str:
    """Return an error as one line of bounded length."""
    return brief(" ".join(str(error).split()), _LONGEST_ERROR)
