"""A recorder: it makes transitions of what an agent sees and does, and hands them to its learner."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.frames import Frame, FrameStack, pack
from othello_lab.game.notation import PASS


class Sink(Protocol):
    """What hears of decisions, each in two halves: a replay memory, or `Transitions`."""

    def append(self, frame: Frame, back: int) -> object:
        """Hear that a decision is due, `back` decisions after the same side's last one in this game.

        `back` is 0 for a side's first. If the previous decision was not completed, it never will be: its game
        was cut off.
        """

    def complete(self, action: int, reward: float, discount: float) -> object:
        """Hear what came of the newest decision: `discount` is 0 at the end, else an `append` follows."""


class Recorder:
    """Follows a game, keeps each side's frame stack, and hands decisions to a sink while it is asked to.

    A transition leads from one decision to the next, with a signed discount: +gamma if that is the same
    side's (an opponent in the environment has moved, or the other side had to pass), -gamma if it is the
    other side's (self-play), 0 at the end. A forced pass is no decision and is stored nowhere.
    """

    def __init__(self, sink: Sink, squares: int, gamma: float, frames: int = 1, negamax: bool = True) -> None:
        """Without `negamax` the sign is not turned, to show what it is worth."""
        self._sink, self._squares, self._gamma, self._negamax = sink, squares, gamma, negamax
        self._stacks = [FrameStack(frames, squares) for _ in range(2)]
        self._appended = 0
        self.storing = True
        self.begin()

    def begin(self) -> None:
        """Forget the last game: it may have been cut off, and then no end came."""
        for stack in self._stacks:
            stack.clear()
        self._side = 0  # 0 or 1: whose turn it is; which of them is black does not matter
        self._decisions = [0, 0]
        self._seen: tuple[int, int] | None = None  # discs, and what was done there
        self._forget_decisions()

    def _forget_decisions(self) -> None:
        self._pending: tuple[int, int] | None = None  # side and action of the newest decision, if incomplete
        self._last: list[int | None] = [None, None]  # each side's last decision, by its number
        self._reward = 0.0  # since the pending decision, as its side sees it

    def store(self, on: bool) -> None:
        """Begin or stop storing. A decision that waits for its outcome is dropped."""
        if on != self.storing:
            self.storing = on
            self._forget_decisions()

    def reward(self, reward: float) -> None:
        """Take the reward of the side that has acted last."""
        if self._pending:
            self._reward += reward if self._pending[0] == self._side else -reward

    def see(self, planes: NDArray[np.int32]) -> None:
        """Take the next observation, and find out whose turn it is."""
        squares = self._squares
        discs = int(planes[: 2 * squares].sum())
        if self._seen and is_other_side(self._seen[0], self._seen[1], discs, planes[squares : 2 * squares]):
            self._side = 1 - self._side
        self._seen = discs, PASS

    def decide(self, planes: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Store that a decision is due at what was just seen; return the stack to decide by.

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
        """How many decisions the side to move has had in this game, this one included."""
        return self._decisions[self._side]

    @property
    def has_two_sides(self) -> bool:
        """Whether both sides of this game have asked for decisions: self-play."""
        return all(self._decisions)

    def act(self, action: int) -> None:
        """Take what was decided."""
        if self._seen:
            self._seen = self._seen[0], action
        if self.storing:
            self._pending, self._reward = (self._side, action), 0.0

    def end(self) -> float | None:
        """Store that the game is over; return the reward of the last decision, None if it was not stored."""
        pending, reward = self._pending, self._reward
        if pending:
            self._sink.complete(pending[1], reward, discount=0.0)
        self.begin()
        return reward if pending else None


def is_other_side(discs: int, action: int, discs_now: int, opponent: NDArray[np.int32]) -> bool:
    """Tell whether an observation is the position after `action`, seen by the other side.

    discs: how many lay there before it; discs_now and opponent (0 and 1, [squares]) are what is seen next.
    If the environment has an opponent, that has moved by then and there are more discs. If it had to pass,
    the agent still sees its new disc as its own.
    """
    if action == PASS:
        return discs_now == discs
    return discs_now == discs + 1 and bool(opponent[action])


class Transition(NamedTuple):
    """From one decision to the next, or to the end."""

    state: Frame
    """Packed planes of the decision, uint8 [squares / 2]; `frames.unpack` opens them."""
    action: int
    reward: float
    discount: float
    """+gamma if the next decision is the same side's, -gamma if it is the other side's, 0 at the end."""
    next_state: Frame | None
    """Packed planes of the next decision, its legal squares among them; None at the end."""


class Transitions:
    """A sink of a recorder that hands on every transition once it is whole."""

    def __init__(self, take: Callable[[Transition], None]) -> None:
        self._take = take
        self._state: Frame | None = None
        self._outcome: tuple[int, float, float] | None = None

    def append(self, frame: Frame, back: int) -> None:
        """See `recorder.Sink`."""
        self._hand_on(frame)
        self._state = frame

    def complete(self, action: int, reward: float, discount: float) -> None:
        """See `recorder.Sink`."""
        self._outcome = action, reward, discount
        if discount == 0:
            self._hand_on(None)

    def _hand_on(self, next_state: Frame | None) -> None:
        if self._state is not None and self._outcome:
            self._take(Transition(self._state, *self._outcome, next_state))
        self._state = self._outcome = None
