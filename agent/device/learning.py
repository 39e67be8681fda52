"""Deep Q-learning on a device: the inputs, targets and updates of the networks."""

from contextlib import AbstractContextManager

import torch
from torch import Tensor, nn

from othello_lab.agent.device.luck import Randomness
from othello_lab.agent.device.ring import Batch, Ring
from othello_lab.agent.device.rules import Positions, Rules, to_mask
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.descent import loss_of
from othello_lab.agent.dqn.q_learning import QLearning, bootstrap_values, early_rate, targets
from othello_lab.agent.symmetric import symmetries
from othello_lab.game import symmetry


def planes(words: Tensor, squares: Tensor) -> Tensor:
    """Return the four planes of `game.observation`, float32 [n, 4, squares].

    words: int64 [n, 4], a position's fields in the order of `Positions`.
    """
    return ((words[..., None] >> squares) & 1).float()


def mixed_precision(device: torch.device) -> AbstractContextManager[None]:
    """Return the context in which networks compute: in bfloat16 on CUDA, as they are elsewhere.

    Nothing is kept from one use to the next, as recorded CUDA graphs need it.
    """
    on = device.type == "cuda"
    context: AbstractContextManager[None] = torch.autocast(
        device.type, torch.bfloat16, enabled=on, cache_enabled=False
    )
    return context


class Judge:
    """A network that values the squares of positions."""

    def __init__(self, rules: Rules, network: nn.Module) -> None:
        self._rules, self.network = rules, network

    @torch.no_grad()
    def values(self, positions: Positions) -> Tensor:
        """Return the values, float32 [n, squares]."""
        seen = planes(torch.stack(positions, 1), self._rules.squares)
        with mixed_precision(seen.device):
            found: Tensor = self.network(seen)
        return found.float()


OPTIMISERS = ("adam", "adamw")
"""Those that do here: their step can be recorded as a CUDA graph and takes its rate from a tensor."""


class Learning:
    """Learns from a ring with the networks and the optimiser of a learner.

    Double Q-learning (van Hasselt et al. 2016) with the sign of the side that decides next; each transition
    is looked at under one of the 8 symmetries of the board, drawn anew each time. Targets are kept within -1
    and 1, the results there are. `update` waits for nothing and can be recorded as a CUDA graph.
    """

    def __init__(self, config: DQNConfig, q: QLearning, rules: Rules, ring: Ring, random: Randomness) -> None:
        self._config, self._q, self._rules, self._ring, self._random = config, q, rules, ring, random
        self._device = rules.squares.device
        self._sources, self._goals = symmetries(rules.size, self._device)
        self._rate = torch.tensor(config.learning_rate, device=self._device)
        self._average_rate = torch.ones((), device=self._device)
        self._seen = torch.zeros(2, device=self._device)
        """Loss and value, the means over about the last hundred updates."""
        # The step is to be recorded on CUDA, and then read a rate that changes.
        q.optimiser.param_groups[0].update(lr=self._rate, capturable=self._device.type == "cuda")

    def update(self) -> None:
        """Learn once from a batch."""
        batch = self._ring.sample(self._config.batch, self._random)
        wanted = self._targets(batch)
        turn = self._random.below(symmetry.SYMMETRIES, self._config.batch)
        seen = self._planes(batch.words).gather(2, self._sources[turn][:, None].expand(-1, 4, -1))
        square = self._goals[turn, batch.square]
        with mixed_precision(self._device):
            values = self._q.online(seen)
        taken = values.float().gather(1, square[:, None]).squeeze(1)
        loss = loss_of(self._config, taken, wanted, None)
        gradients = torch.autograd.grad(loss, list(self._q.online.parameters()))
        torch.cat([gradient.flatten() for gradient in gradients], out=self._q.gradient)
        self._move()
        self._seen.lerp_(torch.stack([loss.detach(), taken.detach().float().mean()]), 0.01)

    @torch.no_grad()
    def _targets(self, batch: Batch) -> Tensor:
        """Return what the values should be, float32 [n]."""
        following = self._planes(batch.following)
        legal = to_mask(batch.following[:, 2], self._rules.squares)
        with mixed_precision(self._device):
            judged, liked = self._q.target(following).float(), self._q.online(following).float()
        worth = bootstrap_values(judged, legal, liked if self._config.double else None)
        return targets(batch.reward, batch.discount, worth).clamp(-1, 1)

    def _planes(self, words: Tensor) -> Tensor:
        return planes(words, self._rules.squares)

    @torch.no_grad()
    def _move(self) -> None:
        """Move the online network along its gradient, and the slow ones after it."""
        config, q = self._config, self._q
        if config.clip_norm:
            length = q.gradient.norm().clamp(min=1e-9)
            q.gradient.mul_((config.clip_norm / length).clamp(max=1))
        q.optimiser.step()
        q.target_weights.lerp_(q.weights, config.target_rate)
        # Rates that change are tensors: a recorded graph reads them anew.
        q.average_weights.add_((q.weights - q.average_weights) * self._average_rate)

    def set_rates(self, rate: float) -> None:
        """Set the learning rate, and how fast the average forgets its start; see `agent.dqn.q_learning`."""
        self._rate.fill_(rate)
        self._average_rate.fill_(max(self._config.average_rate, min(1.0, early_rate(self._q.updates))))

    def count(self, updates: int) -> None:
        """Count updates that were made, and have the learner say how they went; this waits for the device."""
        self._q.updates += updates
        self._q.numbers["loss"], self._q.numbers["q_mean"] = self._seen.tolist()
