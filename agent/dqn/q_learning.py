"""The learning maths: from a batch to a moved network."""

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agent.dqn.acting import legal_squares
from agent.dqn.config import DQNConfig
from agent.dqn.diagnostics import look
from agent.dqn.gradients import loss_of_moves, make_gradients
from agent.dqn.lessons import Lessons
from agent.dqn.network import make_network
from agent.dqn.optimiser import make_optimiser
from agent.dqn.targets import CPU, Tensors, bootstrap_values, prepare, targets
from agent.flat import flat_gradients, flatten
from agent.memory.replay import Batch

_LOOK_EVERY = 16
"""Updates between looks at how it goes."""


def early_rate(updates: int) -> float:
    """Return the rate of an average that forgets its random start: the last ninth of all updates weighs most.

    Polynomial-decay averaging with eta = 8 (Shamir and Zhang 2013, section 4).
    """
    return 9 / (updates + 8)


class QLearning:
    """Online, target and average network, and the optimiser that moves the first."""

    def __init__(self, config: DQNConfig, size: int, seed: int, device: torch.device = CPU) -> None:
        """All tensors lie on the device; what comes in and goes out are arrays."""
        self.config, self.size, self._device = config, size, device
        generator = torch.Generator().manual_seed(seed)
        self.online = make_network(config, size, generator).to(device)
        self.target = copy.deepcopy(self.online)
        self.average = copy.deepcopy(self.online) if config.average_rate else self.online
        # All numbers of a network in a row, and all gradients, of which the network's own are views.
        self.weights, self.gradient = flatten(self.online), flat_gradients(self.online)
        self.target_weights = flatten(self.target)
        self.average_weights = flatten(self.average) if config.average_rate else self.weights
        self.gradients = make_gradients(self.online, self.gradient, config)
        self._make_optimiser()
        self.updates = 0
        # Means over the recent past, for those who watch.
        names = ("loss", "q_mean", "target_gap", "q_legal", "q_illegal", "gradient_norm")
        self.numbers = dict.fromkeys(names, 0.0)

    def update(
        self,
        batch: Batch,
        turns: NDArray[np.int64] | None = None,
        weights: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Learn once from a batch, and return its errors, target less prediction, float32 [batch].

        Each transition is looked at under the symmetry that `turns` names (int64 [batch], 0 to 7), and
        counts as much as `weights` says.
        """
        t = prepare(batch, self.size, turns, weights, self._device)
        wanted = self._targets(t)
        taken = self.gradients(t.s_tm1, t.a_tm1, wanted, t.weights)
        self.updates += 1
        if self.updates % _LOOK_EVERY == 1:
            self._watch(look(self.config, self.online, self.target, t, taken, wanted))
        self._follow(self.config.learning_rate)
        errors: NDArray[np.float32] = (wanted - taken).cpu().numpy()
        return errors

    def teach(self, lessons: Lessons, rate: float) -> None:
        """Learn once from values that moves should have, with this learning rate."""
        self.gradient.zero_()
        states, wanted, weights = (torch.from_numpy(array).to(self._device) for array in lessons)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self.config.precision == "bfloat16"):
            values = self.online(states.float())
        loss = loss_of_moves(self.config, values.float(), wanted, weights)
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it
        self.updates += 1
        if self.updates % _LOOK_EVERY == 1:
            legal = values.detach()[weights > 0]
            self._watch({"loss": float(loss.detach()), "q_mean": float(legal.mean())})
        self._follow(rate)

    def _follow(self, rate: float) -> None:
        """Move all networks along the gradient that was found, with this learning rate."""
        self.optimiser.param_groups[0]["lr"] = rate
        self._step()
        self._move_slow_networks()

    @torch.no_grad()
    def _targets(self, t: Tensors) -> Tensor:
        judge = self.target(t.s_t)  # [batch, squares]
        legal = legal_squares(t.s_t) if self.config.mask else torch.ones_like(judge, dtype=torch.bool)
        chooser = self.online(t.s_t) if self.config.double else None
        return targets(t.r_t, t.discount_t, bootstrap_values(judge, legal, chooser))

    def _step(self) -> None:
        """Move the online network along its gradient, which is cut to the greatest length allowed."""
        if self.config.clip_norm:
            length = float(self.gradient.norm())
            if length > self.config.clip_norm:
                self.gradient.mul_(self.config.clip_norm / length)
        self.optimiser.step()

    def _move_slow_networks(self) -> None:
        if self.updates % self.config.target_every == 0:
            self.target_weights.lerp_(self.weights, self.config.target_rate)
        if self.config.average_rate:
            rate = max(self.config.average_rate, early_rate(self.updates))
            self.average_weights.lerp_(self.weights, rate)

    def _watch(self, numbers: dict[str, float]) -> None:
        numbers["gradient_norm"] = float(self.gradient.norm())
        for name, number in numbers.items():
            self.numbers[name] += (number - self.numbers[name]) / min(1 + self.updates // _LOOK_EVERY, 10)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything that learning has made so far, by name; `restore` reads the same names."""
        networks = {"online": self.online, "target": self.target, "average": self.average}
        found = {
            f"{name}.{key}": tensor.cpu().numpy()
            for name, network in networks.items()
            for key, tensor in network.state_dict().items()
        }
        for index, state in self.optimiser.state_dict()["state"].items():
            found |= {f"optimiser.{index}.{key}": tensor.cpu().numpy() for key, tensor in state.items()}
        return found

    def make_optimiser_state(self) -> None:
        """Have the optimiser begin its state, as at the first update, for `restore` to fill."""
        self.gradient.zero_()
        self.optimiser.step()

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what `arrays` returned; names, shapes and dtypes must be the same."""
        tensors = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}  # theirs, not ours
        networks = {"online": self.online, "target": self.target, "average": self.average}
        for name, network in networks.items():
            network.load_state_dict({key: tensors[f"{name}.{key}"] for key in network.state_dict()})
        state: dict[int, dict[str, Tensor]] = {}
        for name, tensor in tensors.items():
            part, _, rest = name.partition(".")
            if part == "optimiser":
                index, _, key = rest.partition(".")
                state.setdefault(int(index), {})[key] = tensor
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": state})

    def adopt(self, network: nn.Module) -> None:
        """Put the weights of this network into every one and start the optimiser afresh."""
        for own in (self.online, self.target, self.average):
            own.load_state_dict(network.state_dict())
        self._make_optimiser()

    def _make_optimiser(self) -> None:
        """Begin the optimiser's state, which is one for all weights."""
        weights = nn.Parameter(self.weights)
        weights.grad = self.gradient
        self.optimiser = make_optimiser([weights], self.config)
