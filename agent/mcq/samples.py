"""Training samples of the network: boards and moves with their returns, under the board's symmetries."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agent.mcq.acting import boards_of
from agent.mcq.config import MCQConfig
from agent.mcq.returns import Decisions, returns
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
