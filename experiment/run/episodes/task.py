"""The facts that the experiment takes from a task specification."""

from dataclasses import dataclass, field

from experiment.run.episodes.outcomes import Rewards
from rlglue.errors import GlueError
from rlglue.taskspec import TaskSpecError, parse


@dataclass(frozen=True)
class Task:
    """A task specification as far as an experiment cares."""

    text: str
    rewards: Rewards = field(default_factory=Rewards)
    size: int | None = None
    """Length of a side if this is Othello, else None."""


def read_task(text: str) -> Task:
    """Read EXTRA; a specification of another kind is a task with the default rewards.

    Raises GlueError if EXTRA gives something else than a number where one belongs.
    """
    try:
        spec = parse(text)
    except TaskSpecError:
        return Task(text)
    values = spec.extra_values()
    try:
        rewards = Rewards(**{name: float(values[name]) for name in ("win", "draw", "loss") if name in values})
        size = int(values["size"]) if spec.extra.split()[:1] == ["othello"] else None
    except (ValueError, KeyError):
        raise GlueError(
            f"EXTRA of the task specification is {spec.extra!r}; expected numbers for size, win, draw, loss"
        ) from None
    return Task(text, rewards, size)
