"""A sign of life while slow libraries are loaded."""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

_SLOW: Final = {
    "numpy": "numpy",
    "numba": "the compiled rules",
    "torch": "torch",
    "matplotlib": "matplotlib",
    "gymnasium": "gymnasium",
    "ray": "Ray",
}
"""Libraries, and what to call them."""


class _Announcer(MetaPathFinder):
    """Finds the slow libraries as Python itself does, and says so while they load."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a slow library is loaded; None for any other, which others find."""
        found = PathFinder.find_spec(fullname, path, target) if fullname in _SLOW else None
        if found and found.loader:
            load = found.loader.exec_module

            def loading(module: ModuleType) -> None:
                with _told(f"loading {_SLOW[fullname]} ..."):
                    load(module)

            setattr(found.loader, "exec_module", loading)  # noqa: B010  mypy knows it as a method
        return found


@contextmanager
def _told(line: str) -> Iterator[None]:
    """Show a line as long as this goes on, where a person sees it and nothing else is drawn."""
    if not _is_free():
        yield
        return
    print(f"\r{line}", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print(f"\r{' ' * len(line)}\r", end="", file=sys.stderr, flush=True)


def _is_free() -> bool:
    """Tell whether there is a terminal without a full-screen program on it."""
    if threading.current_thread() is not threading.main_thread() or not sys.stderr.isatty():
        return False
    if "asyncio" not in sys.modules:
        return True
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return True
    return False


def announce_slow_imports() -> None:
    """Say from now on what is being loaded where that takes long."""
    sys.meta_path.insert(0, _Announcer())
