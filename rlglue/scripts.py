"""Logging, threads and exit codes of command-line programs, and the loader of a user's class."""

import inspect
import logging
import os
import pkgutil
import signal
import sys
from collections.abc import Callable
from typing import Any, Final

from rlglue.errors import GlueError

# The exit code after an expected error. The exit code after a wrong option is 2, as click defines.
FAILED: Final = 1


def of_signal(number: int) -> int:
    """Return the exit code that a shell reports for a process killed by a signal."""
    return 128 + number


INTERRUPTED: Final = of_signal(signal.SIGINT)
TERMINATED: Final = of_signal(signal.SIGTERM)


def configure_logging(verbose: bool = False) -> None:
    """Log to stderr in the format `HH:MM:SS message`. The lowest level is INFO, or DEBUG if verbose."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S"
    )


def use_threads(count: int) -> None:
    """Set the thread count of torch, also for child processes. Only one thread gives reproducible results."""
    # OpenMP and MKL read these variables when they start.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(count)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(count)


def run_as_script(main: Callable[[], None]) -> None:
    """Run a main function. After a GlueError, print the error in one line and exit with code 1."""
    sys.path.insert(0, "")
    try:
        main()
    except GlueError as error:
        raise SystemExit(f"Error: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def new_from_command_line() -> Any:  # noqa: ANN401 - a user's class
    """Return an instance of the class in the argument: MODULE.CLASS, or MODULE for a class of that name."""
    if len(sys.argv) != 2:
        raise GlueError(f"got {len(sys.argv) - 1} arguments; expected one: MODULE or MODULE.CLASS")
    name = sys.argv[1]
    try:
        named = pkgutil.resolve_name(name)
        return (getattr(named, name.rpartition(".")[2]) if inspect.ismodule(named) else named)()
    except (AttributeError, ImportError, ValueError) as error:
        raise GlueError(
            f"cannot find {name!r} ({error}): expected MODULE.CLASS, or MODULE with a class of that name"
        ) from None
