"""The versions of libraries, of our code and of the processor, which the results depend on."""

import hashlib
import os
import platform
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Final

from othello_lab.game.registry import announced

OURS: Final = Path(str(files("othello_lab"))).parent
"""The folder of our packages."""
_PACKAGES: Final = (
    "othello_lab/agent",
    "othello_lab/environment",
    "othello_lab/experiment",
    "othello_lab/game",
    "rlglue",
)
_SUFFIXES: Final = {".py", ".json", ".safetensors"}
_DIGITS: Final = 12
_SECONDS = 5.0


def versions() -> dict[str, str | None]:
    """Return the versions that a run depends on. The version of a missing package is None."""
    result: dict[str, str | None] = {"python": platform.python_version()}
    for package in ("othello-lab", "numpy", "numba", "torch"):
        try:
            result[package] = version(package)
        except PackageNotFoundError:
            result[package] = None
    return result


def everything() -> dict[str, str | None]:
    """Return `versions()`, the versions of packages with learners, and a digest of our code and networks."""
    plugins = {entry.dist.name: entry.dist.version for entry in announced("othello.learners") if entry.dist}
    return {**versions(), **plugins, "code of othello-lab": _digest_of_code()}


@cache
def _digest_of_code() -> str:
    """Return a digest of the names and contents of our files."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((OURS / package).rglob("*")):
            if path.suffix in _SUFFIXES:
                digest.update(f"{path.relative_to(OURS).as_posix()}\n".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:_DIGITS]


def processor() -> str:
    """Return the name of the processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, name = line.partition(":")
            if key.strip() == "model name":
                return name.strip()
    return (
        _output_of("sysctl", "-n", "machdep.cpu.brand_string") or platform.processor() or platform.machine()
    )


def commit() -> str | None:
    """Return the commit of this program, with `-dirty` after changes. Return None without a git checkout."""
    if not (OURS / ".git").exists():  # our packages are installed; a .git above is of another project
        return None
    return _output_of(
        "git", "-C", os.fspath(OURS), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"
    )


def _output_of(*command: str) -> str | None:
    """Return the output of a program. Return None if the program does not exist or fails."""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603  one of those above
            command, capture_output=True, text=True, timeout=_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
        return done.stdout.strip() or None
    return None
