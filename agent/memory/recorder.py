"""A recorder converts the observations and actions of an agent to transitions for the learner.

A frame is the observation at one decision, packed to bits. A frame stack holds the last frames of one side.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour
from othello_lab.game.notation import PASS

Frame = NDArray[np.uint8]  # The four planes of an observation as bits, uint8 [N*N / 2].


def pack(planes: NDArray[np.int32]) -> Frame:
    """Pack an observation, 0 or 1, [4*N*N], to bits."""
    return np.packbits(planes.astype(np.uint8))


def unpack(frames: NDArray[np.uint8], squares: int) -> NDArray[np.uint8]:
    """Return the planes, 0 or 1, [..., frames * 4, squares], of frames, [..., frames, squares / 2]."""
    bits = np.unpackbits(frames.reshape(-1))  # much faster than along an axis
    return bits.reshape(*frames.shape[:-2], frames.shape[-2] * 4, squares)


def board_of(frame: Frame, size: int) -> Board:
    """Return the position of a packed observation, with the side to move as black."""
    squares = size * size
    discs = np.packbits(np.unpackbits(frame)[: 2 * squares], bitorder="little").tobytes()
    both = int.from_bytes(discs, "little")
    return Board(size, both & (1 << squares) - 1, both >> squares, Colour.BLACK)


class FrameStack:
    """The last frames of one side in the current game, newest first. Missing frames are zeros."""

    def __init__(self, frames: int, squares: int) -> None:
        self._frames: deque[Frame] = deque(maxlen=frames)
        self._empty = np.zeros(squares // 2, np.uint8)
        self.clear()

    def clear(self) -> None:
        """Forget the game, because no frame may leak into the next game."""
        self._frames.extend([self._empty] * (self._frames.maxlen or 0))

    def push(self, frame: Frame) -> None:
        """Add the frame of a new decision."""
        self._frames.appendleft(frame)

    def array(self) -> NDArray[np.uint8]:
        """Return the stack, uint8 [frames, squares / 2]."""
        return np.stack(self._frames)


class Sink(Protocol):
    """Receives decisions by `append` and then `complete`. A replay memory is a sink."""

    def append(self, frame: Frame, back: int) -> object:
        """Receive a frame. The side's last decision in this game was `back` decisions ago (0: none)."""

    def complete(self, action: int, reward: float, discount: float) -> object:
        """Receive the outcome of the newest decision. `discount` is 0 at the end of the game."""


class Recorder:
    """Follows a game, keeps each side's frame stack, and passes decisions to a sink while storing is on.

    A transition leads from one decision to the next. Its discount is +gamma if the same side decides next,
    -gamma if the other side decides next, and 0 at the end of the game. A forced pass is no decision and is
    not stored.
    """

    def __init__(self, sink: Sink, squares: int, gamma: float, frames: int = 1, negamax: bool = True) -> None:
        """If `negamax` is False, the discount is never negative, for experiments."""
        self._sink, self._squares, self._gamma, self._negamax = sink, squares, gamma, negamax
        self._stacks = [FrameStack(frames, squares) for _ in range(2)]
        self._appended = 0
        self.storing = True
        self.begin()

    def begin(self) -> None:
        """Forget the last game, which may have stopped without `end`."""
        for stack in self._stacks:
            stack.clear()
        self._side = 0  # the side to move, 0 or 1. The colour of side 0 does not matter.
        self._decisions = [0, 0]
        self._last_observed: tuple[int, int] | None = None  # number of discs, and the action
        self._forget_decisions()

    def _forget_decisions(self) -> None:
        self._pending: tuple[int, int] | None = None  # side and action of a decision without an outcome
        self._last: list[int | None] = [None, None]  # the index of each side's last decision
        self._reward = 0.0  # the sum of rewards since the pending decision, for its side

    def store(self, on: bool) -> None:
        """Turn storing on or off. A change drops a decision without an outcome."""
        if on != self.storing:
            self.storing = on
            self._forget_decisions()

    def reward(self, reward: float) -> None:
        """Record a reward of the side that acted last."""
        if self._pending:
            self._reward += reward if self._pending[0] == self._side else -reward

    def see(self, planes: NDArray[np.int32]) -> None:
        """Receive the next observation, and determine the side to move."""
        squares = self._squares
        discs = int(planes[: 2 * squares].sum())
        if self._last_observed and is_other_side(*self._last_observed, discs, planes[squares : 2 * squares]):
            self._side = 1 - self._side
        self._last_observed = discs, PASS  # until `act` sets the action

    def decide(self, planes: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Store a decision. Return the frame stack of the side to move, uint8 [frames, squares / 2]."""
        frame = pack(planes)
        self._stacks[self._side].push(frame)
        self._decisions[self._side] += 1
        if self.storing:
            self._append(frame)
        return self._stacks[self._side].array()

    def _append(self, frame: Frame) -> None:
        if self._pending:
            side, action = self._pending
            discount = self._gamma if side == self._side or not self._negamax else -self._gamma
            self._sink.complete(action, self._reward, discount)
        last = self._last[self._side]
        self._last[self._side] = self._appended
        self._sink.append(frame, back=0 if last is None else self._appended - last)
        self._appended += 1

    @property
    def decisions(self) -> int:
        """The number of decisions of the side to move in this game, including the current decision."""
        return self._decisions[self._side]

    @property
    def has_two_sides(self) -> bool:
        """Whether both sides have made decisions in this game, which happens only in self-play."""
        return all(self._decisions)

    def act(self, action: int) -> None:
        """Record the action of the current decision."""
        if self._last_observed:
            self._last_observed = self._last_observed[0], action
        if self.storing:
            self._pending, self._reward = (self._side, action), 0.0

    def end(self) -> float | None:
        """Store the end of the game. Return the reward of the last decision, or None if it was not stored."""
        pending, reward = self._pending, self._reward
        if pending:
            self._sink.complete(pending[1], reward, discount=0.0)
        self.begin()
        return reward if pending else None


def is_other_side(discs: int, action: int, discs_now: int, opponent: NDArray[np.int32]) -> bool:
    """Return whether an observation is the position right after `action`, seen from the other side.

    `discs` and `discs_now` count the discs before the action and in the observation, and `opponent`, 0 or 1,
    [squares], is its plane of opponent discs. Return False if an opponent in the environment has moved (two
    more discs) or passed (the new disc is not an opponent disc).
    """
    if action == PASS:
        return discs_now == discs
    return discs_now == discs + 1 and bool(opponent[action])


class Transition(NamedTuple):
    """A step from a decision to the next decision, or to the end of the game."""

    state: Frame  # The packed planes of the decision, uint8 [squares / 2].
    action: int
    reward: float
    discount: float  # +gamma if the same side decides next, -gamma if the other side does, 0 at the end.
    next_state: Frame | None  # The packed planes of the next decision, or None at the end.


class Transitions:
    """A sink for a recorder. It calls the callback `take` with each complete transition."""

    def __init__(self, take: Callable[[Transition], None]) -> None:
        self._take = take
        self._state: Frame | None = None
        self._outcome: tuple[int, float, float] | None = None

    def append(self, frame: Frame, back: int) -> None:
        """Receive the frame of a new decision, which is the next state of the previous decision."""
        self._emit(frame)
        self._state = frame

    def complete(self, action: int, reward: float, discount: float) -> None:
        """Receive the outcome of the newest decision."""
        self._outcome = action, reward, discount
        if discount == 0:
            self._emit(None)

    def _emit(self, next_state: Frame | None) -> None:
        if self._state is not None and self._outcome:
            self._take(Transition(self._state, *self._outcome, next_state))
        self._state = self._outcome = None
