"""Policies that a run has kept, by how much training they had behind them."""

import re
from collections.abc import Iterable
from pathlib import Path

from experiment.run.results.checkpoint import FINAL_POLICY, Checkpoint
from experiment.run.results.short_names import SUFFIX

_POLICY = re.compile(FINAL_POLICY + r"-(\d{8,})")


def kept_policies(folder: Path, saved: Iterable[Checkpoint]) -> dict[int, Path]:
    """Return the files in a folder that can be played with, by the episodes that they had behind them.

    Those of policies that were kept, and the checkpoints that are recorded and still there.
    """
    recorded = {checkpoint.episode: folder / f"{checkpoint.name}{SUFFIX}" for checkpoint in saved}
    kept = {
        int(match[1]): path for path in folder.glob(f"*{SUFFIX}") if (match := _POLICY.fullmatch(path.stem))
    }
    found = {**recorded, **kept}
    return {episode: found[episode] for episode in sorted(found) if found[episode].is_file()}
