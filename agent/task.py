"""What an agent needs to know from the task specification."""

from dataclasses import dataclass

from game.board import check_size
from game.observation import size_of
from rlglue import taskspec


@dataclass(frozen=True)
class Task:
    """Othello as an environment announces it."""

    size: int
    gamma: float
    loss: float
    """The return of a lost game."""


def read_task(text: str) -> Task:
    """Read a task specification; raise ValueError where it is no Othello that an agent could play.

    The board size comes from EXTRA, without one from the count of ints in an observation.
    """
    spec = taskspec.parse(text)
    numbers = spec.observations.int_count
    size = size_of(numbers)
    extra = spec.extra_values()
    if extra.get("size", str(size)) != str(size):
        raise ValueError(
            f"the task says size={extra['size']}, but its {numbers} ints are those of {size}x{size}"
        )
    check_size(size)
    return Task(size, spec.discount, float(extra.get("loss", -1.0)))
