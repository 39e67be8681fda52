"""The terminal that a run writes to, which may be closed before the run has saved."""

import errno
import sys
from typing import TextIO, cast

from rich.console import Console


def console() -> Console:
    """Return a console on stdout that goes on when its terminal is gone."""
    return Console(file=cast(TextIO, _Lasting(sys.stdout)))


class _Lasting:
    """A text file; what a closed terminal would not take is dropped."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, text: str) -> int:
        """Write; return how much was taken."""
        try:
            return self._file.write(text)
        except OSError as error:
            _raise_unless_gone(error)
            return len(text)

    def flush(self) -> None:
        """Write what is held back."""
        try:
            self._file.flush()
        except OSError as error:
            _raise_unless_gone(error)


def _raise_unless_gone(error: OSError) -> None:
    if error.errno != errno.EIO:  # what the system answers for a terminal that is closed
        raise error
