"""Add a policy with float16 weights to the package, as the player `METHOD:NAME`.

    python -m scripts.ship POLICY RECIPE [NAME]

NAME is `pretrained` by default. For an n-tuple network, run scripts/fit_probcut.py afterwards.
"""

import sys
from pathlib import Path

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.trained import PRETRAINED, board_size

_ANYWHERE = {"teacher": "none", "precision": "float32"}  # Overrides machine-dependent options.


def ship(policy: Path, recipe: str, agents: Path, name: str = PRETRAINED) -> Path:
    """Write a policy and its recipe below the folder `agents`. Return the path. Raises CheckpointError."""
    size, stored = board_size(policy), checkpoint.load(policy)
    config = dict(stored.values["config"])
    config |= {option: value for option, value in _ANYWHERE.items() if option in config}
    path = agents / stored.kind / name / f"{size}x{size}{checkpoint.SUFFIX}"
    halves = {array_name: array.astype(np.float16) for array_name, array in stored.arrays.items()}
    checkpoint.save(path, stored.kind, halves, {**stored.values, "config": config, "recipe": recipe})
    return path


if __name__ == "__main__":
    print(ship(Path(sys.argv[1]), sys.argv[2], Path(__file__).parent.parent / "agent", *sys.argv[3:]))
