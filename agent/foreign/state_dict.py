"""The state dict in what torch.save wrote: sizes are held to the bytes there before a tensor is made.

torch.load itself would make whatever a file asks for, such as a tensor of terabytes that repeats one number.
The file is a zip of numbers, uncompressed, and of a pickle that says which of them are which tensor's.
"""

import io
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile

import torch
from torch import Tensor, nn

from othello_lab.agent.foreign.files import LARGEST, Call, Outside, PolicyError, describe, member, reading

_TENSOR: Final = "torch._utils _rebuild_tensor_v2"
_PARAMETER: Final = "torch._utils _rebuild_parameter"
_DTYPES: Final = {
    "torch FloatStorage": torch.float32,
    "torch DoubleStorage": torch.float64,
    "torch HalfStorage": torch.float16,
    "torch BFloat16Storage": torch.bfloat16,
}
_LARGEST_PICKLE: Final = 2**20
"""Bytes: those of some thousand layers."""
_NO_STATE_DICT: Final = "holds no state dict: save what network.state_dict() returns"
_EXPECTED: Final = "holds no weights as torch.save writes those of a state_dict()"
DIVERGED: Final = "has weights that are no finite numbers: the training that made them has diverged"


class Weight(NamedTuple):
    """A tensor of a file, as the file describes it."""

    path: Path
    archive: ZipFile
    name: str
    """In the state dict."""
    key: str
    """Of its numbers in the archive."""
    kind: str
    """Of its numbers, as torch names it."""
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]

    def tensor(self) -> Tensor:
        """Return the tensor as float32; raise PolicyError if it does not fit its bytes, or is not finite."""
        dtype = _DTYPES.get(self.kind)
        if dtype is None:
            kind = self.kind.removeprefix("torch ")[:60]
            raise PolicyError(f"{self._whose} is of {kind!r}: only floating-point numbers can be read")
        with reading(self.path, _EXPECTED):
            data = member(self.path, self.archive, self.key)
            held = torch.frombuffer(bytearray(data), dtype=dtype) if data else torch.empty(0, dtype=dtype)
            self._check_size(len(held))
            made = held.as_strided(self.shape, self.stride, self.offset).to(torch.float32, copy=True)
        if not is_finite(made):
            raise PolicyError(f"{self._whose} {DIVERGED}")
        return made

    def _check_size(self, held: int) -> None:
        last = self.offset + sum(
            (length - 1) * step for length, step in zip(self.shape, self.stride, strict=True)
        )
        if not (0 < prod(self.shape) <= held and last < held):
            shape = " x ".join(str(length)[:20] for length in self.shape[:4])
            raise PolicyError(
                f"{self._whose} is said to be {shape}, but the file holds {held} numbers for it"
            )

    @property
    def _whose(self) -> str:
        return f"{self.path}: {self.name[:60]!r}"


Weights = Mapping[str, Weight]


def is_finite(tensor: Tensor) -> bool:
    """Tell whether all numbers of a tensor are finite, without a copy of them."""
    return not tensor.numel() or all(bool(bound.isfinite()) for bound in tensor.aminmax())


def read_weights(path: Path, data: bytes) -> Weights:
    """Return the state dict in the bytes of a file, without running any code of it; raise PolicyError."""
    with reading(path, _EXPECTED):
        archive = ZipFile(io.BytesIO(data))
        folder = archive.namelist()[0].partition("/")[0]
        found = describe(member(path, archive, f"{folder}/data.pkl", _LARGEST_PICKLE))
        if not (isinstance(found, dict) and all(isinstance(name, str) for name in found)):
            raise PolicyError(f"{path} {_NO_STATE_DICT}")
        weights = {name: _weight(path, archive, folder, name, value) for name, value in found.items()}
        _check(path, archive, folder, weights)
    return weights


def _weight(path: Path, archive: ZipFile, folder: str, name: str, value: object) -> Weight:
    """Return a tensor as the pickle describes it; raise PolicyError for anything else."""
    match value:
        case Call(function, (tensor, _, _)) if function == _PARAMETER:
            return _weight(path, archive, folder, name, tensor)
        case Call(
            function,
            (Outside(("storage", str(kind), str(key), _, _)), int(offset), tuple(shape), tuple(stride), _, _),
        ) if function == _TENSOR and _are_counts(offset, *shape, *stride) and len(shape) == len(stride):
            return Weight(path, archive, name, f"{folder}/data/{key}", kind, offset, shape, stride)
        case Call(str(function), _) if function.startswith("torch."):
            made = function.rpartition(" ")[2][:60]
            raise PolicyError(f"{path}: {name[:60]!r} is no plain dense tensor but made by {made!r}")
        case Call():
            raise PolicyError(f"{path} {_EXPECTED}")
    raise PolicyError(f"{path} {_NO_STATE_DICT}")


def _are_counts(*numbers: object) -> bool:
    return all(type(number) is int and number >= 0 for number in numbers)


def _check(path: Path, archive: ZipFile, folder: str, weights: Weights) -> None:
    """Raise PolicyError for more numbers than are read, or those of another kind of machine."""
    held = sum(archive.getinfo(weight.key).file_size for weight in weights.values())
    if held > LARGEST:
        raise PolicyError(f"{path} holds weights of {held} bytes: at most {LARGEST} are read")
    name = f"{folder}/byteorder"
    if name in archive.namelist() and member(path, archive, name, 20) != b"little":
        raise PolicyError(f"{path} has another byte order than little-endian")


ACTIVATIONS: Final[dict[str, type[nn.Module]]] = {
    each.__name__.lower(): each
    for each in (nn.ReLU, nn.Tanh, nn.ELU, nn.GELU, nn.LeakyReLU, nn.SiLU, nn.Sigmoid, nn.Identity)
}
"""What may stand between two layers, as torch has it by default."""


def layers_of(path: Path, weights: Weights) -> list[nn.Linear]:
    """Return the linear layers of a state dict, in its order; raise PolicyError if it has anything else."""
    names = list(dict.fromkeys(name.rpartition(".")[0] for name in weights))
    if not names:
        raise PolicyError(f"{path} has no weights")
    for name in weights:
        if name.rpartition(".")[2] not in ("weight", "bias"):
            raise PolicyError(f"{path} has {name[:60]!r}: only linear layers can be read")
    return [_layer(path, name, weights) for name in names]


def _layer(path: Path, name: str, weights: Weights) -> nn.Linear:
    weight, bias = (weights.get(f"{name}.{part}") for part in ("weight", "bias"))
    if weight is None or len(weight.shape) != 2 or (bias is not None and bias.shape != weight.shape[:1]):
        raise PolicyError(f"{path}: {name[:60]!r} is no linear layer, and only those can be read")
    # The tensors first: their sizes are held to the bytes that are there.
    values = {"weight": weight.tensor()} | ({} if bias is None else {"bias": bias.tensor()})
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias is not None, device="meta")
    layer.load_state_dict(values, assign=True)
    return layer


def stacked(path: Path, layers: list[nn.Linear], activation: str, size: int) -> nn.Module:
    """Return layers with an activation between them, float [n, 4 * N * N] to [n, N * N] or with the pass.

    Raises PolicyError where they do not fit each other or boards of `size`.
    """
    squares, found = size * size, [layer.in_features for layer in layers]
    expected = [4 * squares, *(layer.out_features for layer in layers[:-1])]
    if found != expected or layers[-1].out_features not in (squares, squares + 1):
        shapes = ", ".join(f"{layer.in_features} to {layer.out_features}" for layer in layers)
        raise PolicyError(
            f"{path} has layers {shapes}; a policy for {size}x{size} goes from {4 * squares} to {squares + 1}"
        )
    parts = [part for layer in layers for part in (layer, ACTIVATIONS[activation]())]
    return nn.Sequential(*parts[:-1]).eval().requires_grad_(requires_grad=False)
