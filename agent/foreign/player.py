"""Policies of other libraries as players: `sb3:PATH` from Stable-Baselines3, `mlp:PATH` from torch.

This module runs no code from a file. The networks see the four planes of `environment.adapters`.
"""

import io
import json
import pickletools
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.policy import BestMovePolicy
from othello_lab.game.batch import Positions, planes
from othello_lab.game.catalogue import Entry
from othello_lab.game.players.player import Player
from othello_lab.game.registry import RegistryError, Spec, similar
from othello_lab.game.safe_files import read_bytes

_LARGEST: Final = 128 * 2**20  # Maximum size of a file in bytes.
# The activation layers by name. They have no weights.
_ACTIVATIONS: Final[dict[str, type[nn.Module]]] = {
    layer.__name__.lower(): layer
    for layer in (nn.ReLU, nn.Tanh, nn.ELU, nn.GELU, nn.LeakyReLU, nn.SiLU, nn.Sigmoid, nn.Identity)
}
# The only names allowed in a pickle. A state dict of dense float tensors needs no others.
_GLOBALS: Final = {
    "collections OrderedDict",
    "torch._utils _rebuild_parameter",
    "torch._utils _rebuild_tensor_v2",
    *(f"torch {kind}Storage" for kind in ("Float", "Double", "Half", "BFloat16")),
}
_EXPECTED: Final = "holds no weights as torch.save writes those of a state_dict()"
# The families of MlpPolicy: PPO (with A2C, TRPO and MaskablePPO), DQN and QR-DQN. The columns are the prefix
# of the weights that choose actions, the prefix of other weights, and the default activation.
_FAMILIES: Final = (
    (("mlp_extractor.policy_net.", "action_net."), ("mlp_extractor.value_net.", "value_net."), "tanh"),
    (("q_net.",), ("q_net_target.",), "relu"),
    (("quantile_net.",), ("quantile_net_target.",), "relu"),
)


@contextmanager
def _reading(path: Path, expected: str) -> Iterator[None]:
    """Convert every error to RegistryError. A damaged or hostile file can cause many kinds of error."""
    try:
        yield
    except RegistryError:
        raise
    except OSError as error:
        raise RegistryError(f"the policy {path} could not be read: {error.strerror}") from None
    except Exception as error:
        raise RegistryError(f"{path} {expected}") from error


def _open(path: Path, data: bytes) -> ZipFile:
    """Return an open zip file. Raises RegistryError for compressed parts, which could be too large."""
    archive = ZipFile(io.BytesIO(data))
    parts = archive.infolist()
    is_stored = all(part.compress_type == ZIP_STORED for part in parts)
    if not is_stored or sum(part.file_size for part in parts) > len(data):
        raise RegistryError(f"{path} has compressed parts: expected a zip that stores them as they are")
    return archive


def _weights(path: Path, data: bytes) -> dict[str, Tensor]:
    """Return the state dict in the bytes of a file of torch.save, as float32. Raises RegistryError.

    Only for a memory-mapped file, torch refuses tensors beyond its end. So write `data` to a temporary file.
    """
    with _reading(path, _EXPECTED):
        archive = _open(path, data)
        if archive.testzip():
            raise RegistryError(f"{path} is damaged: a checksum differs")
        pickles = [
            archive.read(part) for part in archive.infolist() if part.filename.lower().endswith(".pkl")
        ]
        for opcode, name, _ in chain.from_iterable(map(pickletools.genops, pickles)):
            if opcode.name == "GLOBAL" and name not in _GLOBALS:  # for example a function that takes memory
                raise RegistryError(
                    f"{path} {_EXPECTED}: it names {str(name)[:60]!r}, not only dense float tensors"
                )
        with (
            TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            warnings.catch_warnings(action="ignore"),
        ):
            file = Path(folder, "policy.pth")
            file.write_bytes(data)
            tensors = torch.load(file, "cpu", weights_only=True, mmap=True)
            if not (isinstance(tensors, dict) and all(isinstance(name, str) for name in tensors)):
                raise RegistryError(f"{path} holds no state dict: save network.state_dict()")
            if sum(tensor.numel() * tensor.itemsize for tensor in tensors.values()) > len(data):
                raise RegistryError(f"{path} describes tensors that are larger than the file")
            weights = {name: tensor.detach().to(torch.float32, copy=True) for name, tensor in tensors.items()}
        for name, weight in weights.items():
            if weight.numel() and not all(bound.isfinite() for bound in weight.aminmax()):
                raise RegistryError(f"{path}: {name[:60]!r} is not finite: the training diverged")
        return weights


def _layers(path: Path, weights: Mapping[str, Tensor]) -> Iterator[nn.Linear]:
    """Yield the linear layers of a state dict in order. Raises RegistryError for other layers."""
    for name in weights:
        if name.rpartition(".")[2] not in ("weight", "bias"):
            raise RegistryError(f"{path} has {name[:60]!r}: only linear layers can be read")
    for name in dict.fromkeys(name.rpartition(".")[0] for name in weights):
        state = {part: weights[key] for part in ("weight", "bias") if (key := f"{name}.{part}") in weights}
        weight, bias = state.get("weight"), state.get("bias")
        is_linear = weight is not None and weight.ndim == 2 and weight.numel()
        if weight is None or not is_linear or (bias is not None and bias.shape != weight.shape[:1]):
            raise RegistryError(f"{path}: {name[:60]!r} is no linear layer, and only those can be read")
        layer = nn.Linear(weight.shape[1], weight.shape[0], bias is not None, device="meta")
        layer.load_state_dict(state, assign=True)
        yield layer


def _network(path: Path, weights: Mapping[str, Tensor], activation: str, size: int) -> nn.Module:
    """Return a network of linear layers from [n, 4*N*N] to [n, N*N] or [n, N*N + 1]. Raises RegistryError."""
    squares, layers = size * size, list(_layers(path, weights))
    if not layers:
        raise RegistryError(f"{path} has no weights")
    expected = [4 * squares, *(layer.out_features for layer in layers[:-1])]
    fits = [layer.in_features for layer in layers] == expected
    if not fits or layers[-1].out_features not in (squares, squares + 1):
        shapes = ", ".join(f"{layer.in_features} to {layer.out_features}" for layer in layers)
        raise RegistryError(
            f"{path} has layers {shapes}; a policy for {size}x{size} goes from {4 * squares} to {squares + 1}"
        )
    parts = [part for layer in layers for part in (layer, _ACTIVATIONS[activation]())]
    return nn.Sequential(*parts[:-1]).eval().requires_grad_(requires_grad=False)


def _sb3_network(path: Path, data: bytes, activation: str | None, size: int) -> nn.Module:
    with _reading(path, "is no file that Stable-Baselines3 has saved"):
        archive = _open(path, data)
        weights = _weights(path, archive.read("policy.pth"))
        families = (one for one in _FAMILIES if all(name.startswith(one[0] + one[1]) for name in weights))
        family = next(families, None)
        if family is None:
            raise RegistryError(f"{path} is no MlpPolicy: only policies of linear layers can be read")
        acting, _, default = family
        weights = {name: weight for name, weight in weights.items() if name.startswith(acting)}
        if acting == ("quantile_net.",):
            actions = size * size + 1
            for name, weight in list(weights.items())[-2:]:  # the last layer, [quantiles * actions]
                if len(weight) % actions == 0:
                    weights[name] = weight.reshape(-1, actions, *weight.shape[1:]).mean(0)
        saved_activation = _saved_activation(path, json.loads(archive.read("data"))) or default
        return _network(path, weights, activation or saved_activation, size)


def _saved_activation(path: Path, data: object) -> str | None:
    """Return the activation in `policy_kwargs`, or None. Raises RegistryError if it is unknown."""
    arguments = data.get("policy_kwargs") if isinstance(data, dict) else None
    saved = arguments.get("activation_fn") if isinstance(arguments, dict) else None
    if saved is None:
        return None
    name = re.sub(r"\W*$", "", str(saved)).rpartition(".")[2].lower()
    if name not in _ACTIVATIONS:
        raise RegistryError(f"{path} has the activation {str(saved)[:60]!r}: name another with activation=")
    return name


def _make(spec: Spec, size: int) -> Player:
    """Return a player of the legal square with the highest output. Equal outputs give the lowest square."""
    path, activation = _path(spec), spec.options.get("activation")
    if activation is not None and activation not in _ACTIVATIONS:
        expected = similar(activation, [*_ACTIVATIONS])
        raise RegistryError(f"{spec.name}: activation is {activation!r}{expected}")
    with _reading(path, _EXPECTED):
        data = read_bytes(path, _LARGEST)
    if spec.name == "sb3":
        network = _sb3_network(path, data, activation, size)
    else:
        network = _network(path, _weights(path, data), activation or "relu", size)

    @torch.inference_mode()
    def judge(positions: Positions) -> NDArray[np.float64]:
        squares = positions.size**2
        states = torch.from_numpy(planes(positions, np.float32)).view(-1, 4 * squares)
        legal = states[:, 2 * squares : 3 * squares].bool()
        outputs: Tensor = network(states)[:, :squares]
        return outputs[legal].nan_to_num().numpy().astype(np.float64)  # weights of 1e38 can overflow

    return BestMovePolicy(judge, None)


def _path(spec: Spec) -> Path:
    """Return the path of the file, or PATH.zip if only that exists, because SB3 adds this suffix."""
    if not spec.argument:
        raise RegistryError(f"{spec.name} is {spec.name}:PATH, with the path of a policy")
    path = Path(spec.argument)
    zipped = path.with_name(path.name + ".zip")
    return zipped if not path.exists() and zipped.exists() else path


def _files(spec: Spec, size: int) -> tuple[Path, ...]:
    return (_path(spec),)


_OPTIONS: Final = {"activation": "the activation function between the linear layers, such as relu or tanh"}
MLP: Entry[Player] = Entry(
    _make, "a network of linear layers in a file of torch", "PATH", _OPTIONS, files=_files
)
SB3: Entry[Player] = Entry(
    _make, "an MlpPolicy of Stable-Baselines3 or sb3-contrib", "PATH", _OPTIONS, files=_files
)
