"""The facts that an agent takes from the task specification."""

from dataclasses import dataclass

from game.board import check_size
from game.kernels.bitboard import SIZES
from game.observation import size_of
from rlglue import taskspec

LARGEST = max(SIZES)
"""The largest board there is."""


class TaskError(ValueError):
    """A task that this agent cannot play."""


@dataclass(frozen=True)
class Task:
    """Othello as an environment announces it."""

    size: int
    gamma: float
    loss: float
    """The return of a lost game."""
    draw: float
    """The return of a drawn game."""


def check_board(size: int, largest: int) -> None:
    """Raise TaskError for a board that is larger than an agent can play on."""
    if size > largest:
        raise TaskError(
            f"this agent is for boards up to {largest}x{largest}, not {size}x{size}: use --size {largest}"
        )


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
    return Task(size, spec.discount, loss, draw)
