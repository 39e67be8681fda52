"""`Task`, which an agent parses from the task specification, and checks of calls and observations."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.recorder import Transition
from othello_lab.game.board import Board, Colour
from othello_lab.game.errors import FailedError
from othello_lab.game.notation import SIZES, check_size
from othello_lab.game.observation import encode, sides, size_of
from rlglue import taskspec
from rlglue.errors import RequestError
from rlglue.types import Observation

LARGEST_REWARD = 1e6  # Maximum absolute reward. Much larger rewards could overflow in a network.
TOO_EARLY = "no agent_init came before it"


class TaskError(FailedError):
    """This agent cannot play the task."""


class PositionError(TaskError, RequestError):
    """An observation is not a position of the task."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the environment sent no position of Othello: {why}")


@dataclass(frozen=True)
class Task:
    """The properties of the environment's task."""

    size: int
    gamma: float
    loss: float  # The return of a lost game.
    draw: float  # The return of a drawn game.
    in_discs: bool = False  # Whether the return is the disc difference.
    win: float = 1.0  # The return of a won game.

    def is_lost(self, total: float) -> bool:
        """Return whether a game with the return `total` was lost."""
        return total < 0 if self.in_discs else total <= self.loss

    def within_one(self, t: Transition) -> Transition:
        """Return a transition whose reward is between -1 and 1: for large returns, 1, 0 or -1 at the end."""
        fits = not self.in_discs and max(self.win, -self.loss, abs(t.reward)) <= 1
        if fits or t.next_state is not None:
            return t
        return t._replace(reward=float(np.sign(t.reward - self.draw)))


def check_board(size: int, largest: int) -> None:
    """Raise TaskError if the board size is above `largest`."""
    if size > largest:
        raise TaskError(
            f"this agent is for boards up to {largest}x{largest}, not {size}x{size}: use --size {largest}"
        )


def read_position(observed: Observation, size: int, checked: bool = True) -> NDArray[np.int32]:
    """Return an observation as int32 [4 * size * size]. Raises PositionError if it is not a position.

    `checked=False` skips the check of the rules.
    """
    numbers, expected = np.asarray(observed.intArray, np.int32), 4 * size * size
    if numbers.shape != (expected,):
        raise PositionError(f"{numbers.size} numbers, expected {expected}")
    if checked:
        checked_board(numbers)
    return numbers


def checked_board(numbers: NDArray[np.int32]) -> Board:
    """Return an observed position with the agent as black. Raises PositionError for contradictory planes."""
    size, own, opponent = sides(numbers)
    if own & opponent:
        raise PositionError("two discs on one square")
    board = Board(size, own, opponent, Colour.BLACK)
    if not np.array_equal(numbers, encode(board, Colour.BLACK)):
        raise PositionError("its planes are not the discs of both sides and where the rules let them move")
    return board


def check_request(task: Task | None, reward: float = 0.0) -> Task:
    """Return the task. Raises RequestError if it is None, or for a reward that is too large or NaN."""
    if task is None:
        raise RequestError(TOO_EARLY)
    if not abs(reward) <= LARGEST_REWARD:
        raise RequestError(f"the reward is {reward}: expected at most {LARGEST_REWARD:,.0f}")
    return task


def read_task(text: str, expected_size: int | None = None, largest: int = SIZES[-1]) -> Task:
    """Read a task specification. Raises TaskError for another game or a wrong board size.

    The number of ints in an observation determines the size. If EXTRA names a size, it must be equal.
    """
    try:
        spec = taskspec.parse(text)
        extra, numbers = spec.extra_values(), spec.observations.int_count
        size = size_of(numbers)
        check_size(size)
        loss, draw = float(extra.get("loss", -1.0)), float(extra.get("draw", -0.5))
        win = float(extra.get("win", 1.0))
    except ValueError as error:
        raise TaskError(f"the task is no Othello that this agent can play: {error}") from None
    announced = extra.get("size", str(size))
    if announced != str(size):
        raise TaskError(f"the task says size={announced}, but its {numbers} ints are those of {size}x{size}")
    if expected_size not in (None, size):
        raise TaskError(
            f"this agent is set up for {expected_size}x{expected_size}, but the environment plays "
            f"{size}x{size}: start both with the same --size"
        )
    check_board(size, largest)
    return Task(size, spec.discount, loss, draw, extra.get("reward") == "discs", win)
