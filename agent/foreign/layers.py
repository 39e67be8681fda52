"""A network of linear layers from its weights alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

import torch
from torch import Tensor, nn

ACTIVATIONS: Final[dict[str, type[nn.Module]]] = {
    each.__name__.lower(): each
    for each in (nn.ReLU, nn.Tanh, nn.ELU, nn.GELU, nn.LeakyReLU, nn.SiLU, nn.Sigmoid, nn.Identity)
}
"""What may stand between two layers, as torch has it by default."""
Weights = Mapping[str, Tensor]


class PolicyError(ValueError):
    """A file that is no policy that can be played here."""


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
    if weight is None or weight.dim() != 2 or (bias is not None and bias.shape != weight.shape[:1]):
        raise PolicyError(f"{path}: {name[:60]!r} is no linear layer, and only those can be read")
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias is not None, device="meta")
    values = {"weight": weight.float()} | ({} if bias is None else {"bias": bias.float()})
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


def _is_weight(item: tuple[object, object]) -> bool:
    name, value = item
    return isinstance(name, str) and isinstance(value, Tensor)


def read_weights(path: Path, file: Path | IO[bytes]) -> Weights:
    """Return the state dict in what torch.save wrote, without running any code of it; raise PolicyError."""
    try:
        found = torch.load(file, map_location="cpu", weights_only=True)
    except OSError as error:
        raise PolicyError(f"the policy {path} could not be read: {error.strerror}") from None
    except Exception:  # of many kinds, whatever the bytes make torch stumble over
        raise PolicyError(f"{path} holds no weights as torch.save writes those of a state_dict()") from None
    if not (isinstance(found, Mapping) and all(map(_is_weight, found.items()))):
        raise PolicyError(f"{path} holds no state dict: save what network.state_dict() returns")
    return found
