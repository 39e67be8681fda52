"""Prioritised replay (Schaul et al. 2016), the proportional variant, on a sum tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Frame
from othello_lab.agent.memory.replay import Replay, Slots

_SMALLEST = 1e-6
"""Added to each error, so that transitions without an error can still be drawn."""
_BETA, _BETA_UPDATES = 0.4, 25_000
"""How far the bias of the draws is corrected at first, and the updates after which it is corrected fully."""


class SumTree:
    """A number for each slot, and the sum of all. It draws slots in proportion to their numbers.

    Each inner node is the sum of its two children. A node is computed again when a child changes, so the tree
    depends only on the current numbers. A resumed run therefore draws the same slots.
    """

    def __init__(self, capacity: int) -> None:
        self._first = 1 << max(capacity - 1, 1).bit_length()
        self._levels = self._first.bit_length() - 1
        self.nodes = np.zeros(2 * self._first)  # node 1 is the root; node n has children 2n and 2n + 1
        self.leaves = self.nodes[self._first : self._first + capacity]
        """The numbers of the slots, a view of `nodes`. After writing here, call `set` for the same slots."""

    def set(self, slots: Slots, numbers: NDArray[np.float64] | float) -> None:
        """Set the numbers of some slots. If a slot appears twice, its last number counts."""
        self.leaves[slots] = numbers
        nodes = self._first + slots
        for _ in range(self._levels):
            nodes = nodes >> 1
            self.nodes[nodes] = self.nodes[2 * nodes] + self.nodes[2 * nodes + 1]

    @property
    def total(self) -> float:
        """The sum of all numbers."""
        return float(self.nodes[1])

    def find(self, at: NDArray[np.floating[Any]]) -> Slots:
        """Return the slots at which the running sum of the numbers passes `at`, 0 <= at < total."""
        at, nodes = at.astype(np.float64), np.ones(len(at), np.int64)
        for _ in range(self._levels):
            nodes *= 2
            left = self.nodes[nodes]
            # Rounding may move a draw past the last number, so an empty right side is never entered.
            right = (at >= left) & (self.nodes[nodes + 1] > 0)
            at -= left * right
            nodes += right
        return nodes - self._first


class PrioritisedReplay(Replay):
    """A replay memory that draws a transition more often if its last prediction error was larger."""

    def __init__(self, capacity: int, frames: int, squares: int, n_step: int, exponent: float) -> None:
        super().__init__(capacity, frames, squares, n_step)
        self.exponent = exponent
        self.tree = SumTree(capacity)
        self.arrays["priority"] = self.tree.leaves
        self.arrays["highest"] = np.ones(1)
        self._drawn_at = 0

    def append(self, frame: Frame, back: int) -> int:
        """Store a new decision and return its slot. It is not drawn before it is complete."""
        slot = super().append(frame, back)
        self.tree.set(np.array([slot]), 0.0)
        return slot

    def complete(self, action: int, reward: float, discount: float) -> int:
        """Store the outcome of the newest decision. It gets the highest priority and is drawn soon."""
        slot = super().complete(action, reward, discount)
        self.tree.set(np.array([slot]), self.arrays["highest"][0])
        return slot

    def _draw(self, size: int, rng: np.random.Generator) -> Slots:
        """Draw one slot from each of `size` equal parts of the sum, in proportion to the priorities."""
        self._drawn_at = self.appended
        at = (np.arange(size) + rng.random(size)) * (self.tree.total / size)
        return np.minimum(self.tree.find(at), len(self) - 1)

    def weights(self, slots: Slots, updates: int) -> NDArray[np.float32]:
        """Return importance-sampling weights, float32 [n], at most 1 (section 3.4 of the paper)."""
        beta = _BETA + (1 - _BETA) * min(1.0, updates / _BETA_UPDATES)
        chances = np.maximum(self.tree.leaves[slots], np.finfo(np.float64).tiny) / self.tree.total
        weights = (len(self) * chances) ** -beta
        scaled: NDArray[np.float32] = (weights / weights.max()).astype(np.float32)
        return scaled

    def learned(self, slots: Slots, errors: NDArray[np.float32]) -> None:
        """Set the priorities of these slots to (|error| + 1e-6) ** exponent (equation 1)."""
        priorities = (np.abs(errors.astype(np.float64)) + _SMALLEST) ** self.exponent
        np.maximum(self.arrays["highest"], priorities.max(), out=self.arrays["highest"])
        # A new decision may have replaced the drawn one: it keeps its own priority.
        since = (slots - self._drawn_at) % self.capacity
        same = since >= self.appended - self._drawn_at
        self.tree.set(slots[same], priorities[same])

    def is_possible(self, arrays: dict[str, NDArray[Any]]) -> bool:
        """Tell whether the arrays can come from `held`. Their names and shapes must be right."""
        priorities, highest = arrays["priority"], arrays["highest"]
        is_sum = (priorities >= 0).all() and np.isfinite(priorities.sum()) and highest[0] > 0
        return bool(is_sum) and super().is_possible(arrays)

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Load the arrays that `held` returned. `appended` must be set before."""
        super().restore(arrays)
        self.tree.set(np.arange(len(self)), self.tree.leaves[: len(self)].copy())
