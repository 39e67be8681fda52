"""Shared by programs at the command line: log lines and exit codes."""

import logging
import signal
from typing import Final

FAILED: Final = 1
"""The exit code after an expected error; a wrong option is click's own 2."""


def of_signal(number: int) -> int:
    """Return the exit code of a process that a signal ends, as in shells."""
    return 128 + number


INTERRUPTED: Final = of_signal(signal.SIGINT)
"""130: after Ctrl-C."""
TERMINATED: Final = of_signal(signal.SIGTERM)
"""143: after SIGTERM."""


def configure_logging(verbose: bool = False) -> None:
    """Log plain lines `HH:MM:SS message` to stderr, from INFO on, from DEBUG on if verbose."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S"
    )
