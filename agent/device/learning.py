"""Deep Q-learning on a device: the networks of `agent.dqn`, and what moves them."""

import copy
import warnings

import torch
from torch import Tensor, nn
from torch.optim import Adam, AdamW, Optimizer

from agent.device.choosing import best
from agent.device.networks import SYMMETRIES, mixed_precision, planes, turns
from agent.device.randomness import Randomness
from agent.device.ring import Batch, Ring
from agent.device.rules import Rules
from agent.device.words import to_mask
from agent.dqn.config import DQNConfig
from agent.dqn.gradients import loss_of
from agent.dqn.network import make_network
from agent.flat import flatten

OPTIMISERS: dict[str, type[Adam | AdamW]] = {"adam": Adam, "adamw": AdamW}
"""Those that do here: their step can be recorded as a CUDA graph and takes its rate from a tensor."""


class QLearning:
    """Online, target and average network, and the optimiser that moves the first.

    Double Q-learning (van Hasselt et al. 2016) with the sign of the side that decides next; each transition
    is looked at under one of the 8 symmetries of the board, drawn anew each time. Targets are kept within -1
    and 1, the results there are. `update` waits for nothing and can be recorded as a CUDA graph.
    """

    def __init__(
        self, config: DQNConfig, rules: Rules, ring: Ring, random: Randomness, weights: torch.Generator
    ) -> None:
        """`weights` is what the network starts with."""
        self.config, self._rules, self._ring, self._random = config, rules, ring, random
        self._device = rules.squares.device
        self.online = make_network(config, rules.size, weights).to(self._device)
        self.target, self.average = copy.deepcopy(self.online), copy.deepcopy(self.online)
        self._weights = flatten(self.online)
        self._target_weights, self._average_weights = flatten(self.target), flatten(self.average)
        self._gradients = torch.zeros_like(self._weights)
        self._sources, self._goals = turns(rules.size, self._device)
        self.rate = torch.tensor(config.learning_rate, device=self._device)
        self.average_rate = torch.ones((), device=self._device)
        self.loss = torch.zeros((), device=self._device)
        """The mean over about the last hundred updates."""
        self._optimiser = self._make_optimiser()

    def _make_optimiser(self) -> Optimizer:
        """Return what moves all weights as one, by gradients that lie in a row likewise."""
        weights = nn.Parameter(self._weights)
        weights.grad = self._gradients
        # Fused: one call for all weights. On CUDA its step is to be recorded: torch wants to be told so.
        make = OPTIMISERS[self.config.optimiser]
        return make([weights], lr=self.rate, fused=True, capturable=self._device.type == "cuda")

    def update(self) -> None:
        """Learn once from a batch."""
        batch = self._ring.sample(self.config.batch, self._random)
        wanted = self._targets(batch)
        turn = self._random.below(SYMMETRIES, self.config.batch)
        seen = self._planes(batch.words).gather(2, self._sources[turn][:, None].expand(-1, 4, -1))
        square = self._goals[turn, batch.square]
        with mixed_precision(self._device):
            values = self.online(seen)
        taken = values.float().gather(1, square[:, None]).squeeze(1)
        loss = loss_of(self.config, taken, wanted, None)
        gradients = torch.autograd.grad(loss, list(self.online.parameters()))
        torch.cat([gradient.flatten() for gradient in gradients], out=self._gradients)
        self._move()
        self.loss.lerp_(loss.detach(), 0.01)

    @torch.no_grad()
    def _targets(self, batch: Batch) -> Tensor:
        """Return what the values should be, float32 [n]."""
        following = self._planes(batch.following)
        legal = to_mask(batch.following[:, 2], self._rules.squares)
        with mixed_precision(self._device):
            judged, liked = self.target(following).float(), self.online(following).float()
        chosen = best(liked if self.config.double else judged, legal)
        worth = judged.gather(1, chosen[:, None]).squeeze(1)
        wanted: Tensor = (batch.reward + batch.discount * worth).clamp(-1, 1)
        return wanted

    def _planes(self, words: Tensor) -> Tensor:
        return planes(words, self._rules.squares)

    @torch.no_grad()
    def _move(self) -> None:
        """Move the online network along its gradient, and the slow ones after it."""
        if self.config.clip_norm:
            length = self._gradients.norm().clamp(min=1e-9)
            self._gradients.mul_((self.config.clip_norm / length).clamp(max=1))
        self._optimiser.step()
        self._target_weights.lerp_(self._weights, self.config.target_rate)
        # Rates that change are tensors: a recorded graph reads them anew.
        self._average_weights.add_((self._weights - self._average_weights) * self.average_rate)

    def set_rates(self, updates: int, left: float) -> None:
        """Have the average forget its random start, and the step fall with the share of the run that is left.

        See `agent.dqn.q_learning`, whose average this is.
        """
        self.average_rate.fill_(max(self.config.average_rate, min(1.0, 9 / (updates + 8))))
        self.rate.fill_(self.config.learning_rate * left)

    def tensors(self) -> dict[str, Tensor]:
        """Return all that a resume needs, where it lies: each network's weights in a row, the optimiser's."""
        state = self._optimiser.state_dict()["state"].get(0, {})
        own = {"online": self._weights, "target": self._target_weights, "average": self._average_weights}
        return own | {f"optimiser.{name}": value for name, value in state.items()}

    def begin_optimiser(self) -> None:
        """Have the optimiser make its state: an update without a gradient."""
        self._gradients.zero_()
        with warnings.catch_warnings():  # that it may be recorded and now is not
            warnings.simplefilter("ignore")
            self._optimiser.step()

    def twin(self) -> nn.Module:
        """Return a copy of the online network."""
        network = make_network(self.config, self._rules.size).to(self._device)
        self.copy_online(network)
        return network

    def copy_online(self, network: nn.Module) -> None:
        """Give another network of this configuration the weights of the online one."""
        for theirs, own in zip(network.parameters(), self.online.parameters(), strict=True):
            theirs.data.copy_(own.data)
