"""Names of runs, checkpoints, learners, and players for print."""

import re
import secrets
import time
from collections.abc import Mapping
from pathlib import Path

from othello_lab.game.notation import printable
from othello_lab.game.registry import announced

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


TRAINED = "trained"
"""The player that a checkpoint of any of them is: `trained:PATH`."""


def learner_names() -> set[str]:
    """Return the names of all learners, from the entry-point group `othello.learners`."""
    return {entry.name for entry in announced("othello.learners")}


SUFFIX = ".safetensors"
"""Of a checkpoint."""


def told_name(config: Mapping[str, object]) -> str:
    """Return what an agent calls itself in its answer to `config`: its text, or its name; "" for neither."""
    name = config.get("text") or config.get("agent")
    return printable(name) if isinstance(name, str) else ""


FINAL_POLICY = "policy"
"""What the agent has learned by the end."""
START = "start"
"""The checkpoint whose policy a run of self-play may begin with."""


def policy_name(episode: int) -> str:
    """Return the name of a saved policy."""
    return f"{FINAL_POLICY}-{episode:08d}"
