"""All weights of a network as one tensor, and all their gradients as another."""

import torch
from torch import Tensor, nn


def flatten(network: nn.Module) -> Tensor:
    """Move the weights of a network into one tensor and return it.

    Each weight becomes a view of its part, so that whatever is done to all of them is one operation.
    """
    weights = list(network.parameters())
    flat = torch.cat([weight.detach().flatten() for weight in weights])
    for weight, part in zip(weights, torch.split(flat, [weight.numel() for weight in weights]), strict=True):
        weight.data = part.view_as(weight)
    return flat


def flat_gradients(network: nn.Module) -> Tensor:
    """Give a network gradients that are views of one tensor, and return that."""
    weights = list(network.parameters())
    flat = weights[0].new_zeros(sum(weight.numel() for weight in weights))
    for weight, part in zip(weights, torch.split(flat, [weight.numel() for weight in weights]), strict=True):
        weight.grad = part.view_as(weight)
    return flat
