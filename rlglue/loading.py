"""The part that the two loaders share: they find a class by its name and run as scripts."""

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from rlglue.errors import GlueError
from rlglue.scripts import INTERRUPTED


def new_from_command_line(method: str) -> Any:  # noqa: ANN401 - a stranger's class
    """An instance of the class named by the first argument: MODULE.CLASS or MODULE.

    MODULE alone means the class of the same name, else its only class that has `method`.
    """
    if len(sys.argv) != 2:
        raise GlueError(f"got {len(sys.argv) - 1} arguments; expected one: MODULE or MODULE.CLASS")
    return _find_class(sys.argv[1], method)()


def _find_class(name: str, method: str) -> Any:  # noqa: ANN401 - a stranger's class
    try:
        return _class_of_module(import_module(name), method)
    except ModuleNotFoundError as error:
        module_name, _, class_name = name.rpartition(".")
        # A module that exists but imports one that does not is the user's own mistake: let it show.
        if not name.startswith(error.name or "\0"):
            raise
    try:
        return getattr(import_module(module_name), class_name)
    except (ValueError, ModuleNotFoundError, AttributeError):
        raise GlueError(f"cannot find {name!r}: expected MODULE or MODULE.CLASS in this folder") from None


def _class_of_module(module: ModuleType, method: str) -> Any:  # noqa: ANN401 - a stranger's class
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


def run_as_script(main: Callable[[], None]) -> None:
    """Run a loader's main function: one line and exit code 1 for every expected error."""
    sys.path.insert(0, "")
    try:
        main()
    except GlueError as error:
        raise SystemExit(f"Error: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
