"""A conversation in lines with another program, over two pipes."""

import io
import re
import select
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from math import inf
from queue import Empty, Queue
from threading import Thread
from typing import IO

from othello_lab.game.notation import NotationError, brief

LONGEST = 65_536
"""Bytes of the longest line: ten times the record of a long game on the largest board."""
AFTER_THE_END = 5.0
"""Seconds that a player may think about a question after the end of the input: a script sends all at once."""
_LONGEST_ERROR = 500
_MOST_WAITING = 1000
"""Lines that are read ahead."""
_WAIT = 0.2
_CATCH_UP = 0.5
"""Seconds to wait for lines that have arrived and are not read yet."""


class Conversation:
    """The lines of the other program in their order. A thread reads ahead, so waiting lines are known.

    `is_urgent` tells whether a line interrupts the answer to an earlier one.
    """

    is_over = False
    """Whether the other program has ended the conversation, by a line such as `quit`."""

    def __init__(
        self, source: IO[bytes], sink: IO[bytes], is_urgent: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._source, self._sink, self._is_urgent = source, sink, is_urgent
        self._lines: Queue[str | None] = Queue(_MOST_WAITING)
        self._urgent: deque[str] = deque()
        self._end = inf
        """The time when the input ended, by `time.monotonic`."""

    def __iter__(self) -> Iterator[str]:
        Thread(target=self._read, daemon=True).start()
        while (line := self._next()) is not None:
            if self._is_urgent(line):
                self._urgent.popleft()
            yield line

    def has_urgent(self) -> bool:
        """Tell whether an urgent line waits."""
        return bool(self._urgent)

    def has_left(self, seconds: float) -> bool:
        """Tell whether the other program has gone within the last `seconds`, since its question."""
        now = time.monotonic()
        return now - seconds < self._end <= now or _is_broken(self._sink)

    def is_overdue(self, seconds: float) -> bool:
        """Tell whether the input has ended and `seconds` are too long for the answer."""
        return self._end <= time.monotonic() and seconds > AFTER_THE_END

    def send(self, line: str) -> None:
        """Send a line; raise OSError if nobody reads any more."""
        self._sink.write(f"{line}\n".encode())
        self._sink.flush()

    def _next(self) -> str | None:
        while True:  # on some systems Python notices Ctrl-C only between two waits
            with suppress(Empty):
                line = self._lines.get(timeout=_WAIT)
                self._catch_up()
                return line

    def _catch_up(self) -> None:
        """Wait until the end of the input is known, if it has come. After a full queue it is not near."""
        deadline = time.monotonic() + _CATCH_UP
        with suppress(OSError):  # a system that cannot tell
            while self._end == inf and not self._lines.full() and time.monotonic() < deadline:
                if not _is_readable(self._source):
                    return
                time.sleep(0.001)

    def _read(self) -> None:
        with suppress(OSError):  # an end too
            for line in read_lines(self._source):
                if self._is_urgent(line):
                    self._urgent.append(line)
                self._lines.put(line)
        self._end = time.monotonic()
        self._lines.put(None)


def _is_readable(source: IO[bytes]) -> bool:
    try:
        return bool(select.select([source], [], [], 0)[0])
    except io.UnsupportedOperation:  # it lies in memory
        return True


def _is_broken(sink: IO[bytes]) -> bool:
    """Tell whether the reader of our answers has gone; False on a system that cannot tell."""
    try:
        watch = select.poll()
        watch.register(sink, 0)
        return any(event & select.POLLERR for _, event in watch.poll(0))
    except (AttributeError, OSError, ValueError):  # no such call, no file, or closed
        return False


def serve(
    answer: Callable[[str], Iterable[str]],
    conversation: Conversation,
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> None:
    """Answer lines until the conversation is over or the input ends; raise OSError without a reader.

    `answer` yields the lines that answer one, as soon as they are known. `waiting` returns a context for the
    time until the next line comes.
    """
    lines = iter(conversation)
    while not conversation.is_over:
        with waiting():
            line = next(lines, None)
        if line is None:
            return
        for reply in answer(line):
            conversation.send(reply)


def read_lines(source: IO[bytes]) -> Iterator[str]:
    """Yield lines without control characters.

    A line of more than LONGEST bytes is cut one byte later, so that it is longer than any that fits.
    """
    while line := source.readline(LONGEST + 1):
        end = line
        while len(end) > LONGEST and not end.endswith(b"\n"):
            end = source.readline(LONGEST + 1)  # discard the rest
        text = line.decode("utf-8", "replace").rstrip("\n").replace("\t", " ")
        yield "".join(character for character in text if character.isprintable())


def whole_number(text: str) -> int:
    """Read a number of a command; raise NotationError."""
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        raise NotationError(f"expected a whole number, found {text[:40]!r}")
    return int(text)


def one_line(error: object) -> str:
    """Return an error as one line of bounded length."""
    return brief(" ".join(str(error).split()), _LONGEST_ERROR)
