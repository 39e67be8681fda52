"""A trained AlphaZero network: it guides searches, judges positions and plays by a search."""

from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.alphazero.network import WEIGHTS, Outputs, ResidualNetwork, make_network, precision_of
from othello_lab.agent.checkpoint import Arrays, Forms
from othello_lab.agent.policy import Learned, to_move
from othello_lab.agent.saving import SavedPolicy
from othello_lab.agent.weights import network_forms, put
from othello_lab.game.batch.games import planes
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import Evaluator
from othello_lab.game.evaluators.evaluator import EXPECTED_RESULT
from othello_lab.game.players.base import Player
from othello_lab.game.players.guided import GuidedPolicy
from othello_lab.game.search.guided import GuidedLimits

_AT_ONCE = 4096
"""Positions of one forward pass."""


class NetworkGuide(Evaluator):
    """A network as an evaluator, and as the guide of a search: `game.search.guided.Guide`."""

    unit = EXPECTED_RESULT

    def __init__(self, network: ResidualNetwork, config: AlphaZeroConfig) -> None:
        self.network, self._config = network, config
        self._device = network.last.weight.device

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return logits [n, squares] and expected results [n] of positions whose side to move can move."""
        outputs = self._outputs(positions)
        return outputs.logits.cpu().numpy(), outputs.values.cpu().numpy().astype(np.float64)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the expected result of each position for its side to move, float64 [n].

        Where it must pass, that is minus what the other side expects.
        """
        movers, signs = to_move(positions)
        return signs * self.judge(movers)[1]

    @torch.inference_mode()
    def _outputs(self, positions: Positions) -> Outputs:
        seen = torch.from_numpy(planes(positions, np.float32)).flatten(1)  # [n, 4 * squares]
        seen = seen.to(self._device)
        with precision_of(self._config, self._device):
            parts = [self.network(part) for part in torch.split(seen, _AT_ONCE)]
        return Outputs(*map(torch.cat, zip(*parts, strict=True)))


def limits_of(config: AlphaZeroConfig) -> GuidedLimits:
    """Return how far the searches of a configuration go."""
    return GuidedLimits(config.simulations, config.considered, solve=config.solve)


class AlphaZeroPolicy(Learned[AlphaZeroConfig]):
    """Plays by the search of its configuration."""

    prefix = WEIGHTS

    def __init__(self, saved: SavedPolicy[AlphaZeroConfig]) -> None:
        network = make_network(saved.config, saved.size)
        put(saved.arrays, network, self.prefix)
        self._guide, self._limits = NetworkGuide(network, saved.config), limits_of(saved.config)

    @classmethod
    def forms(cls, config: AlphaZeroConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        few = config.blocks <= len(arrays)
        return network_forms(partial(make_network, config, size), cls.prefix) if few else None

    def player(self) -> Player:
        """See `Learned`."""
        return GuidedPolicy(self._guide, self._limits)

    def evaluator(self) -> NetworkGuide:
        """See `Learned`."""
        return self._guide
