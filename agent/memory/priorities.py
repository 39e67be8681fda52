"""Prioritised replay (Schaul et al. 2016), the proportional variant, on a sum tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Frame
from othello_lab.agent.memory.replay import Replay, Slots

_SMALLEST = 1e-6
"""Added to an error, so that well-predicted transitions can still be drawn."""


class SumTree:
    """A number per slot, their sum, and draws in proportion to them.

    Each inner node is the sum of its two children, computed anew whenever one of them changes: the tree
    depends on the numbers alone and not on their history, so that a resumed run draws the same.
    """

    def __init__(self, capacity: int) -> None:
        self._first = 1 << max(capacity - 1, 1).bit_length()
        self._levels = self._first.bit_length() - 1
        self.nodes = np.zeros(2 * self._first)  # 1 is the root; node n has the children 2n and 2n + 1
        self.leaves = self.nodes[self._first : self._first + capacity]
        """A view: after writing to it call `set` for these slots."""

    def set(self, slots: Slots, numbers: NDArray[np.float64] | float) -> None:
        """Set the numbers of slots; of equal slots the last one counts."""
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
            # Rounding may carry a draw past the last number: an empty right side is never entered.
            right = (at >= left) & (self.nodes[nodes + 1] > 0)
            at -= left * right
            nodes += right
        return nodes - self._first


class PrioritisedReplay(Replay):
    """Draws a transition the more often the worse its last prediction was."""

    def __init__(self, capacity: int, frames: int, squares: int, n_step: int, exponent: float) -> None:
        super().__init__(capacity, frames, squares, n_step)
        self.exponent = exponent
        self.tree = SumTree(capacity)
        self.arrays["priority"] = self.tree.leaves
        self.arrays["highest"] = np.ones(1)
        self._drawn_at = 0

    def append(self, frame: Frame, back: int) -> int:
        """Store a decision, which is not drawn before it is complete."""
        slot = super().append(frame, back)
        self.tree.set(np.array([slot]), 0.0)
        return slot

    def complete(self, action: int, reward: float, discount: float) -> int:
        """Complete the newest decision; it gets the highest priority, so that it is drawn soon."""
        slot = super().complete(action, reward, discount)
        self.tree.set(np.array([slot]), self.arrays["highest"][0])
        return slot

    def _draw(self, size: int, rng: np.random.Generator) -> Slots:
        """Draw in proportion to the priorities, one slot from each of `size` equal parts of the sum."""
        self._drawn_at = self.appended
        at = (np.arange(size) + rng.random(size)) * (self.tree.total / size)
        return np.minimum(self.tree.find(at), len(self) - 1)

    def weights(self, slots: Slots, beta: float) -> NDArray[np.float32]:
        """Return importance-sampling weights, float32 [n], at most 1 (section 3.4 of the paper)."""
        chances = np.maximum(self.tree.leaves[slots], np.finfo(np.float64).tiny) / self.tree.total
        weights = (len(self) * chances) ** -beta
        scaled: NDArray[np.float32] = (weights / weights.max()).astype(np.float32)
        return scaled

    def learned(self, slots: Slots, errors: NDArray[np.float32]) -> None:
        """Set the priorities of these slots: (|error| + small) ** exponent (equation 1)."""
        priorities = (np.abs(errors.astype(np.float64)) + _SMALLEST) ** self.exponent
        np.maximum(self.arrays["highest"], priorities.max(), out=self.arrays["highest"])
        # A decision that has replaced the drawn one keeps its own priority.
        since = (slots - self._drawn_at) % self.capacity
        same = since >= self.appended - self._drawn_at
        self.tree.set(slots[same], priorities[same])

    def is_possible(self, arrays: dict[str, NDArray[Any]]) -> bool:
        """Tell whether `held` may have returned these arrays, whose names and shapes are right."""
        priorities, highest = arrays["priority"], arrays["highest"]
        is_sum = (priorities >= 0).all() and np.isfinite(priorities.sum()) and highest[0] > 0
        return bool(is_sum) and super().is_possible(arrays)

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Load what `held` returned, after `appended` was set."""
        super().restore(arrays)
        self.tree.set(np.arange(len(self)), self.tree.leaves[: len(self)].copy())
