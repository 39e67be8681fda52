"""The facts that an agent takes from the task specification."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Transition
from othello_lab.game import observation
from othello_lab.game.errors import FailedError
from othello_lab.game.notation import SIZES, check_size
from othello_lab.game.observation import size_of
from rlglue import taskspec
from rlglue.errors import RequestError
from rlglue.types import Observation

LARGEST = max(SIZES)
"""The largest board there is."""
LARGEST_REWARD = 1e6
"""The largest size of a reward: far larger ones make a network's numbers overflow."""
TOO_EARLY = "no agent_init came before it"


class TaskError(FailedError):
    """A task that this agent cannot play."""


class PositionError(TaskError, RequestError):
    """An observation that is no position of the task."""

    def __init__(self, why: object) -> None:
        super().__init__(f"the environment sent no position of Othello: {why}")


@dataclass(frozen=True)
class Task:
    """Othello as an environment announces it."""

    size: int
    gamma: float
    loss: float
    """The return of a lost game."""
    draw: float
    """The return of a drawn game."""
    in_discs: bool = False
    """Whether the return is by how many discs a game was won."""
    win: float = 1.0
    """The return of a won game."""

    def is_lost(self, total: float) -> bool:
        """Tell whether a game with this return was lost."""
        return total < 0 if self.in_discs else total <= self.loss

    def within_one(self, t: Transition) -> Transition:
        """Return a transition for a learner whose values are from -1 to 1.

        Where returns can be beyond these, the reward at the end becomes 1, 0 or -1: won, drawn or lost.
        """
        fits = not self.in_discs and max(self.win, -self.loss, abs(t.reward)) <= 1
        if fits or t.next_state is not None:
            return t
        return t._replace(reward=float(np.sign(t.reward - self.draw)))


@contextmanager
def fitting(size: int) -> Iterator[None]:
    """Raise TaskError where ValueError is raised: an agent does not fit boards of this size."""
    try:
        yield
    except ValueError as error:
        raise TaskError(f"this agent does not play on {size}x{size}: {error}") from None


def check_board(size: int, largest: int) -> None:
    """Raise TaskError for a board that is larger than an agent can play on."""
    if size > largest:
        raise TaskError(
            f"this agent is for boards up to {largest}x{largest}, not {size}x{size}: use --size {largest}"
        )


def read_position(seen: Observation, size: int, checked: bool = True) -> NDArray[np.int32]:
    """Return an observation of a board of `size`, int32 [4 * size * size]; raise PositionError.

    With `checked` the planes are compared with the rules, which every agent needs at the first observation of
    an episode. Without, their numbers are only counted.
    """
    try:
        return (observation.checked if checked else observation.of_size)(seen.intArray, size)
    except ValueError as error:
        raise PositionError(error) from None


def check_request(task: Task | None, reward: float = 0.0) -> Task:
    """Return the task; raise RequestError before there is one, or for a reward that nobody can learn from."""
    if task is None:
        raise RequestError(TOO_EARLY)
    if not abs(reward) <= LARGEST_REWARD:
        raise RequestError(f"the reward is {reward}: expected at most {LARGEST_REWARD:,.0f}")
    return task


def read_task(text: str, expected_size: int | None = None, largest: int = LARGEST) -> Task:
    """Read a task specification; raise TaskError where it is no Othello, or not of the expected size.

    The board size comes from EXTRA, without one from the count of ints in an observation.
    """
    try:
        spec = taskspec.parse(text)
        numbers = spec.observations.int_count
        size = size_of(numbers)
        check_size(size)
        loss = float(spec.extra_values().get("loss", -1.0))
        draw = float(spec.extra_values().get("draw", -0.5))
        win = float(spec.extra_values().get("win", 1.0))
    except ValueError as error:
        raise TaskError(f"the task is no Othello that this agent can play: {error}") from None
    announced = spec.extra_values().get("size", str(size))
    if announced != str(size):
        raise TaskError(f"the task says size={announced}, but its {numbers} ints are those of {size}x{size}")
    if expected_size not in (None, size):
        raise TaskError(
            f"this agent is set up for {expected_size}x{expected_size}, but the environment plays "
            f"{size}x{size}: start both with the same --size"
        )
    check_board(size, largest)
    return Task(size, spec.discount, loss, draw, spec.extra_values().get("reward") == "discs", win)
