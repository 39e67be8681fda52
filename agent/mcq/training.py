"""Training samples, under the board's symmetries, and the network that is moved towards their returns."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional
from torch.optim import Adam

from agent.checkpoint import Arrays, CheckpointError, Stored, check_arrays
from agent.mcq.method import MCQConfig
from agent.mcq.network import WEIGHTS, boards_of, make_network
from agent.mcq.returns import returns
from agent.selfplay.played import Decisions
from agent.weights import flat_gradients, flatten, put, to_arrays
from game import symmetry


class Samples(NamedTuple):
    """Decisions with their returns."""

    boards: NDArray[np.int8]
    """1 for the discs of the side that decides, -1 for the other's, [n, squares]."""
    moves: NDArray[np.int64]
    """[n]"""
    targets: NDArray[np.float32]
    """[n]"""

    def take(self, indices: NDArray[np.int64]) -> "Samples":
        """Return copies of some of them, in that order."""
        return Samples(self.boards[indices], self.moves[indices], self.targets[indices])


def samples_of(played: Decisions, config: MCQConfig) -> Samples:
    """Return the decisions of games that are over, with their returns."""
    targets = returns(played, config).astype(np.float32)
    return Samples(boards_of(played.positions), played.moves, targets)


def joined(parts: Sequence[Samples], squares: int) -> Samples:
    """Return all of them as one, in order; of none, none."""
    none = Samples(np.empty((0, squares), np.int8), np.empty(0, np.int64), np.empty(0, np.float32))
    boards, moves, targets = zip(none, *parts, strict=True)
    return Samples(np.concatenate(boards), np.concatenate(moves), np.concatenate(targets))


def batches(samples: Samples, size: int, config: MCQConfig, rng: np.random.Generator) -> Iterator[Samples]:
    """Show all samples in an order drawn anew, in batches of about the configured size.

    Each under all 8 symmetries of the board, or under one of them, drawn anew.
    """
    n, every = len(samples.moves), config.symmetries == "all"
    order = rng.permutation(symmetry.SYMMETRIES * n if every else n)
    turns = order // n if every else rng.integers(symmetry.SYMMETRIES, size=n)
    for part in np.array_split(np.arange(len(order)), -(-len(order) // config.batch)):
        yield turned(samples.take(order[part] % n), turns[part], size)


def turned(samples: Samples, turns: NDArray[np.int64], size: int) -> Samples:
    """Return samples, each under the symmetry of that number, int64 [n]."""
    boards = np.take_along_axis(samples.boards, symmetry.inverses(size)[turns], axis=1)
    return Samples(boards, symmetry.permutations(size)[turns, samples.moves], samples.targets)


_ADAM = "adam."


class Training:
    """The network and the optimiser that moves it."""

    def __init__(self, config: MCQConfig, size: int, generator: torch.Generator | None) -> None:
        self.network = make_network(config, size, generator)
        self._weights = nn.Parameter(flatten(self.network))
        self._weights.grad = self._gradients = flat_gradients(self.network)
        self._rate = config.learning_rate
        self.begin()

    def begin(self) -> None:
        """Begin the state of the optimiser, which is one for all weights."""
        self._adam = Adam([self._weights], lr=self._rate, fused=True)
        zeros = torch.zeros_like(self._gradients)
        self._state = {"step": torch.tensor(0.0), "exp_avg": zeros, "exp_avg_sq": zeros.clone()}
        self._adam.state[self._weights] = self._state

    def update(self, batch: Samples) -> float:
        """Learn once from a batch; return its mean squared error before that."""
        self._gradients.zero_()
        values = self.network(
            torch.from_numpy(batch.boards).float(), torch.from_numpy(batch.moves)
        )  # [batch]
        loss = functional.mse_loss(values, torch.from_numpy(batch.targets))
        loss.backward()  # type: ignore[no-untyped-call]  # torch says no types for it
        self._adam.step()
        return float(loss.detach())

    def arrays(self) -> Arrays:
        """Return all that learning has made, by name; `restore` reads the same names."""
        return self.policy() | {_ADAM + name: tensor.numpy() for name, tensor in self._state.items()}

    def policy(self) -> Arrays:
        """Return the weights."""
        return to_arrays(self.network, WEIGHTS)

    def adopt(self, arrays: Arrays) -> None:
        """Take up the weights that `policy` returned; names, shapes and dtypes must be the same."""
        put(arrays, self.network, WEIGHTS)

    def restore(self, arrays: Arrays) -> None:
        """Take up what `arrays` returned; names, shapes and dtypes must be the same."""
        self.adopt(arrays)
        for name, tensor in self._state.items():
            tensor.copy_(torch.from_numpy(np.array(arrays[_ADAM + name])))


_WAITING = "waiting."
"""What the names of the arrays begin with."""


def waiting_arrays(samples: Samples) -> Arrays:
    """Return decisions as arrays of a checkpoint."""
    return {_WAITING + name: array for name, array in samples._asdict().items()}


def read_waiting(stored: Stored, squares: int) -> tuple[Samples, Arrays]:
    """Return the decisions of a checkpoint and its other arrays; raises CheckpointError."""
    held = {name: array for name, array in stored.arrays.items() if name.startswith(_WAITING)}
    n = len(np.atleast_1d(held.get(_WAITING + "moves", ())))
    shapes = {"boards": ((n, squares), np.int8), "moves": ((n,), np.int64), "targets": ((n,), np.float32)}
    check_arrays(stored.path, held, {_WAITING + name: form for name, form in shapes.items()})
    found = Samples(*(held[_WAITING + name] for name in Samples._fields))
    if not np.isin(found.moves, np.arange(squares)).all():
        raise CheckpointError(f"{stored.path} holds decisions with squares that are not on the board")
    return found, {name: array for name, array in stored.arrays.items() if name not in held}
