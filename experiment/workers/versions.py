"""The versions of libraries and of our code, and the name of the processor. Results depend on all three."""

import os
import platform
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Final

OURS: Final = Path(str(files("othello_lab"))).parent  # The folder of our packages.
_SECONDS = 5.0


@cache
def versions() -> dict[str, str | None]:
    """Return the version of each dependency of a run, or None for a missing package."""
    result: dict[str, str | None] = {"python": platform.python_version()}
    for package in ("othello-lab", "numpy", "numba", "torch"):
        try:
            result[package] = version(package)
        except PackageNotFoundError:
            result[package] = None
    return result


def processor() -> str:
    """Return the name of the processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, name = line.partition(":")
            if key.strip() == "model name":
                return name.strip()
    return platform.processor() or platform.machine()


def commit() -> str | None:
    """Return our commit, with the suffix `-dirty` for uncommitted changes, or None outside a git checkout."""
    if not (OURS / ".git").exists():  # any .git above an installed package belongs to another project
        return None
    git = ["git", "-C", os.fspath(OURS)]
    command = [*git, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603  git
            command, capture_output=True, text=True, timeout=_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
        return done.stdout.strip() or None
    return None
