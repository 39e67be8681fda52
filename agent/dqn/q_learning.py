"""The equations of DQN: the targets of a batch, the loss, and the step of the optimiser."""

import copy
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from othello_lab.agent.checkpoint import Arrays
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.network import AVERAGE, legal_squares, make_network
from othello_lab.agent.memory.replay import Batch
from othello_lab.agent.optimisers import Optimiser
from othello_lab.agent.weights import flat_gradients, flatten, put, put_tensors, to_arrays
from othello_lab.game import symmetry

CPU = torch.device("cpu")
LOSSES: dict[str, Callable[..., Tensor]] = {"mse": functional.mse_loss, "huber": functional.smooth_l1_loss}
_MEASURE_EVERY = 16  # The number of updates between two measurements for the log.
_STATE = "optimiser.0."  # Prefix of the arrays of the optimiser in a checkpoint.
_MEASURED = 32  # Maximum number of transitions in a measurement, because measurements take time.


class Tensors(NamedTuple):
    """A batch of transitions as tensors."""

    s_tm1: Tensor  # float [batch, planes, squares]
    a_tm1: Tensor  # int64 [batch]
    r_t: Tensor  # float [batch]
    discount_t: Tensor  # float [batch]. Negative if the other side is to move in s_t, 0 at the end.
    s_t: Tensor  # float [batch, planes, squares]
    weights: Tensor | None  # float [batch], or None if all weights are equal


def prepare(
    batch: Batch,
    size: int,
    turns: NDArray[np.int64] | None,
    weights: NDArray[np.float32] | None,
    device: torch.device = CPU,
) -> Tensors:
    """Return a batch as tensors. `turns`, int64 [batch], has a board symmetry for each transition."""
    # Copy the states to the device as bytes, which need a quarter of the space of floats.
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


def q_learning_targets(
    r_t: Tensor, discount_t: Tensor, q_t: Tensor, legal_t: Tensor, q_t_selector: Tensor | None = None
) -> Tensor:
    """Return the targets r_t + discount_t * q_t[a], float [batch].

    The action a is the legal action with the highest value in `q_t_selector`, or in `q_t` if the selector is
    None. `q_t` and `q_t_selector` hold values in s_t, [batch, squares]. `legal_t` is bool [batch, squares].

    Without a selector the equation is DQN (Mnih et al. 2015). With `q_t` from the target network and the
    selector from the online network, it is double DQN (van Hasselt et al. 2016, equation 4). After the end of
    a game no square is legal, but the discount is 0.
    """
    values = q_t if q_t_selector is None else q_t_selector
    masked = torch.where(legal_t, values, torch.finfo(values.dtype).min)
    a_t = masked.argmax(dim=1, keepdim=True)  # [batch, 1]
    return r_t + discount_t * q_t.gather(1, a_t).squeeze(1)


def td_loss(kind: str, q_a_tm1: Tensor, target: Tensor, weights: Tensor | None) -> Tensor:
    """Return the weighted mean loss, a scalar. `q_a_tm1`, `target` and `weights` are float [batch]."""
    if weights is None:
        return LOSSES[kind](q_a_tm1, target)
    return (LOSSES[kind](q_a_tm1, target, reduction="none") * weights).mean()


class QLearning:
    """Holds the online network, the target network, the average network and the optimiser."""

    def __init__(self, config: DQNConfig, size: int, seed: int, device: torch.device = CPU) -> None:
        self.config, self.size, self.device = config, size, device
        generator = torch.Generator().manual_seed(seed)
        self.online = make_network(config, size, generator).to(device)
        self.target = copy.deepcopy(self.online)
        self.average = copy.deepcopy(self.online) if config.average_rate else self.online
        # Maps the prefix of the arrays in a checkpoint to the network.
        self._networks = {"online.": self.online, "target.": self.target, AVERAGE: self.average}
        # All weights of a network are views of one tensor, and all its gradients of another, for speed.
        self._weights, self._gradient = flatten(self.online), flat_gradients(self.online)
        self.optimiser = Optimiser(config.optimiser, self._weights, self._gradient)
        self._target_weights = flatten(self.target)
        self._average_weights = flatten(self.average) if config.average_rate else self._weights
        self.updates = 0
        names = ("loss", "q_mean", "target_gap", "q_legal", "q_illegal", "gradient_norm")
        self.numbers = dict.fromkeys(names, 0.0)  # For the log: means over the last measurements.

    def update(
        self, batch: Batch, turns: NDArray[np.int64] | None = None, weights: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Learn once from a batch. Return the errors (target - prediction), float32 [batch].

        `turns`, int64 [batch] from 0 to 7, has a board symmetry for each transition. `weights`, float32
        [batch], has the weight of each transition in the loss.
        """
        t = prepare(batch, self.size, turns, weights, self.device)
        target = self._targets(t)
        q_a_tm1 = self.online(t.s_tm1).gather(1, t.a_tm1[:, None]).squeeze(1)  # [batch]
        loss = td_loss(self.config.loss, q_a_tm1, target, t.weights)
        q_a_tm1 = q_a_tm1.detach()
        self.minimise(loss, self.config.learning_rate, lambda: self._measurements(t, q_a_tm1))
        errors: NDArray[np.float32] = (target - q_a_tm1).cpu().numpy()
        return errors

    @torch.no_grad()
    def _targets(self, t: Tensors) -> Tensor:
        q_t = self.target(t.s_t)  # [batch, squares]
        legal_t = legal_squares(t.s_t) if self.config.mask else torch.ones_like(q_t, dtype=torch.bool)
        selector = self.online(t.s_t) if self.config.double else None
        return q_learning_targets(t.r_t, t.discount_t, q_t, legal_t, selector)

    def minimise(self, loss: Tensor, rate: float, measure: Callable[[], dict[str, float]]) -> None:
        """Make a step of the optimiser and update the other networks. `measure` returns numbers to log."""
        config = self.config
        self.updates += 1
        self._gradient.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
        if self.updates % _MEASURE_EVERY == 1:
            self._log({"loss": float(loss.detach()), **measure()})
        if config.clip_norm and (norm := float(self._gradient.norm())) > config.clip_norm:
            self._gradient.mul_(config.clip_norm / norm)
        self.optimiser.step(rate)
        if self.updates % config.target_every == 0:
            self._target_weights.lerp_(self._weights, config.target_rate)
        if config.average_rate:
            early_rate = 9 / (self.updates + 8)  # forget the start (Shamir and Zhang 2013, section 4, eta 8)
            self._average_weights.lerp_(self._weights, max(config.average_rate, early_rate))

    def _log(self, numbers: dict[str, float]) -> None:
        numbers["gradient_norm"] = float(self._gradient.norm())
        for name, number in numbers.items():
            self.numbers[name] += (number - self.numbers[name]) / min(1 + self.updates // _MEASURE_EVERY, 10)

    @torch.no_grad()
    def _measurements(self, t: Tensors, q_a_tm1: Tensor) -> dict[str, float]:
        some = t.s_tm1[:_MEASURED]
        values, legal = self.online(some), legal_squares(some)
        gap = (values - self.target(some)).abs()
        return {
            "q_mean": float(q_a_tm1.mean()),
            "target_gap": float(gap[legal].mean()),
            "q_legal": float(values[legal].mean()),
            "q_illegal": float(values[~legal].mean()),
        }

    def arrays(self) -> Arrays:
        """Return the arrays of all networks and of the optimiser."""
        arrays: Arrays = {}
        for prefix, network in self._networks.items():
            arrays |= to_arrays(network, prefix)
        state = self.optimiser.state
        return arrays | {_STATE + name: tensor.cpu().numpy() for name, tensor in state.items()}

    def begin_optimiser(self, arrays: Arrays) -> None:
        """Give the optimiser a state of the right form if `arrays` has one. `restore` then fills it."""
        if not self.optimiser.state and any(name.startswith(_STATE) for name in arrays):
            self.optimiser.begin()

    def restore(self, arrays: Arrays) -> None:
        """Load arrays that the method `arrays` returned. Names, shapes and dtypes must be equal."""
        for prefix, network in self._networks.items():
            put(arrays, network, prefix)
        put_tensors(arrays, self.optimiser.state, _STATE)

    def adopt(self, arrays: Arrays) -> None:
        """Copy the arrays of an average network into all three networks, and reset the optimiser."""
        for network in self._networks.values():
            put(arrays, network, AVERAGE)
        self.optimiser.state = {}
