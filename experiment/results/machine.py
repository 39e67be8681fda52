"""Where and by what a run was carried out, for config.json."""

import os
import platform
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from experiment.results.lock import command_line

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_OURS = Path(__file__).parents[2]
_SECONDS = 5.0
AGENT_THREADS = 1
"""Of torch, in an agent that is made for a run: then the same seed gives the same run to the byte."""


def session(own_agent: bool) -> dict[str, Any]:
    """Return what may differ from one session of a run to the next; `own_agent`: it is made for the run."""
    return {
        "begun": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "command_line": command_line(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "platform": platform.platform(),
        "threads": {
            "agent": AGENT_THREADS if own_agent else None,
            **{name: os.environ.get(name) for name in _THREADS},
        },
        "versions": versions(),
        "commit": commit(),
    }


def processor() -> str:
    """Return the name of the processor, as exactly as the system tells it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, name = line.partition(":")
            if key.strip() == "model name":
                return name.strip()
    return (
        _output_of("sysctl", "-n", "machdep.cpu.brand_string") or platform.processor() or platform.machine()
    )


def commit() -> str | None:
    """Return the commit of this program, with "-dirty" if files have changed; None where there is none."""
    if not (_OURS / ".git").exists():  # installed: a .git further up is that of another project
        return None
    return _output_of(
        "git", "-C", str(_OURS), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"
    )


def _output_of(*command: str) -> str | None:
    """What a program prints; None if it is not there or fails."""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603  one of those above
            command, capture_output=True, text=True, timeout=_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
        return done.stdout.strip() or None
    return None


def versions() -> dict[str, str | None]:
    """Return the versions that a run depends on; None for a package that is not installed."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for package in ("othello-lab", "numpy", "numba", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found
