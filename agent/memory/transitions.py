"""Whole transitions, for learners that keep no replay memory: traces, returns, afterstates, tables."""

from collections.abc import Callable
from typing import NamedTuple

from agent.memory.frames import Frame


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
