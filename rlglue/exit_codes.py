"""The exit codes of every command, besides 0; a wrong option is click's own 2."""

import signal
from typing import Final

FAILED: Final = 1


def of_signal(number: int) -> int:
    """Return the exit code for the end by a signal, as shells have it."""
    return 128 + number


INTERRUPTED: Final = of_signal(signal.SIGINT)
"""130: after Ctrl-C."""
TERMINATED: Final = of_signal(signal.SIGTERM)
"""143: after SIGTERM."""
