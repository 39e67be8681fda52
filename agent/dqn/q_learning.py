"""The learning maths: from a batch to targets, r + discount * bootstrap, and on to an optimiser step."""

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import SGD, Adam, AdamW, Optimizer, RMSprop

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.network import AVERAGE, make_network
from othello_lab.agent.dqn.values import legal_squares, masked
from othello_lab.agent.memory.replay import Batch
from othello_lab.agent.weights import flat_gradients, flatten, put, to_arrays
from othello_lab.game import symmetry

if TYPE_CHECKING:
    from othello_lab.agent.dqn.lessons import Lessons

_LOOK_EVERY = 16
"""Updates between two measurements of the numbers that the agent reports."""
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


def loss_of(config: DQNConfig, taken: Tensor, wanted: Tensor, weights: Tensor | None) -> Tensor:
    """Return the loss of values against targets, a scalar: Huber's or the squared error; [batch] each."""
    measure = _measure(config)
    if weights is None:
        return measure(taken, wanted)
    return (measure(taken, wanted, reduction="none") * weights).mean()


def loss_of_moves(config: DQNConfig, values: Tensor, wanted: Tensor, weights: Tensor) -> Tensor:
    """Return the weighted mean of the losses of all moves, a scalar; [batch, squares] each."""
    return (_measure(config)(values, wanted, reduction="none") * weights).sum() / weights.sum()


def _measure(config: DQNConfig) -> Callable[..., Tensor]:
    return functional.mse_loss if config.loss == "mse" else functional.smooth_l1_loss


def early_rate(updates: int) -> float:
    """Return the rate of an average that forgets its random start: the last ninth of all updates weighs most.

    Polynomial-decay averaging with eta = 8 (Shamir and Zhang 2013, section 4).
    """
    return 9 / (updates + 8)


class QLearning:
    """Online, target and average network, and the optimiser of the online network."""

    def __init__(self, config: DQNConfig, size: int, seed: int, device: torch.device = CPU) -> None:
        """All networks are on `device`; arguments and return values of methods are arrays."""
        self.config, self.size, self._device = config, size, device
        generator = torch.Generator().manual_seed(seed)
        self.online = make_network(config, size, generator).to(device)
        self.target = copy.deepcopy(self.online)
        self.average = copy.deepcopy(self.online) if config.average_rate else self.online
        self._networks = {"online.": self.online, "target.": self.target, AVERAGE: self.average}
        """By the prefix of their arrays."""
        # All weights of a network, and all gradients, are views of one tensor: a step is a few operations.
        self._weights, self._gradient = flatten(self.online), flat_gradients(self.online)
        self._target_weights = flatten(self.target)
        self._average_weights = flatten(self.average) if config.average_rate else self._weights
        self.updates = 0
        names = ("loss", "q_mean", "target_gap", "q_legal", "q_illegal", "gradient_norm")
        self.numbers = dict.fromkeys(names, 0.0)
        """Means over the last measurements."""

    def update(
        self,
        batch: Batch,
        turns: NDArray[np.int64] | None = None,
        weights: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Learn once from a batch, and return its errors, target less prediction, float32 [batch].

        `turns` is the symmetry that each transition is shown under (int64 [batch], 0 to 7), `weights` its
        weight in the loss.
        """
        t = prepare(batch, self.size, turns, weights, self._device)
        wanted = self._targets(t)
        taken = self.online(t.s_tm1).gather(1, t.a_tm1[:, None]).squeeze(1)  # [batch]
        self._find_gradient(loss_of(self.config, taken, wanted, t.weights))
        taken = taken.detach()
        if self.updates % _LOOK_EVERY == 1:
            self._watch(look(self.config, self.online, self.target, t, taken, wanted))
        self._move(self.config.learning_rate)
        errors: NDArray[np.float32] = (wanted - taken).cpu().numpy()
        return errors

    def teach(self, lessons: "Lessons", rate: float) -> None:
        """Learn once from values that moves should have, with this learning rate."""
        states, wanted, weights = (torch.from_numpy(array).to(self._device) for array in lessons)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self.config.precision == "bfloat16"):
            values = self.online(states.float())
        loss = loss_of_moves(self.config, values.float(), wanted, weights)
        self._find_gradient(loss)
        if self.updates % _LOOK_EVERY == 1:
            legal = values.detach()[weights > 0]
            self._watch({"loss": float(loss.detach()), "q_mean": float(legal.mean())})
        self._move(rate)

    @torch.no_grad()
    def _targets(self, t: Tensors) -> Tensor:
        judge = self.target(t.s_t)  # [batch, squares]
        legal = legal_squares(t.s_t) if self.config.mask else torch.ones_like(judge, dtype=torch.bool)
        chooser = self.online(t.s_t) if self.config.double else None
        return targets(t.r_t, t.discount_t, bootstrap_values(judge, legal, chooser))

    def _find_gradient(self, loss: Tensor) -> None:
        """Compute the gradient of update number `updates`."""
        self.updates += 1
        self._gradient.zero_()
        loss.backward()  # type: ignore[no-untyped-call]  # torch does not type it

    def _move(self, rate: float) -> None:
        """Move all networks: the online one along its gradient, which is clipped, with this learning rate."""
        config = self.config
        if config.clip_norm and (length := float(self._gradient.norm())) > config.clip_norm:
            self._gradient.mul_(config.clip_norm / length)
        self.optimiser.param_groups[0]["lr"] = rate
        self.optimiser.step()
        if self.updates % config.target_every == 0:
            self._target_weights.lerp_(self._weights, config.target_rate)
        if config.average_rate:
            self._average_weights.lerp_(self._weights, max(config.average_rate, early_rate(self.updates)))

    def _watch(self, numbers: dict[str, float]) -> None:
        numbers["gradient_norm"] = float(self._gradient.norm())
        for name, number in numbers.items():
            self.numbers[name] += (number - self.numbers[name]) / min(1 + self.updates // _LOOK_EVERY, 10)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all networks and the state of the optimiser by name; `restore` reads the same names."""
        found: dict[str, NDArray[Any]] = {}
        for prefix, network in self._networks.items():
            found |= to_arrays(network, prefix)
        states = self.optimiser.state_dict()["state"] if "optimiser" in vars(self) else {}
        for index, state in states.items():
            found |= {f"optimiser.{index}.{key}": tensor.cpu().numpy() for key, tensor in state.items()}
        return found

    def make_optimiser_state(self) -> None:
        """Create the state of the optimiser, as at the first update, for `restore` to fill."""
        self._gradient.zero_()
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
        if state or "optimiser" in vars(self):
            self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": state})

    def adopt(self, network: nn.Module) -> None:
        """Put the weights of this network into every one and start the optimiser afresh."""
        for own in self._networks.values():
            own.load_state_dict(network.state_dict())
        vars(self).pop("optimiser", None)

    @cached_property
    def optimiser(self) -> Optimizer:
        """The optimiser of all weights of the online network as one parameter.

        It is made at the first update: the first optimiser of a process takes torch two seconds.
        """
        weights = nn.Parameter(self._weights)
        weights.grad = self._gradient
        return make_optimiser([weights], self.config)


_LOOK_AT = 32
"""Transitions of a batch that both networks evaluate once more for the numbers; more would cost time."""


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


class RMSpropGraves(Optimizer):
    """Graves 2013, "Generating sequences with recurrent neural networks", equations 38-45, no momentum.

    n = alpha n + (1 - alpha) g^2;  m = alpha m + (1 - alpha) g;  w = w - lr g / sqrt(n - m^2 + epsilon)
    """

    def __init__(
        self, weights: Iterable[Tensor], lr: float, alpha: float = 0.95, epsilon: float = 1e-4
    ) -> None:
        super().__init__(weights, {"lr": lr, "alpha": alpha, "epsilon": epsilon})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is used here
        """Move every weight once along its gradient."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._move(weight, group["lr"], group["alpha"], group["epsilon"])

    def _move(self, weight: Tensor, lr: float, alpha: float, epsilon: float) -> None:
        state = self.state[weight]
        if not state:
            state["square"], state["mean"] = torch.zeros_like(weight), torch.zeros_like(weight)
        gradient = weight.grad
        assert gradient is not None  # noqa: S101  step() looked
        state["square"].mul_(alpha).addcmul_(gradient, gradient, value=1 - alpha)
        state["mean"].mul_(alpha).add_(gradient, alpha=1 - alpha)
        spread = (state["square"] - state["mean"] ** 2 + epsilon).sqrt_()
        weight.addcdiv_(gradient, spread, value=-lr)


def make_optimiser(weights: list[nn.Parameter], config: DQNConfig) -> Optimizer:
    """Return the optimiser that a configuration names; none has momentum beyond Adam's own."""
    rate = config.learning_rate
    if config.optimiser == "rmsprop-graves":
        return RMSpropGraves(weights, lr=rate)
    if config.optimiser == "rmsprop":
        return RMSprop(weights, lr=rate)
    # Fused: one call for all weights instead of several for each.
    fused: dict[str, type[Adam | AdamW | SGD]] = {"adam": Adam, "adamw": AdamW, "sgd": SGD}
    return fused[config.optimiser](weights, lr=rate, fused=True)
