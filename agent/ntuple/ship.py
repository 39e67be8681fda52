"""Makes a policy that ships of one that was trained: `python -m agent.ntuple.ship POLICY RECIPE`."""

import sys
from pathlib import Path

import numpy as np

from agent import checkpoint
from agent.ntuple.network import PLAYS
from agent.trained import PRETRAINED


def ship(policy: Path, recipe: str, folder: Path) -> Path:
    """Write the weights of a policy as halves, with the command that trained it; return the file.

    Raises CheckpointError.
    """
    stored = checkpoint.load(policy, "ntuple")
    halves = {PLAYS: stored.arrays[PLAYS].astype(np.float16)}
    size = stored.values["size"]
    path = folder / f"{size}x{size}{checkpoint.SUFFIX}"
    checkpoint.save(path, stored.kind, halves, {**stored.values, "recipe": recipe})
    return path


if __name__ == "__main__":
    print(ship(Path(sys.argv[1]), sys.argv[2], Path(__file__).parent / PRETRAINED))
