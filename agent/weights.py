"""The weights of torch networks as one tensor and as a checkpoint's arrays, and means over symmetries."""

from collections.abc import Callable
from functools import cache
from math import isqrt

import numpy as np
import torch
from torch import Tensor, nn

from othello_lab.agent.checkpoint import Arrays, Forms
from othello_lab.game import symmetry


def random_weights(seed: np.random.SeedSequence) -> torch.Generator:
    """Return the generator that draws the first weights of a learner."""
    return torch.Generator().manual_seed(int(seed.generate_state(1)[0]))


def initialise(network: nn.Module, generator: torch.Generator | None) -> None:
    """Draw weights with He-uniform initialisation (He et al. 2015, section 2.2). Set the biases to 0."""
    for layer in network.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d):
            nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu", generator=generator)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)


def flatten(network: nn.Module) -> Tensor:
    """Move all weights of a network into one tensor, for one operation on all, and return the tensor."""
    weights = list(network.parameters())
    flat = torch.cat([weight.detach().flatten() for weight in weights])
    for weight, part in zip(weights, torch.split(flat, [weight.numel() for weight in weights]), strict=True):
        weight.data = part.view_as(weight)
    return flat


def flat_gradients(network: nn.Module) -> Tensor:
    """Move all gradients of a network into one tensor, and return the tensor."""
    weights = list(network.parameters())
    flat = weights[0].new_zeros(sum(weight.numel() for weight in weights))
    for weight, part in zip(weights, torch.split(flat, [weight.numel() for weight in weights]), strict=True):
        weight.grad = part.view_as(weight)
    return flat


def to_arrays(network: nn.Module, prefix: str) -> Arrays:
    """Return the weights of a network as arrays, without copies of weights on the CPU."""
    return {prefix + name: weight.cpu().numpy() for name, weight in network.state_dict().items()}


def put(arrays: Arrays, network: nn.Module, prefix: str) -> None:
    """Copy arrays from `to_arrays` into a network. Names and shapes must be equal."""
    names = network.state_dict()
    network.load_state_dict({name: torch.from_numpy(arrays[prefix + name].copy()) for name in names})


def network_forms(make: Callable[[], nn.Module], prefix: str) -> Forms:
    """Return the shapes and dtypes of a network's arrays without allocation. Raises ValueError."""
    try:
        with torch.device("meta"):
            weights = make().state_dict().items()
    except (RuntimeError, TypeError):  # numbers too large for torch
        raise ValueError("it describes a network that is too large") from None
    return {prefix + name: (tuple(weight.shape), np.float32) for name, weight in weights}


def holding(arrays: Arrays, make: Callable[[], nn.Module], prefix: str) -> nn.Module:
    """Return a new network with the weights in `arrays`, without random initialisation."""
    with torch.device("meta"):
        network = make()
    network.to_empty(device="cpu")
    put(arrays, network, prefix)
    return network


def put_tensors(arrays: Arrays, tensors: dict[str, Tensor], prefix: str = "") -> None:
    """Copy each array into the tensor of the same name, after removal of `prefix`."""
    for name, tensor in tensors.items():
        tensor.copy_(torch.from_numpy(np.array(arrays[prefix + name])))


@cache
def _symmetries(size: int, device: torch.device) -> tuple[Tensor, Tensor]:
    inverses, permutations = symmetry.inverses(size), symmetry.permutations(size)
    return torch.tensor(inverses, device=device), torch.tensor(permutations, device=device)


def mean_of_symmetries(judge: Callable[[Tensor], Tensor], states: Tensor) -> Tensor:
    """Return the values of squares, [batch, squares], as more precise means over the 8 symmetries."""
    batch, planes, squares = states.shape
    sources, targets = _symmetries(isqrt(squares), states.device)
    turned = states[:, :, sources].transpose(1, 2).reshape(-1, planes, squares)  # [batch * 8, ...]
    values = judge(turned).view(batch, symmetry.SYMMETRIES, squares)
    return values.gather(2, targets.expand(batch, -1, -1)).mean(1)
