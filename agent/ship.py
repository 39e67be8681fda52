"""Makes a policy that ships, its weights as halves: `python -m othello_lab.agent.ship POLICY RECIPE [NAME]`.

It goes into the package of its method, as `METHOD:NAME` for boards of its size; without a name that is
`METHOD:pretrained`. After an n-tuple network has changed, scripts/fit_probcut.py fits anew how well its
shallow searches predict its deep ones, into the `.probcut.json` beside it.
"""

import sys
from pathlib import Path

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.dqn.config import NO_TEACHER
from othello_lab.agent.trained import PRETRAINED, board_size

_ANYWHERE = {"teacher": NO_TEACHER, "precision": "float32"}
"""For what is of the machine that made a network: a path perhaps, and halves that few processors multiply.

The recipe tells both.
"""


def ship(policy: Path, recipe: str, agents: Path, name: str = PRETRAINED) -> Path:
    """Write a policy and how it was made, below the folder of all methods; return the file.

    Raises CheckpointError for what is no policy of a learner.
    """
    size, stored = board_size(policy), checkpoint.load(policy)
    config = dict(stored.values["config"])
    config |= {name: value for name, value in _ANYWHERE.items() if name in config}
    path = agents / stored.kind / name / f"{size}x{size}{checkpoint.SUFFIX}"
    halves = {name: array.astype(np.float16) for name, array in stored.arrays.items()}
    checkpoint.save(path, stored.kind, halves, {**stored.values, "config": config, "recipe": recipe})
    return path


if __name__ == "__main__":
    print(ship(Path(sys.argv[1]), sys.argv[2], Path(__file__).parent, *sys.argv[3:]))
