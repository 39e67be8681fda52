"""A trained network with a policy and a value: it judges positions, and guides searches."""

from functools import partial
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, Forms, SavedPolicy
from othello_lab.agent.policy import Learned, finite, to_move
from othello_lab.agent.policy_value.base import WEIGHTS, NetworkOptions, base_of, seen
from othello_lab.agent.policy_value.network import Outputs, ResidualNetwork
from othello_lab.agent.weights import network_forms, put
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.values import EXPECTED_RESULT

_AT_ONCE = 4096
"""Positions of one forward pass."""


class NetworkGuide(Evaluator):
    """A network as an evaluator, and as the guide of a search: `game.search.guided.Guide`."""

    unit = EXPECTED_RESULT

    def __init__(self, network: ResidualNetwork, base: Evaluator | None = None) -> None:
        """`base` is the evaluator that the network stands on, if it does."""
        self.network, self.base = network, base
        self._device = network.last.weight.device

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return logits [n, squares] and expected results [n] of positions whose side to move can move.

        Raises UnplayableError if the network overflows.
        """
        outputs = self.outputs(torch.from_numpy(seen(positions, self.base)))
        values = outputs.values.cpu().numpy().astype(np.float64)
        return finite(outputs.logits.cpu().numpy()), finite(values)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the expected result of each position for its side to move, float64 [n].

        Where it must pass, that is minus what the other side expects.
        """
        movers, signs = to_move(positions)
        return signs * self.judge(movers)[1]

    def logits(self, shown: torch.Tensor) -> torch.Tensor:
        """Return the logits [n, squares], on the processor; see `outputs`."""
        return self.outputs(shown).logits.cpu()

    @torch.inference_mode()
    def outputs(self, shown: torch.Tensor) -> Outputs:
        """Return what the network says of positions that are shown to it so: `base.seen`."""
        parts = [self.network(part) for part in torch.split(shown.to(self._device), _AT_ONCE)]
        return Outputs(*map(torch.cat, zip(*parts, strict=True)))


C = TypeVar("C", bound=NetworkOptions)


class GuidePolicy(Learned[C]):
    """What was learned is a network with a policy and a value."""

    prefix = WEIGHTS

    def __init__(self, saved: SavedPolicy[C]) -> None:
        network = ResidualNetwork(saved.config, saved.size)
        put(saved.arrays, network, self.prefix)
        self.guide, self.config = NetworkGuide(network, base_of(saved)), saved.config

    @classmethod
    def forms(cls, config: C, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        few = config.blocks <= len(arrays)
        return network_forms(partial(ResidualNetwork, config, size), cls.prefix) if few else None

    def evaluator(self) -> NetworkGuide:
        """See `Learned`."""
        return self.guide
