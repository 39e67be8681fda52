"""Makes the policy that ships: `python -m agent.ntuple.ship RECIPE POLICY...`.

The mean of several runs' weights, as halves. What a network says is a function of a sum of weights, so the
mean of networks is a network that decides like all of them together, and costs no more than one. How well
shallow searches with it predict deep ones is then fitted anew, into the `.probcut.json` beside it:
`python -m game.search.fit_probcut ntuple:pretrained FILE`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agent import checkpoint
from agent.checkpoint import CheckpointError
from agent.ntuple.network import PLAYS, read_config
from agent.trained import PRETRAINED


def ship(policies: Sequence[Path], recipe: str, folder: Path) -> Path:
    """Write the mean of the policies and how they were made; return the file. Raises CheckpointError."""
    found = [checkpoint.load(policy, "ntuple") for policy in policies]
    first, size = found[0], found[0].values["size"]
    for stored in found:
        if read_config(stored, size).network != read_config(first, size).network:
            raise CheckpointError(f"{stored.path} has another network than {first.path}")
    mean = np.stack([stored.arrays[PLAYS] for stored in found]).mean(axis=0, dtype=np.float64)
    path = folder / f"{size}x{size}{checkpoint.SUFFIX}"
    values = {"size": size, "config": first.values["config"], "recipe": recipe}
    checkpoint.save(path, first.kind, {PLAYS: np.asarray(mean, np.float16)}, values)
    return path


if __name__ == "__main__":
    recipe, *policies = sys.argv[1:]
    print(ship([Path(policy) for policy in policies], recipe, Path(__file__).parent / PRETRAINED))
