"""Names of runs, of sweeps and of what they hold."""

import re
import secrets
import time
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


def is_name(text: str) -> bool:
    """Tell whether a text may be the name of a run."""
    return _NAME.fullmatch(text) is not None


def run_names(runs: Path) -> list[str]:
    """Return the names of the runs in a folder."""
    return sorted(path.parent.name for path in runs.glob("*/config.json"))


def new_name() -> str:
    """Return a name that no other run has: date, time and a random part."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
