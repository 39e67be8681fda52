"""Where and by what a run was carried out, for config.json."""

from importlib.metadata import PackageNotFoundError, version
from platform import python_version


def versions() -> dict[str, str | None]:
    """Return the versions that a run depends on; None for a package that is not installed."""
    found: dict[str, str | None] = {"python": python_version()}
    for package in ("othello-lab", "numpy", "numba", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found
