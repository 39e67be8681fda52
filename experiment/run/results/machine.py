"""The machine and the programs that a run was carried out with, for config.json."""

import os
import platform
from datetime import UTC, datetime
from typing import Any

from experiment.run.results.lock import command_line
from experiment.workers.versions import commit, processor, versions

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
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
