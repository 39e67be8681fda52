"""A replay memory that stores each frame once, and builds frame stacks when it draws a batch."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Frame, unpack

Slots = NDArray[np.int64]
_TRIES = 50  # Random draws before a search of all slots. Nearly all slots are valid.


class Batch(NamedTuple):
    """Transitions drawn from the replay memory. DQN Zoo uses the same names."""

    s_tm1: NDArray[np.uint8]  # [batch, frames * 4, squares]
    a_tm1: NDArray[np.int64]  # [batch]
    r_t: NDArray[np.float32]  # [batch], the sum of rewards over n steps
    discount_t: NDArray[np.float32]  # [batch], signed. 0 if the game ended within n steps.
    s_t: NDArray[np.uint8]  # [batch, frames * 4, squares]. Not valid if the discount is 0.


class _Trace(NamedTuple):
    """The slots of the frames of some transitions: first for s_tm1, then for s_t."""

    reward: NDArray[np.float32]  # [batch], the sum of rewards over n steps
    discount: NDArray[np.float32]  # [batch]
    at: NDArray[np.int64]  # [frames, 2 * batch]: the slots of the frames, newest first
    exists: NDArray[np.bool_]  # [frames, 2 * batch]: False before the first frame of a game
    valid: NDArray[np.bool_]  # [batch]: whether the transition may be drawn


class Replay:
    """A ring buffer of decisions. One slot holds the frame of a decision and its outcome.

    `append` stores the position. `complete` stores the outcome at the next decision or at the end of the
    game. The state after slot i is in slot i + 1. In self-play the other side usually moves in that state.
    """

    def __init__(self, capacity: int, frames: int, squares: int, n_step: int = 1) -> None:
        self.capacity, self.frames, self.squares, self.n_step = capacity, frames, squares, n_step
        # `back` is the number of slots since the same side's last decision in the same game, or 0.
        self.arrays: dict[str, NDArray[Any]] = {
            "frame": np.zeros((capacity, squares // 2), np.uint8),
            "action": np.zeros(capacity, np.int16),
            "reward": np.zeros(capacity, np.float32),
            "discount": np.zeros(capacity, np.float32),
            "back": np.zeros(capacity, np.uint8),
            "complete": np.zeros(capacity, np.bool_),
        }
        self.appended = 0  # The number of decisions so far. The newest is in slot (appended - 1) % capacity.

    def __len__(self) -> int:
        """Return the number of stored decisions, including incomplete decisions."""
        return min(self.appended, self.capacity)

    def append(self, frame: Frame, back: int) -> int:
        """Store the frame of a new decision and return its slot. `Sink.append` explains `back`."""
        slot = self.appended % self.capacity
        self.arrays["frame"][slot] = frame
        self.arrays["back"][slot] = back
        self.arrays["complete"][slot] = False
        self.appended += 1
        return slot

    def complete(self, action: int, reward: float, discount: float) -> int:
        """Store the outcome of the newest decision and return its slot. `discount` is 0 at the end of a game.

        The last decision of an unfinished game stays incomplete and is never drawn.
        """
        slot = (self.appended - 1) % self.capacity
        self.arrays["action"][slot] = action
        self.arrays["reward"][slot] = reward
        self.arrays["discount"][slot] = discount
        self.arrays["complete"][slot] = True
        return slot

    def sample(self, size: int, rng: np.random.Generator) -> tuple[Batch, Slots] | None:
        """Draw complete transitions with all frames. Return them and their slots, int64 [size], or None."""
        if not len(self):
            return None
        slots = self._draw(size, rng)
        for _ in range(_TRIES):
            trace = self._trace(slots)
            bad = ~trace.valid
            if not bad.any():
                return self._batch(slots, trace), slots
            slots[bad] = self._draw(int(bad.sum()), rng)
        valid = np.flatnonzero(self.valid(np.arange(len(self))))
        if not len(valid):
            return None
        slots = valid[rng.integers(len(valid), size=size)]
        return self.batch(slots), slots

    def _draw(self, size: int, rng: np.random.Generator) -> Slots:
        return rng.integers(len(self), size=size)

    def weights(self, slots: Slots, updates: int) -> NDArray[np.float32] | None:
        """Return the weight of each transition in the loss, float32 [n], or None if all weights are equal."""
        return None

    def learned(self, slots: Slots, errors: NDArray[np.float32]) -> None:
        """Record the prediction errors of the transitions in these slots. A no-op in this class."""

    def held(self) -> dict[str, NDArray[Any]]:
        """Return the used part of `arrays`. Resuming needs only these arrays and `appended`."""
        return {name: array[: len(self)] for name, array in self.arrays.items()}

    def is_possible(self, arrays: dict[str, NDArray[Any]]) -> bool:
        """Return whether the values of arrays with valid names and shapes are possible."""
        action, back = arrays["action"], arrays["back"]
        return bool(((action >= 0) & (action < self.squares) & (back <= self.capacity)).all())

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Load arrays from `held`. The caller must set `appended` before. Shapes must be equal."""
        for name, array in self.arrays.items():
            array[: len(self)] = arrays[name]

    def valid(self, slots: Slots) -> NDArray[np.bool_]:
        """Return whether each slot's decision is complete and all its frames are stored, bool [n]."""
        return self._trace(slots).valid

    def batch(self, slots: Slots) -> Batch:
        """Return the transitions in these slots."""
        return self._batch(slots, self._trace(slots))

    def _batch(self, slots: Slots, trace: _Trace) -> Batch:
        frames = self.arrays["frame"].take(trace.at.T, axis=0)  # [2 * batch, frames, squares / 2]
        if self.frames > 1:
            frames[~trace.exists.T] = 0  # the side has no frame before its first decision
        states = unpack(frames, self.squares)
        action = self.arrays["action"].take(slots).astype(np.int64)
        return Batch(states[: len(slots)], action, trace.reward, trace.discount, states[len(slots) :])

    def _trace(self, slots: Slots) -> _Trace:
        ends, reward, discount = self._returns(slots)
        both = np.concatenate([slots, ends])
        at = np.empty((self.frames, len(both)), np.int64)
        exists = np.ones(at.shape, np.bool_)
        at[0], reach = both, np.zeros(len(both), np.int64)
        for k in range(1, self.frames):
            back = self.arrays["back"].take(at[k - 1])
            np.not_equal(back, 0, out=exists[k])  # at the first decision `back` is 0, so `at` stays the same
            at[k] = at[k - 1] - back
            at[k][at[k] < 0] += self.capacity
            reach += back
        age = (both - (self.appended - len(self))) % self.capacity  # number of older stored decisions
        held = reach <= age  # False if the oldest frame of the stack is overwritten
        starts, stops = held[: len(slots)], held[len(slots) :]
        valid = self.arrays["complete"][slots] & starts & (stops | (discount == 0))
        return _Trace(reward, discount, at, exists, valid)

    def _returns(self, slots: Slots) -> tuple[Slots, NDArray[np.float32], NDArray[np.float32]]:
        """Return the slots of s_t, the discounted sums of rewards before s_t, and the discounts at s_t.

        The sum is r_1 + d_1 r_2 + d_1 d_2 r_3 + ..., with at most n terms. A negative discount changes the
        sign of the other side's reward. The sum stops at the end of a game, or before a decision without an
        outcome.
        """
        ends = (slots + 1) % self.capacity
        reward, discount = self.arrays["reward"][slots], self.arrays["discount"][slots]
        for _ in range(self.n_step - 1):
            goes_on = self.arrays["complete"][ends] & (discount != 0)
            reward = np.where(goes_on, reward + discount * self.arrays["reward"][ends], reward)
            discount = np.where(goes_on, discount * self.arrays["discount"][ends], discount)
            ends = np.where(goes_on, (ends + 1) % self.capacity, ends)
        return ends, reward, discount
