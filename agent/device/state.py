"""The files of a training on a device: its policy, and a state that is small enough to be carried about.

A state is two files, so that each stays under 16 MiB: what plays and learns, and what helps it to learn. They
are written under the number of the save, then those before are removed: a kill leaves a whole pair.
"""

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agent import checkpoint
from agent.checkpoint import CheckpointError, check_arrays
from agent.device import recipe as recipes
from agent.device.recipe import Recipe
from agent.dqn.config import DQNConfig

KIND = "on-device"
_PARTS = {"weights": ("online", "average"), "helpers": ("target", "optimiser.")}
"""The files of a state, by what the names of their tensors begin with."""
_LARGEST = 15_900_000
"""Bytes of a file's tensors."""
_COUNTERS = {"save": int, "plies": int, "updates": int, "drawn": int, "minutes": float}


class Progress(NamedTuple):
    """How far a training has come."""

    save: int = 0
    """The number of the last save."""
    plies: int = 0
    updates: int = 0
    drawn: int = 0
    """Random numbers."""
    minutes: float = 0.0
    """Of training, without evaluations."""


def save_policy(path: Path, network: nn.Module, config: DQNConfig, size: int) -> None:
    """Write what plays as the policy of a DQN agent: `trained:PATH`. Raises CheckpointError."""
    arrays = {f"average.{name}": weight.cpu().numpy() for name, weight in network.state_dict().items()}
    checkpoint.save(path, "dqn", arrays, {"size": size, "config": asdict(config)})


def load_policy(path: Path, network: nn.Module) -> None:
    """Read the weights of a policy into a network of the same configuration; raises CheckpointError."""
    stored = checkpoint.load(path, "dqn")
    own = network.state_dict()
    check_arrays(
        path, stored.arrays, {f"average.{name}": (tuple(w.shape), np.float32) for name, w in own.items()}
    )
    for name, weight in own.items():
        weight.copy_(torch.from_numpy(stored.arrays[f"average.{name}"].copy()))


def save_state(folder: Path, recipe: Recipe, progress: Progress, tensors: dict[str, Tensor]) -> None:
    """Write a state, and remove those before it. Raises CheckpointError."""
    values = {"recipe": recipes.to_values(recipe), **progress._asdict()}
    for part in _PARTS:
        arrays = {name: _packed(name, tensor) for name, tensor in _of(part, tensors).items()}
        checkpoint.save(_path(folder, progress.save, part), KIND, arrays, values)
    for path in folder.glob(f"state-*{checkpoint.SUFFIX}"):
        if (number := _number(path)) is not None and number != progress.save:
            checkpoint.remove(path)


def check_fits(tensors: dict[str, Tensor]) -> None:
    """Raise ValueError for a training whose state fits into no files of 16 MiB."""
    for part in _PARTS:
        size = sum(_packed(name, tensor).nbytes for name, tensor in _of(part, tensors).items())
        if size > _LARGEST:
            weights = f"{tensors['online'].numel():,}"
            raise ValueError(f"a network of {weights} weights does not fit into state files under 16 MiB")


def newest(folder: Path) -> int | None:
    """Return the number of the newest whole state in a folder, None if there is none."""
    numbers = [_number(path) for path in folder.glob(f"state-*{checkpoint.SUFFIX}")]
    whole = [n for n in numbers if n is not None and all(_path(folder, n, part).exists() for part in _PARTS)]
    return max(whole, default=None)


def load_progress(folder: Path) -> tuple[Recipe, Progress]:
    """Return how a training is done and how far it has come; raises CheckpointError."""
    number = newest(folder)
    if number is None:
        raise CheckpointError(f"{folder} holds no training to resume: start one without --resume")
    path = _path(folder, number, "weights")
    values = dict(checkpoint.load(path, KIND).values)
    try:
        recipe = recipes.from_values(values.pop("recipe", None))
    except ValueError as error:
        raise CheckpointError(f"{path} does not fit this version: {error}") from None
    for name, kind in _COUNTERS.items():
        if type(values.get(name)) is not kind or not 0 <= values[name] < 2**62:
            raise CheckpointError(f"{path} does not fit this version: {name} is no count")
    return recipe, Progress(**{name: values[name] for name in _COUNTERS})


def load_tensors(folder: Path, number: int, tensors: dict[str, Tensor]) -> None:
    """Read a state into tensors of the same shapes; raises CheckpointError."""
    for part in _PARTS:
        path, own = _path(folder, number, part), _of(part, tensors)
        stored = checkpoint.load(path, KIND)
        expected = {name: _packed(name, tensor) for name, tensor in own.items()}
        check_arrays(path, stored.arrays, {name: (a.shape, a.dtype) for name, a in expected.items()})
        for name, tensor in own.items():
            tensor.copy_(_unpacked(stored.arrays[name]))


def _of(part: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor for name, tensor in tensors.items() if name.startswith(_PARTS[part])}


def _packed(name: str, tensor: Tensor) -> NDArray[Any]:
    """Return a tensor as an array: the weights that learn as they are, others in half as many bits.

    The optimiser's numbers span many powers of ten: bfloat16, whose bits stand in an int16.
    """
    tensor = tensor.detach().cpu()
    if name == "online" or tensor.dim() == 0:
        array: NDArray[Any] = tensor.numpy()
    elif name.startswith("optimiser."):
        array = tensor.bfloat16().view(torch.int16).numpy()
    else:
        array = tensor.half().numpy()
    return array


def _unpacked(array: NDArray[Any]) -> Tensor:
    tensor = torch.from_numpy(array.copy())
    return tensor.view(torch.bfloat16) if tensor.dtype == torch.int16 else tensor


def _path(folder: Path, number: int, part: str) -> Path:
    return folder / f"state-{number:06d}-{part}{checkpoint.SUFFIX}"


def _number(path: Path) -> int | None:
    found = re.fullmatch(r"state-([0-9]{6,})-[a-z]+\.safetensors", path.name)
    return int(found[1]) if found else None
