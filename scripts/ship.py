"""Add a policy to the package, with float16 weights: `python -m scripts.ship POLICY RECIPE [NAME]`.

The policy is written into the folder of its method. Then `METHOD:NAME` is the player on boards of this size;
NAME is pretrained by default. If the policy is an n-tuple network, run scripts/fit_probcut.py afterwards: it
fits the `.probcut.json` file of the network.
"""

import sys
from pathlib import Path

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.trained import PRETRAINED, board_size

_ANYWHERE = {"teacher": "none", "precision": "float32"}
"""Values that replace options which depend on the training machine: a path, and bfloat16."""


def ship(policy: Path, recipe: str, agents: Path, name: str = PRETRAINED) -> Path:
    """Write a policy and its recipe below `agents`, the folder of all methods; return the path.

    Raises CheckpointError if the file is not a learner's policy.
    """
    size, stored = board_size(policy), checkpoint.load(policy)
    config = dict(stored.values["config"])
    config |= {option: value for option, value in _ANYWHERE.items() if option in config}
    path = agents / stored.kind / name / f"{size}x{size}{checkpoint.SUFFIX}"
    halves = {array_name: array.astype(np.float16) for array_name, array in stored.arrays.items()}
    checkpoint.save(path, stored.kind, halves, {**stored.values, "config": config, "recipe": recipe})
    return path


if __name__ == "__main__":
    print(ship(Path(sys.argv[1]), sys.argv[2], Path(__file__).parent.parent / "agent", *sys.argv[3:]))
