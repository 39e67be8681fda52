"""Learning in parts: what each part has changed in a network, and all changes put together."""

import math
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.ntuple.network import LearningNetwork
from othello_lab.game.kernels.jit import compiled

REACH: Final = 0.1
"""Share of the way to its target that a weight goes for each unit of error, while few; fitted."""


class Learned(NamedTuple):
    """How much was learned."""

    positions: int
    games: int
    squared: float
    """The sum of squared errors."""


class Difference(NamedTuple):
    """What a part has changed, of the weights that it has touched."""

    places: NDArray[np.int32]
    """Where they are in all weights, as one row, ascending, [n]."""
    weights: NDArray[np.float32]
    """By how much they have moved, [n]."""
    errors: NDArray[np.float32]
    """What was added to the sums of their errors, and of the sizes of those, [n, 2]."""
    learned: Learned


class Change:
    """Learning that is taken back; a context, within which a network learns by coherent steps."""

    def __init__(self, network: LearningNetwork) -> None:
        self._network = network

    def __enter__(self) -> Self:
        self._weights, self._errors = self._network.weights.copy(), self._network.errors.copy()
        return self

    def __exit__(self, *exception: object) -> None:
        moved, added = self._network.weights - self._weights, self._network.errors - self._errors
        self._network.weights[:], self._network.errors[:] = self._weights, self._errors
        self._places = np.flatnonzero(added[..., 1])
        self._moved, self._added = moved.ravel()[self._places], added.reshape(-1, 2)[self._places]

    def difference(self, learned: Learned) -> Difference:
        """Return what has changed within the context, where this much was learned."""
        return Difference(self._places.astype(np.int32), self._moved, self._added, learned)


class Merger:
    """Puts the differences of parts together, and moves a network by them."""

    def __init__(self, network: LearningNetwork) -> None:
        self._network, self.learned = network, Learned(0, 0, 0.0)
        self._sums = np.zeros((network.weights.size, 4))
        """Of each weight: its moves, each times the size of its part's errors; those sizes; their squares;
        the errors."""

    def add(self, part: Difference) -> None:
        """Add a part; the order of parts counts in the last digit."""
        add(self._sums, part.places, part.weights, part.errors)
        (positions, games, squared), more = self.learned, part.learned
        self.learned = Learned(positions + more.positions, games + more.games, squared + more.squared)

    def end(self) -> None:
        """Move the network."""
        merge(self._sums, self._network.weights.reshape(-1), self._network.errors.reshape(-1, 2))


@compiled
def add(
    sums: NDArray[np.float64],
    places: NDArray[np.int32],
    moves: NDArray[np.float32],
    errors: NDArray[np.float32],
) -> None:
    """Add what a part has changed to the sums of a `Merger`."""
    for i in range(len(places)):
        row, size = sums[places[i]], np.float64(errors[i, 1])
        row[0] += moves[i] * size
        row[1] += size
        row[2] += size * size
        row[3] += errors[i, 0]


@compiled
def merge(sums: NDArray[np.float64], weights: NDArray[np.float32], errors: NDArray[np.float32]) -> None:
    """Move weights and add errors, by the sums of a `Merger`.

    Part k moves a weight by d_k, by errors whose sizes come to s_k, and all sizes to S. The weight then
    moves by the mean of d_k, weighted with s_k, times (1 - exp(-a S)) / (1 - exp(-a s)), where a is REACH and
    s the mean of s_k, weighted likewise. So moves add up where errors were few and are averaged where there
    were many, and what a single part has moved is moved as far.
    """
    for i in range(len(sums)):
        moves, size = sums[i, 0], sums[i, 1]
        if size > 0:
            times = math.expm1(-REACH * size) / math.expm1(-REACH * sums[i, 2] / size)
            weights[i] += np.float32(moves / size * times)
            errors[i, 0] += np.float32(sums[i, 3])
            errors[i, 1] += np.float32(size)
