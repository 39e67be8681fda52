"""Makes a policy that ships, its weights as float16: `python -m scripts.ship POLICY RECIPE [NAME]`.

It goes into the folder of its method, as `METHOD:NAME` for boards of its size; NAME is pretrained by default.
After an n-tuple network has changed, scripts/fit_probcut.py fits the `.probcut.json` beside it.
"""

import sys
from pathlib import Path

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.trained import PRETRAINED, board_size

_ANYWHERE = {"teacher": "none", "precision": "float32"}
"""In place of options that depend on the machine of the training: a path, and bfloat16."""


def ship(policy: Path, recipe: str, agents: Path, name: str = PRETRAINED) -> Path:
    """Write a policy and how it was made, below the folder of all methods; return the file.

    Raises CheckpointError for a file that is no policy of a learner.
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
