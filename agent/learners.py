"""The catalogue of learning methods: a name in, how to configure, make and load its learners out.

A method is announced like whatever needs torch, by the entry-point group `othello.learners`: the name of the
entry point is that of the method, its object a `Method`. Ours stand in pyproject.toml.
"""

from importlib.metadata import entry_points
from typing import Any

from agent.learner import Method
from game.registry import RegistryError, similar

GROUP = "othello.learners"
AnyMethod = Method[Any, Any]


def names() -> list[str]:
    """Return the names of all methods, those of other packages included.

    Raises RegistryError where even ours are missing.
    """
    found = sorted(entry.name for entry in entry_points(group=GROUP))
    if not found:
        raise RegistryError("this installation is older than its files: python -m pip install -e .")
    return found


def find(name: str) -> AnyMethod:
    """Return the method of that name; raise RegistryError if there is none."""
    for entry in entry_points(group=GROUP, name=name):
        method: AnyMethod = entry.load()
        return method
    raise RegistryError(f"there is no learner {name!r}{similar(name, names())}")
