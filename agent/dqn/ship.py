"""Makes the policy that ships, its weights as halves: `python -m agent.dqn.ship RECIPE POLICY`."""

import sys
from pathlib import Path

import numpy as np

from agent import checkpoint
from agent.dqn.saving import read_config
from agent.trained import PRETRAINED


def ship(policy: Path, recipe: str, folder: Path) -> Path:
    """Write a policy and how it was made; return the file. Raises CheckpointError."""
    stored = checkpoint.load(policy, "dqn")
    size = stored.values["size"]
    read_config(stored, size)
    path = folder / f"{size}x{size}{checkpoint.SUFFIX}"
    halves = {name: array.astype(np.float16) for name, array in stored.arrays.items()}
    checkpoint.save(path, stored.kind, halves, {**stored.values, "recipe": recipe})
    return path


if __name__ == "__main__":
    print(ship(Path(sys.argv[2]), sys.argv[1], Path(__file__).parent / PRETRAINED))
