"""Prioritised replay with a sum tree (Schaul et al. 2016, the proportional variant)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Frame
from othello_lab.agent.memory.replay import Replay, Slots

_SMALLEST = 1e-6  # Added to each error, so transitions without an error can be drawn.
_BETA, _BETA_UPDATES = 0.4, 25_000  # First importance-sampling exponent, and number of updates until 1.


class SumTree:
    """A tree of sums. Each slot has a number, and `find` chooses slots in proportion to their numbers.

    The leaves are the numbers, and an inner node is the sum of its two children. The tree depends only on the
    current numbers, so a resumed run draws the same slots as an uninterrupted run.
    """

    def __init__(self, capacity: int) -> None:
        self._first = 1 << max(capacity - 1, 1).bit_length()
        self._levels = self._first.bit_length() - 1
        self.nodes = np.zeros(2 * self._first)  # node 1 is the root; node n has children 2n and 2n + 1
        # The numbers of the slots, a view of `nodes`. After a write, call `set`.
        self.leaves = self.nodes[self._first : self._first + capacity]

    def set(self, slots: Slots, numbers: NDArray[np.float64] | float) -> None:
        """Set the numbers of some slots. If a slot occurs twice, the later number counts."""
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
        """Return, for each value from 0 to below `total`, the first slot whose running sum exceeds `at`."""
        at, nodes = at.astype(np.float64), np.ones(len(at), np.int64)
        for _ in range(self._levels):
            nodes *= 2
            left = self.nodes[nodes]
            # Rounding may put a value beyond the last number. This check avoids an empty right side.
            right = (at >= left) & (self.nodes[nodes + 1] > 0)
            at -= left * right
            nodes += right
        return nodes - self._first


class PrioritisedReplay(Replay):
    """A replay memory that draws transitions with larger prediction errors more often."""

    def __init__(self, capacity: int, frames: int, squares: int, n_step: int, exponent: float) -> None:
        super().__init__(capacity, frames, squares, n_step)
        self.exponent = exponent
        self.tree = SumTree(capacity)
        self.arrays["priority"] = self.tree.leaves
        self.arrays["highest"] = np.ones(1)
        self._drawn_at = 0

    def append(self, frame: Frame, back: int) -> int:
        """Store a new decision and return its slot. An incomplete decision is never drawn."""
        slot = super().append(frame, back)
        self.tree.set(np.array([slot]), 0.0)
        return slot

    def complete(self, action: int, reward: float, discount: float) -> int:
        """Store the newest decision's outcome, and give it the highest priority so far."""
        slot = super().complete(action, reward, discount)
        self.tree.set(np.array([slot]), self.arrays["highest"][0])
        return slot

    def _draw(self, size: int, rng: np.random.Generator) -> Slots:
        """Divide the sum of priorities into `size` equal parts, and draw one slot from each part."""
        self._drawn_at = self.appended
        at = (np.arange(size) + rng.random(size)) * (self.tree.total / size)
        return np.minimum(self.tree.find(at), len(self) - 1)

    def weights(self, slots: Slots, updates: int) -> NDArray[np.float32]:
        """Return importance-sampling weights, float32 [n] (section 3.4). The largest weight is 1."""
        beta = _BETA + (1 - _BETA) * min(1.0, updates / _BETA_UPDATES)
        chances = np.maximum(self.tree.leaves[slots], np.finfo(np.float64).tiny) / self.tree.total
        weights = (len(self) * chances) ** -beta
        scaled: NDArray[np.float32] = (weights / weights.max()).astype(np.float32)
        return scaled

    def learned(self, slots: Slots, errors: NDArray[np.float32]) -> None:
        """Set the priorities of these slots to (|error| + 1e-6) ** exponent (equation 1)."""
        priorities = (np.abs(errors.astype(np.float64)) + _SMALLEST) ** self.exponent
        np.maximum(self.arrays["highest"], priorities.max(), out=self.arrays["highest"])
        # If a new decision has replaced the drawn decision, its slot keeps the new priority.
        since = (slots - self._drawn_at) % self.capacity
        same = since >= self.appended - self._drawn_at
        self.tree.set(slots[same], priorities[same])

    def is_possible(self, arrays: dict[str, NDArray[Any]]) -> bool:
        """Return whether the values of arrays with valid names and shapes are possible."""
        priorities, highest = arrays["priority"], arrays["highest"]
        is_sum = (priorities >= 0).all() and np.isfinite(priorities.sum()) and (highest > 0).all()
        return bool(is_sum) and super().is_possible(arrays)

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Load arrays from `held`. The caller must set `appended` before."""
        super().restore(arrays)
        self.tree.set(np.arange(len(self)), self.tree.leaves[: len(self)].copy())
