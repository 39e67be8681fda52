"""A recorder: it turns what an agent observes and does into transitions for its learner.

A frame is the observation of one decision, packed to bits; a stack has the last few frames.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour
from othello_lab.game.notation import PASS

Frame = NDArray[np.uint8]
"""Four planes of N*N squares as bits, uint8 [N*N / 2]."""


def pack(planes: NDArray[np.int32]) -> Frame:
    """Return the observation's 4*N*N numbers of 0 and 1 as bits."""
    return np.packbits(planes.astype(np.uint8))


def unpack(frames: NDArray[np.uint8], squares: int) -> NDArray[np.uint8]:
    """Return planes of 0 and 1, [..., frames * 4, squares], from frames [..., frames, squares / 2]."""
    bits = np.unpackbits(frames.reshape(-1))  # much faster than along an axis
    return bits.reshape(*frames.shape[:-2], frames.shape[-2] * 4, squares)


def board_of(frame: Frame, size: int) -> Board:
    """Return the position of a packed observation; its side to move is taken for black."""
    squares = size * size
    discs = np.packbits(np.unpackbits(frame)[: 2 * squares], bitorder="little").tobytes()
    both = int.from_bytes(discs, "little")
    return Board(size, both & (1 << squares) - 1, both >> squares, Colour.BLACK)


class FrameStack:
    """The frames of the present game's last decisions of one side, newest first; missing ones are zeros."""

    def __init__(self, frames: int, squares: int) -> None:
        self._frames: deque[Frame] = deque(maxlen=frames)
        self._empty = np.zeros(squares // 2, np.uint8)
        self.clear()

    def clear(self) -> None:
        """Forget the game: frames never leak into the next one."""
        self._frames.extend([self._empty] * (self._frames.maxlen or 0))

    def push(self, frame: Frame) -> None:
        """Put the frame of a new decision in front."""
        self._frames.appendleft(frame)

    def array(self) -> NDArray[np.uint8]:
        """Return the stack, uint8 [frames, squares / 2]."""
        return np.stack(self._frames)


class Sink(Protocol):
    """Takes decisions, each in two halves: a replay memory, or `Transitions`."""

    def append(self, frame: Frame, back: int) -> object:
        """Take a new decision, `back` decisions after the same side's last one in this game.

        `back` is 0 for a side's first. If the previous decision was not completed, it never will be: its game
        was cut off.
        """

    def complete(self, action: int, reward: float, discount: float) -> object:
        """Take the outcome of the newest decision: `discount` is 0 at the end, else an `append` follows."""


class Recorder:
    """Follows a game, keeps each side's frame stack, and passes decisions to a sink while storing is on.

    A transition leads from one decision to the next, with a signed discount: +gamma if that is the same
    side's (an opponent in the environment has moved, or the other side had to pass), -gamma if it is the
    other side's (self-play), 0 at the end. A forced pass is no decision and is stored nowhere.
    """

    def __init__(self, sink: Sink, squares: int, gamma: float, frames: int = 1, negamax: bool = True) -> None:
        """Without `negamax` the discount has no sign, to show what the sign is worth."""
        self._sink, self._squares, self._gamma, self._negamax = sink, squares, gamma, negamax
        self._stacks = [FrameStack(frames, squares) for _ in range(2)]
        self._appended = 0
        self.storing = True
        self.begin()

    def begin(self) -> None:
        """Forget the last game: it may have been cut off, and then no end came."""
        for stack in self._stacks:
            stack.clear()
        self._side = 0  # the side to move, 0 or 1, whatever its colour
        self._decisions = [0, 0]
        self._last_observed: tuple[int, int] | None = None  # discs, and the action
        self._forget_decisions()

    def _forget_decisions(self) -> None:
        self._pending: tuple[int, int] | None = None  # side and action of the newest decision, if incomplete
        self._last: list[int | None] = [None, None]  # the number of each side's last decision
        self._reward = 0.0  # since the pending decision, for its side

    def store(self, on: bool) -> None:
        """Begin or stop storing. A decision that waits for its outcome is dropped."""
        if on != self.storing:
            self.storing = on
            self._forget_decisions()

    def reward(self, reward: float) -> None:
        """Add the reward of the side that has acted last."""
        if self._pending:
            self._reward += reward if self._pending[0] == self._side else -reward

    def see(self, planes: NDArray[np.int32]) -> None:
        """Take the next observation, and determine the side to move."""
        squares = self._squares
        discs = int(planes[: 2 * squares].sum())
        if self._last_observed and is_other_side(*self._last_observed, discs, planes[squares : 2 * squares]):
            self._side = 1 - self._side
        self._last_observed = discs, PASS

    def decide(self, planes: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Store a decision at the last observation; return the stack to decide by.

        The stack is uint8 [frames, squares / 2].
        """
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
        """The number of decisions of the side to move in this game, this one included."""
        return self._decisions[self._side]

    @property
    def has_two_sides(self) -> bool:
        """Whether both sides of this game have decided: self-play."""
        return all(self._decisions)

    def act(self, action: int) -> None:
        """Take the action of the decision."""
        if self._last_observed:
            self._last_observed = self._last_observed[0], action
        if self.storing:
            self._pending, self._reward = (self._side, action), 0.0

    def end(self) -> float | None:
        """Store the end of the game; return the reward of the last decision, None if it was not stored."""
        pending, reward = self._pending, self._reward
        if pending:
            self._sink.complete(pending[1], reward, discount=0.0)
        self.begin()
        return reward if pending else None


def is_other_side(discs: int, action: int, discs_now: int, opponent: NDArray[np.int32]) -> bool:
    """Tell whether an observation is the position after `action`, seen by the other side.

    discs: the number of discs before the action; discs_now and opponent (0 and 1, [squares]) are those of the
    observation. An opponent in the environment has moved by then: there are more discs. If it had to pass,
    the agent still sees its new disc as its own.
    """
    if action == PASS:
        return discs_now == discs
    return discs_now == discs + 1 and bool(opponent[action])


class Transition(NamedTuple):
    """From one decision to the next, or to the end."""

    state: Frame
    """Packed planes of the decision, uint8 [squares / 2]; `unpack` opens them."""
    action: int
    reward: float
    discount: float
    """+gamma if the next decision is the same side's, -gamma if it is the other side's, 0 at the end."""
    next_state: Frame | None
    """Packed planes of the next decision, its legal squares among them; None at the end."""


class Transitions:
    """A sink of a recorder that calls `take` with every complete transition."""

    def __init__(self, take: Callable[[Transition], None]) -> None:
        self._take = take
        self._state: Frame | None = None
        self._outcome: tuple[int, float, float] | None = None

    def append(self, frame: Frame, back: int) -> None:
        """Take a new decision, the next state of the previous one."""
        self._emit(frame)
        self._state = frame

    def complete(self, action: int, reward: float, discount: float) -> None:
        """Take the outcome of the newest decision."""
        self._outcome = action, reward, discount
        if discount == 0:
            self._emit(None)

    def _emit(self, next_state: Frame | None) -> None:
        if self._state is not None and self._outcome:
            self._take(Transition(self._state, *self._outcome, next_state))
        self._state = self._outcome = None
