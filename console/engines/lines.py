"""A conversation in lines, whose other side may be anything."""

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
from typing import IO, Protocol

from othello_lab.game.notation import NotationError, brief

LONGEST = 65_536
"""Bytes of a line that are kept: the record of a long game on the largest board is a tenth of that."""
_WORDS = 500
_AHEAD = 1000
_WAIT = 0.2
_CATCHING_UP = 0.5
"""Seconds that are waited for lines that have arrived and are not read yet."""
AFTER_THE_END = 5.0
"""Seconds that a player may think about what came before the end of the input, as a script's questions do."""


class Server(Protocol):
    """Whatever answers lines."""

    done: bool
    """Whether it was told to end."""

    @staticmethod
    def is_urgent(line: str) -> bool:
        """Tell whether a line is to end whatever goes on when it comes."""

    def hear(self, line: str) -> Iterable[str]:
        """Yield the lines that answer one, each as soon as it is known."""


class Conversation:
    """Lines in their order, read ahead by a thread: so it is known what waits while one is answered."""

    def __init__(self, source: IO[bytes], sink: IO[bytes], is_urgent: Callable[[str], bool]) -> None:
        """For `is_urgent` see Server."""
        self._source, self._sink = source, sink
        self._lines: Queue[str | None] = Queue(_AHEAD)
        self._urgent: deque[str] = deque()
        self._is_urgent = is_urgent
        self._ended = inf
        """When the input ended, by `time.monotonic`."""

    def __iter__(self) -> Iterator[str]:
        Thread(target=self._read, daemon=True).start()
        while (line := self._next()) is not None:
            if self._is_urgent(line):
                self._urgent.popleft()
            yield line

    def has_urgent(self) -> bool:
        """Tell whether a line waits that is to end whatever goes on."""
        return bool(self._urgent)

    def has_left(self, seconds: float) -> bool:
        """Tell whether the other side has gone in the last `seconds`, since a question came."""
        now = time.monotonic()
        return now - seconds < self._ended <= now or _is_broken(self._sink)

    def is_overdue(self, seconds: float) -> bool:
        """Tell whether a player has thought for too many seconds after the end of the input."""
        return self._ended <= time.monotonic() and seconds > AFTER_THE_END

    def answer(self, line: str) -> None:
        """Send a line; raise OSError when nobody reads any more."""
        self._sink.write(f"{line}\n".encode())
        self._sink.flush()

    def _next(self) -> str | None:
        while True:  # on some systems Python hears Ctrl-C between two waits only
            with suppress(Empty):
                line = self._lines.get(timeout=_WAIT)
                self._catch_up()
                return line

    def _catch_up(self) -> None:
        """Read the end of the input, if it has come: so it is known before the line is answered.

        Where as many lines wait as are read ahead, the end is not near.
        """
        end = time.monotonic() + _CATCHING_UP
        with suppress(OSError):  # on a system that cannot tell
            while self._ended == inf and not self._lines.full() and time.monotonic() < end:
                if not _is_readable(self._source):
                    return
                time.sleep(0.001)

    def _read(self) -> None:
        with suppress(OSError):  # which is an end, too
            for line in read_lines(self._source):
                if self._is_urgent(line):
                    self._urgent.append(line)
                self._lines.put(line)
        self._ended = time.monotonic()
        self._lines.put(None)


def _is_readable(source: IO[bytes]) -> bool:
    try:
        return bool(select.select([source], [], [], 0)[0])
    except io.UnsupportedOperation:  # it lies in memory
        return True


def _is_broken(sink: IO[bytes]) -> bool:
    """Tell whether the reader of what is written has gone; False on a system that cannot tell."""
    try:
        watch = select.poll()
        watch.register(sink, 0)
        return any(event & select.POLLERR for _, event in watch.poll(0))
    except (AttributeError, OSError, ValueError):  # no such call, no file, or closed
        return False


def serve(
    server: Server,
    conversation: Conversation,
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> None:
    """Answer lines until the server is done or they end; raises OSError when nobody reads any more.

    `waiting` is what is done until the next line comes.
    """
    lines = iter(conversation)
    while True:
        with waiting():
            line = next(lines, None)
        if line is None:
            return
        for answer in server.hear(line):
            conversation.answer(answer)
        if server.done:
            return


def read_lines(source: IO[bytes]) -> Iterator[str]:
    """Yield lines without control characters.

    A line of more than LONGEST bytes is cut off one byte later, so that it can be told from one that fits.
    """
    while line := source.readline(LONGEST + 1):
        end = line
        while len(end) > LONGEST and not end.endswith(b"\n"):
            end = source.readline(LONGEST + 1)  # read and discard the rest
        text = line.decode("utf-8", "replace").rstrip("\n").replace("\t", " ")
        yield "".join(character for character in text if character.isprintable())


def whole_number(text: str) -> int:
    """Read a number of a command; raises NotationError."""
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        raise NotationError(f"expected a whole number, found {text[:40]!r}")
    return int(text)


def one_line(error: object) -> str:
    """Return what an error says as one line of bounded length."""
    return brief(" ".join(str(error).split()), _WORDS)
