"""A conversation in lines, whose other side may be anything."""

from collections.abc import Iterable, Iterator
from typing import IO, Protocol

LONGEST = 65_536
"""Bytes of a line that are kept: the record of a long game on the largest board is a tenth of that."""
_WORDS = 500


class Server(Protocol):
    """Whatever answers lines."""

    done: bool
    """Whether it was told to end."""

    def hear(self, line: str) -> Iterable[str]:
        """Yield the lines that answer one, each as soon as it is known."""


def serve(server: Server, source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer lines until the server is done or the input ends; raises OSError when nobody reads any more."""
    for line in read_lines(source):
        for answer in server.hear(line):
            sink.write(f"{answer}\n".encode())
            sink.flush()
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


def one_line(error: object) -> str:
    """Return what an error says as one line of bounded length."""
    text = " ".join(str(error).split())
    return text if len(text) <= _WORDS else f"{text[:_WORDS]}..."
