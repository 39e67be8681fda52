"""The learning maths: from a batch to targets, r + discount * bootstrap, and on to a moved network."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.descent import loss_of, loss_of_moves, make_gradients, make_optimiser
from othello_lab.agent.dqn.lessons import Lessons
from othello_lab.agent.dqn.network import make_network
from othello_lab.agent.dqn.policy import legal_squares, masked
from othello_lab.agent.memory.replay import Batch
from othello_lab.agent.weights import flat_gradients, flatten, put, to_arrays
from othello_lab.game import symmetry

_LOOK_EVERY = 16
"""Updates between looks at how it goes."""
CPU = torch.device("cpu")


@dataclass(frozen=True)
class Tensors:
    """A batch as tensors."""

    s_tm1: Tensor  # float [batch, planes, squares]
    a_tm1: Tensor  # int64 [batch]
    r_t: Tensor  # float [batch]
    discount_t: Tensor  # float [batch]
    s_t: Tensor  # float [batch, planes, squares]
    weights: Tensor | None  # float [batch], of prioritised replay


def bootstrap_values(judge: Tensor, legal: Tensor, chooser: Tensor | None = None) -> Tensor:
    """Return the highest value of a legal action, or what `judge` says of the one that `chooser` likes best.

    judge, chooser: values [batch, squares]; legal: bool [batch, squares]. Returns [batch]. With the target
    network's values alone this is the maximum of DQN, with the online network as chooser it is double DQN
    (van Hasselt et al. 2016, equation 4). A row without a legal square (a state after the end) gives some
    finite number.
    """
    if chooser is None:
        return masked(judge, legal).amax(dim=1)
    best = masked(chooser, legal).argmax(dim=1, keepdim=True)  # [batch, 1]
    return judge.gather(1, best).squeeze(1)


def targets(r_t: Tensor, discount_t: Tensor, bootstrap: Tensor) -> Tensor:
    """Return r + discount * bootstrap, [batch]. The discount has its sign: see `agent.memory.recorder`."""
    return r_t + discount_t * bootstrap


def prepare(
    batch: Batch,
    size: int,
    turns: NDArray[np.int64] | None,
    weights: NDArray[np.float32] | None,
    device: torch.device = CPU,
) -> Tensors:
    """Return a batch as tensors, each transition under the symmetry of the board that `turns` names."""
    # Squares are bytes until they are where they are needed: a quarter of the way.
    s_tm1, s_t = (torch.from_numpy(states).to(device) for states in (batch.s_tm1, batch.s_t))
    a_tm1 = batch.a_tm1
    if turns is not None:
        sources = torch.from_numpy(symmetry.inverses(size)[turns]).to(device)[:, None]  # [batch, 1, squares]
        s_tm1 = s_tm1.gather(2, sources.expand_as(s_tm1))
        s_t = s_t.gather(2, sources.expand_as(s_t))
        a_tm1 = symmetry.permutations(size)[turns, a_tm1]
    return Tensors(
        s_tm1.float(),
        torch.from_numpy(a_tm1).to(device),
        torch.from_numpy(batch.r_t).to(device),
        torch.from_numpy(batch.discount_t).to(device),
        s_t.float(),
        None if weights is None else torch.from_numpy(weights).to(device),
    )


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
        self._networks = {"online.": self.online, "target.": self.target, "average.": self.average}
        """By what their arrays begin with."""
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
        found: dict[str, NDArray[Any]] = {}
        for prefix, network in self._networks.items():
            found |= to_arrays(network, prefix)
        for index, state in self.optimiser.state_dict()["state"].items():
            found |= {f"optimiser.{index}.{key}": tensor.cpu().numpy() for key, tensor in state.items()}
        return found

    def make_optimiser_state(self) -> None:
        """Have the optimiser begin its state, as at the first update, for `restore` to fill."""
        self.gradient.zero_()
        self.optimiser.step()

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what `arrays` returned; names, shapes and dtypes must be the same."""
        for prefix, network in self._networks.items():
            put(arrays, network, prefix)
        state: dict[int, dict[str, Tensor]] = {}
        for name, array in arrays.items():
            part, *rest = name.split(".", 2)
            if part == "optimiser":
                index, key = rest
                state.setdefault(int(index), {})[key] = torch.from_numpy(array.copy())
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": state})

    def adopt(self, network: nn.Module) -> None:
        """Put the weights of this network into every one and start the optimiser afresh."""
        for own in self._networks.values():
            own.load_state_dict(network.state_dict())
        self._make_optimiser()

    def _make_optimiser(self) -> None:
        """Begin the optimiser's state, which is one for all weights."""
        weights = nn.Parameter(self.weights)
        weights.grad = self.gradient
        self.optimiser = make_optimiser([weights], self.config)


_LOOK_AT = 32
"""Transitions of a batch that are looked at by both networks once more: that costs forward passes."""


@torch.no_grad()
def look(
    config: DQNConfig, online: nn.Module, target: nn.Module, t: Tensors, taken: Tensor, wanted: Tensor
) -> dict[str, float]:
    """Return the loss of a batch, its values, and how far the target network is from the online one."""
    some = t.s_tm1[:_LOOK_AT]
    values, legal = online(some), legal_squares(some)
    gap = (values - target(some)).abs()
    return {
        "loss": float(loss_of(config, taken, wanted, t.weights)),
        "q_mean": float(taken.mean()),
        "target_gap": float(gap[legal].mean()),
        "q_legal": float(values[legal].mean()),
        "q_illegal": float(values[~legal].mean()),
    }
