"""Other libraries to compare with, where they are installed."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from othello.extras import how_to_install

_MODULES: Final = {"open_spiel": "pyspiel"}
"""Name in the registry: name of the module, where the one does not say the other."""


def installed(name: str) -> Any:  # noqa: ANN401  a module without types, or None
    """Return the module of a library, by its name in the registry; None where it is not installed."""
    try:
        return import_module(_MODULES.get(name, name.replace("-", "_")))
    except ImportError:
        return None


def not_compared(*names: str) -> Iterator[str]:
    """Yield a line for each library that is not installed."""
    for name in names:
        if installed(name) is None:
            yield f"not compared with {name}: to do so, {how_to_install(name)}"
