"""Logging and exit codes of command-line programs, and the class of a user that a program loads."""

import inspect
import logging
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from rlglue.errors import GlueError

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


def run_as_script(main: Callable[[], None]) -> None:
    """Run a main function. After a GlueError, print the error in one line and exit with code 1."""
    sys.path.insert(0, "")
    try:
        main()
    except GlueError as error:
        raise SystemExit(f"Error: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def new_from_command_line(method: str) -> Any:  # noqa: ANN401 - a user's class
    """Return an instance of the class that the first command-line argument names.

    The argument is MODULE.CLASS or MODULE. MODULE alone means the class with the name of the module, or else
    the only class with the method `method`.
    """
    if len(sys.argv) != 2:
        raise GlueError(f"got {len(sys.argv) - 1} arguments; expected one: MODULE or MODULE.CLASS")
    return _find_class(sys.argv[1], method)()


def _find_class(name: str, method: str) -> Any:  # noqa: ANN401 - a user's class
    try:
        return _class_of_module(import_module(name), method)
    except ModuleNotFoundError as error:
        module_name, _, class_name = name.rpartition(".")
        # If the module exists but imports a missing module, that error must reach the user.
        if not name.startswith(error.name or "\0"):
            raise
    try:
        return getattr(import_module(module_name), class_name)
    except (ValueError, ModuleNotFoundError, AttributeError):
        raise GlueError(f"cannot find {name!r}: expected MODULE or MODULE.CLASS in this folder") from None


def _class_of_module(module: ModuleType, method: str) -> Any:  # noqa: ANN401 - a user's class
    same_name = getattr(module, module.__name__.rpartition(".")[2], None)
    if inspect.isclass(same_name):
        return same_name
    classes = [
        member
        for _, member in inspect.getmembers(module, inspect.isclass)
        if member.__module__ == module.__name__ and hasattr(member, method)
    ]
    if len(classes) != 1:
        raise GlueError(
            f"{module.__name__} has {len(classes)} classes with {method}; expected one, or MODULE.CLASS"
        )
    return classes[0]
