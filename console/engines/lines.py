"""Exchange lines of text with another program over stdin and stdout."""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from math import inf
from queue import Empty, Queue
from threading import Thread
from typing import IO

from othello_lab.game.notation import NotationError, brief

LONGEST = 65_536  # Maximum length of a line in bytes, ten times the length of the longest game record.
AFTER_THE_END = 5.0  # Answer timeout in seconds once the input has ended. Scripts still need the answer.
_LONGEST_ERROR = 500
_MOST_WAITING = 1000
_WAIT = 0.2


class Conversation:
    """An iterator over the lines from the other program. An urgent line interrupts the current answer."""

    is_over = False  # Whether the other program ended the conversation with a line such as `quit`.

    def __init__(
        self, source: IO[bytes], sink: IO[bytes], is_urgent: Callable[[str], bool] = lambda _: False
    ) -> None:
        self._source, self._sink, self._is_urgent = source, sink, is_urgent
        self._lines: Queue[str | None] = Queue(_MOST_WAITING)
        self._end = inf  # The `time.monotonic` time at which the input ended, or infinity before the end.

    def __iter__(self) -> Iterator[str]:
        Thread(target=self._read, daemon=True).start()
        while (line := self._next()) is not None:
            yield line

    def has_urgent(self) -> bool:
        """Return whether an urgent line is in the queue."""
        with self._lines.mutex:
            return any(line is not None and self._is_urgent(line) for line in self._lines.queue)

    def is_overdue(self, seconds: float) -> bool:
        """Return whether the input has ended and an answer has taken more than AFTER_THE_END seconds."""
        return self._end <= time.monotonic() and seconds > AFTER_THE_END

    def send(self, line: str) -> None:
        """Send a line. Raises OSError on failure, such as a closed pipe."""
        self._sink.write(f"{line}\n".encode())
        self._sink.flush()

    def _next(self) -> str | None:
        while True:  # with a timeout, because on some systems a wait blocks Ctrl-C
            with suppress(Empty):
                return self._lines.get(timeout=_WAIT)

    def _read(self) -> None:
        with suppress(OSError):  # treat a read error as the end of the input
            for line in read_lines(self._source):
                self._lines.put(line)
        self._end = time.monotonic()
        self._lines.put(None)


def serve(answer: Callable[[str], Iterable[str]], conversation: Conversation) -> None:
    """Answer each line until the conversation or the input ends. Raises OSError if sending fails."""
    for line in conversation:
        for reply in answer(line):
            conversation.send(reply)
        if conversation.is_over:
            return


def read_lines(source: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a stream without control characters, truncated to LONGEST + 1 bytes."""
    while line := source.readline(LONGEST + 1):
        end = line
        while len(end) > LONGEST and not end.endswith(b"\n"):
            end = source.readline(LONGEST + 1)  # discard the rest
        text = line.decode("utf-8", "replace").rstrip("\n").replace("\t", " ")
        yield "".join(character for character in text if character.isprintable())


def whole_number(text: str) -> int:
    """Parse an integer of one to nine digits. Raises NotationError for any other text."""
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        raise NotationError(f"expected a whole number, found {text[:40]!r}")
    return int(text)


def one_line(error: object) -> str:
    """Return an error message as one line, truncated if necessary."""
    return brief(" ".join(str(error).split()), _LONGEST_ERROR)
