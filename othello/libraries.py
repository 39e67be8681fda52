"""Libraries: a sign of life while slow ones are loaded, and how to install one that is missing."""

import re
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


NAME: Final = "othello-lab"
WHOLE: Final = ("all", "dev")
"""Extras that are made of others."""


def how_to_install(package: str) -> str:
    """Return the command that installs a package; it names the extra of ours that the package belongs to."""
    wanted = next((extra for extra, name in _extras() if name == _plain(package)), None)
    return "python -m pip install " + (f"'{NAME}[{wanted}]'" if wanted else package)


def _extras() -> Iterator[tuple[str, str]]:
    """Yield each extra with each package that it requires."""
    from importlib.metadata import requires  # slow

    for requirement in requires(NAME) or []:
        found = re.match(r"([\w.-]+).*\bextra == ['\"](\w+)", requirement)
        if found and found[2] not in WHOLE:
            yield found[2], _plain(found[1])


def _plain(name: str) -> str:
    """Return a package's name as that of its module is mostly spelled."""
    return re.sub(r"[-.]", "_", name).lower()
