"""Logging and exit codes of command-line programs."""

import logging
import signal
from typing import Final

FAILED: Final = 1
"""The exit code after an expected error. The exit code after a wrong option is 2, as click defines."""


def of_signal(number: int) -> int:
    """Return the exit code of a process that a signal has ended, as a shell reports it."""
    return 128 + number


INTERRUPTED: Final = of_signal(signal.SIGINT)
TERMINATED: Final = of_signal(signal.SIGTERM)


def configure_logging(verbose: bool = False) -> None:
    """Log to stderr in the format `HH:MM:SS message`. The lowest level is INFO, or DEBUG if verbose."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S"
    )
