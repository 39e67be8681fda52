"""A network of linear layers from its weights alone."""

from pathlib import Path
from typing import Final

from torch import nn

from agent.foreign.files import PolicyError
from agent.foreign.state_dict import Weights

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
