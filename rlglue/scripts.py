"""Log lines and exit codes of command line programs."""

import logging
import signal
from typing import Final

FAILED: Final = 1
"""The exit code after an expected error; after a wrong option, click exits with 2."""


def of_signal(number: int) -> int:
    """Return the exit code of a process that was ended by a signal, as in shells."""
    return 128 + number


INTERRUPTED: Final = of_signal(signal.SIGINT)
"""130: after Ctrl-C."""
TERMINATED: Final = of_signal(signal.SIGTERM)
"""143: after SIGTERM."""


def configure_logging(verbose: bool = False) -> None:
    """Log lines `HH:MM:SS message` to stderr, from level INFO on; from DEBUG on if verbose."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S"
    )
