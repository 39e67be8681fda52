"""The network: a position in; a policy, a value and a score out."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from othello_lab.agent.policy_value.base import NO_BASE, SAMPLE, NetworkOptions
from othello_lab.agent.weights import initialise

SHARPNESS = 4.0
"""How much more a logit is when the base values a move by one more."""
_NEARLY_SURE = 0.99
"""The base is not taken for surer than this."""


class Outputs(NamedTuple):
    """What the network says of positions, each for its side to move."""

    logits: Tensor
    """Of the moves, [n, squares]; those of illegal squares mean nothing."""
    values: Tensor
    """The expected result, -1 to 1, [n]."""
    scores: Tensor
    """The expected final score as a share of all squares, -1 to 1, [n]."""


class ResidualNetwork(nn.Module):
    """Fully connected layers with ReLU, and a way around each two of them (He et al. 2016).

    What an evaluator says that it stands on, its base, goes around all of them: it has only to be corrected.
    """

    sample: Tensor
    """What the base says of a few positions, float32 [SAMPLE]; there is none without a base."""

    def __init__(self, options: NetworkOptions, size: int, generator: torch.Generator | None = None) -> None:
        """Weights start He-uniform, from `generator` (None for weights that will be replaced).

        Each block begins as no more than the way around it, and the outputs begin at 0.
        """
        super().__init__()
        squares, width = size * size, options.width
        self._has_base = options.base != NO_BASE
        if self._has_base:
            self.register_buffer("sample", torch.zeros(SAMPLE))
        self._has_halves = options.precision == "bfloat16"
        self.first = nn.Linear((4 + self._has_base) * squares, width)
        self.blocks = nn.ModuleList(_Block(width) for _ in range(options.blocks))
        self.last = nn.Linear(width, squares + 2)
        initialise(self, generator)
        for layer in (self.last, *(block.second for block in self.blocks if isinstance(block, _Block))):
            nn.init.zeros_(layer.weight)

    def forward(self, planes: Tensor) -> Outputs:
        """Return what it says of positions, float32 [n, 4 or 5, squares]: see `base.seen`."""
        with torch.autocast(planes.device.type, torch.bfloat16, enabled=self._has_halves):
            stream = self.first(planes.flatten(1))  # [n, width]
            for block in self.blocks:
                stream = block(stream)
            outputs = self.last(torch.relu(stream)).float()  # [n, squares + 2]
        logits, (values, scores) = outputs[:, :-2], outputs[:, -2:].unbind(1)
        if self._has_base:
            worths = planes[:, 4]
            best = worths.masked_fill(planes[:, 2] == 0, -1.0).amax(1)
            logits = logits + SHARPNESS * worths
            values = values + best.clamp(-_NEARLY_SURE, _NEARLY_SURE).atanh()
        return Outputs(logits, values.tanh(), scores.tanh())


class _Block(nn.Module):
    """Two layers and a way around them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)

    def forward(self, stream: Tensor) -> Tensor:
        """Return [n, width] from the same."""
        return stream + self.second(torch.relu(self.first(torch.relu(stream))))  # type: ignore[no-any-return]


def log_policy(logits: Tensor, illegal: Tensor) -> Tensor:
    """Return the logarithm of each move's probability, [n, squares]: minus infinity at illegal squares.

    Huang and Ontañón 2022: illegal moves have no share in the policy, nor in its gradient.
    """
    return logits.masked_fill(illegal, -torch.inf).log_softmax(1)
