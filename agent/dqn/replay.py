"""Replay memory: single frames, each stored once, and stacks built when they are drawn."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.dqn.frames import Frame, unpack


@dataclass(frozen=True)
class Batch:
    """Transitions s_tm1, a_tm1, r_t, discount_t, s_t (the names of DQN Zoo), drawn from replay."""

    s_tm1: NDArray[np.uint8]  # [batch, frames * 4, squares]
    a_tm1: NDArray[np.int64]  # [batch]
    r_t: NDArray[np.float32]  # [batch]
    discount_t: NDArray[np.float32]  # [batch], 0 at the end of a game
    s_t: NDArray[np.uint8]  # [batch, frames * 4, squares]; means nothing where the discount is 0


class Replay:
    """A ring of decisions. One slot holds one decision's frame and what came of it.

    A decision is stored in two halves: `append` when the agent sees the position, `complete` when it learns
    the reward and that another decision (or the end) follows. The next state of slot i is slot i + 1.
    """

    def __init__(self, capacity: int, frames: int, squares: int) -> None:
        self.capacity, self.stack, self.squares = capacity, frames, squares
        self.arrays: dict[str, NDArray[Any]] = {
            "frame": np.zeros((capacity, squares // 2), np.uint8),
            "action": np.zeros(capacity, np.int16),
            "reward": np.zeros(capacity, np.float32),
            "discount": np.zeros(capacity, np.float32),
            "age": np.zeros(capacity, np.uint16),
            "complete": np.zeros(capacity, np.bool_),
        }
        """Everything stored; `age` counts the decisions before this one in its game."""
        self.appended = 0
        """Decisions ever appended; the newest stands in slot (appended - 1) % capacity."""

    def __len__(self) -> int:
        """Count the decisions held, complete or not."""
        return min(self.appended, self.capacity)

    def append(self, frame: Frame, first: bool) -> None:
        """Store the frame of a decision; `first` begins a game."""
        slot, last = self.appended % self.capacity, (self.appended - 1) % self.capacity
        age = self.arrays["age"]
        age[slot] = 0 if first else age[last] + 1
        self.arrays["frame"][slot] = frame
        self.arrays["complete"][slot] = False
        self.appended += 1

    def complete(self, action: int, reward: float, discount: float) -> None:
        """Say what came of the newest decision: `discount` is 0 at the end, else an `append` must follow.

        A decision that is never completed, since its game was cut off, is never drawn.
        """
        slot = (self.appended - 1) % self.capacity
        self.arrays["action"][slot] = action
        self.arrays["reward"][slot] = reward
        self.arrays["discount"][slot] = discount
        self.arrays["complete"][slot] = True

    def valid(self, slots: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell which slots may be drawn: complete, and none of the frames of its stack overwritten."""
        oldest = self.appended - len(self)
        place = (slots - oldest) % self.capacity
        reach = np.minimum(self.arrays["age"][slots], self.stack - 1)
        valid: NDArray[np.bool_] = self.arrays["complete"][slots] & (place >= reach)
        return valid

    def sample(self, size: int, rng: np.random.Generator) -> Batch:
        """Draw transitions uniformly, with replacement; there must be a valid one."""
        slots = rng.integers(len(self), size=size)
        while not (good := self.valid(slots)).all():
            slots[~good] = rng.integers(len(self), size=size - int(good.sum()))
        return self.batch(slots)

    def batch(self, slots: NDArray[np.int64]) -> Batch:
        """Return the transitions in these slots."""
        return Batch(
            self._stacks(slots),
            self.arrays["action"][slots].astype(np.int64),
            self.arrays["reward"][slots].astype(np.float32),
            self.arrays["discount"][slots].astype(np.float32),
            self._stacks((slots + 1) % self.capacity),
        )

    def _stacks(self, slots: NDArray[np.int64]) -> NDArray[np.uint8]:
        back = np.arange(self.stack)  # newest first
        frames = self.arrays["frame"][(slots[:, None] - back) % self.capacity]  # [batch, frames, squares / 2]
        frames[back > self.arrays["age"][slots][:, None]] = 0  # before the game began
        return unpack(frames, self.squares)
