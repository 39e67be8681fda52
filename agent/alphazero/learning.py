"""Learning of the network: the loss of a batch of examples, and the steps of the optimiser."""

import copy
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import Adam

from othello_lab.agent.alphazero.memory import Examples
from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.alphazero.network import ResidualNetwork, make_network, precision_of
from othello_lab.agent.weights import flat_gradients, flatten
from othello_lab.game import symmetry
from othello_lab.game.batch.games import planes
from othello_lab.game.batch.positions import Positions


class Losses(NamedTuple):
    """The parts of the loss of a batch."""

    policy: Tensor
    """The cross entropy with the policies that searches found."""
    value: Tensor
    """The mean squared error."""
    score: Tensor
    """Likewise, of the final score as a share of all squares."""


def losses_of(network: ResidualNetwork, seen: Tensor, wanted: Examples) -> Losses:
    """Return the losses of examples, whose planes are `seen`, [n, 4, squares]."""
    outputs, illegal = network(seen.flatten(1)), seen[:, 2] == 0  # [n, squares]
    shares = outputs.logits.masked_fill(illegal, -torch.inf).log_softmax(1).masked_fill(illegal, 0.0)
    policies, values, scores = (
        torch.from_numpy(part.astype(np.float32)).to(seen.device)
        for part in (wanted.policies, wanted.values, wanted.scores)
    )
    return Losses(
        -(policies * shares).sum(1).mean(),
        functional.mse_loss(outputs.values, values),
        functional.mse_loss(outputs.scores, scores),
    )


class Learning:
    """A network that learns, one that is its running mean, and the optimiser."""

    def __init__(
        self, config: AlphaZeroConfig, size: int, generator: torch.Generator, device: torch.device
    ) -> None:
        self._config, self._size, self._device = config, size, device
        self.network = make_network(config, size, generator).to(device)
        self.average = copy.deepcopy(self.network)
        self._weights, self._mean = nn.Parameter(flatten(self.network)), flatten(self.average)
        self._weights.grad = self._gradients = flat_gradients(self.network)
        self.begin()

    def begin(self) -> None:
        """Begin the optimiser's state, which is one for all weights."""
        self._adam = Adam([self._weights], lr=self._config.learning_rate, fused=True)
        zeros = torch.zeros_like(self._gradients)
        self._state = {
            "step": torch.tensor(0.0, device=self._device),
            "exp_avg": zeros,
            "exp_avg_sq": zeros.clone(),
        }
        self._adam.state[self._weights] = self._state

    def update(self, examples: Examples, symmetries: NDArray[np.int64], share: float) -> Losses:
        """Learn once from examples, each seen under the symmetry of that number, [n].

        The mean moves by `share` towards the weights. Returns the losses before that.
        """
        positions = Positions(self._size, examples.own, examples.opponent)
        sources = symmetry.inverses(self._size)[symmetries]  # [n, squares]
        seen = planes(positions, np.float32).reshape(len(sources), -1, sources.shape[1])
        turned = np.take_along_axis(seen, sources[:, None], axis=2)
        policies = np.take_along_axis(examples.policies, sources, axis=1)
        self._gradients.zero_()
        planes_seen = torch.from_numpy(turned).to(self._device)
        with precision_of(self._config, self._device):
            losses = losses_of(self.network, planes_seen, examples._replace(policies=policies))
            loss = losses.policy + losses.value + self._config.score_weight * losses.score
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        self._adam.step()
        self._mean.lerp_(self._weights.detach(), share)
        return Losses(*(part.detach() for part in losses))

    def weights(self) -> dict[str, Tensor]:
        """Return the weights that learn, where they lie."""
        return {"weights": self._weights.detach()}

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights that learn and the optimiser's state, where they lie."""
        return self.weights() | {f"adam.{name}": tensor for name, tensor in self._state.items()}
