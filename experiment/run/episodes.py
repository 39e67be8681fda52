"""Generate episodes over RL-Glue, and parse the environment's task specification."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from othello_lab.experiment.run.control import environment_values
from othello_lab.experiment.run.outcomes import Episode, Rewards
from othello_lab.game.notation import SIZES
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.taskspec import TaskSpecError, parse
from rlglue.types import Observation


@dataclass(frozen=True)
class RunTask:
    """The parts of the task specification that an experiment uses."""

    text: str
    rewards: Rewards = field(default_factory=Rewards)
    size: int | None = None  # The board size. None for other games and unsupported sizes.


def read_task(text: str) -> RunTask:
    """Parse a task specification. Unknown formats give RunTask(text). Raises GlueError for a bad EXTRA."""
    try:
        spec = parse(text)
    except TaskSpecError:
        return RunTask(text)
    values = spec.extra_values()
    try:
        numbers = {name: float(values[name]) for name in ("win", "draw", "loss") if name in values}
        rewards = Rewards(**numbers, in_discs=values.get("reward") == "discs")
        size = int(values["size"]) if spec.extra.split()[:1] == ["othello"] else None
    except (ValueError, KeyError):
        raise GlueError(
            f"EXTRA of the task specification is {spec.extra!r}; expected numbers for size, win, draw, loss"
        ) from None
    return RunTask(text, rewards, size if size in SIZES else None)


def episodes(glue: Glue, task: RunTask, first: int = 1, max_steps: int = 0) -> Iterator[Episode]:
    """Play and yield episodes without end. A positive `max_steps` truncates longer episodes."""
    has_stats = "colour" in environment_values(glue)
    for index in count(first):
        reward, steps, last = _play(glue, max_steps)
        values = environment_values(glue) if has_stats else {}
        discs = _discs(task, last)
        outcome = None if last is None else task.rewards.outcome(reward)
        colour = str(values.get("colour", ""))
        yield Episode(index, outcome, reward, steps, *discs, colour, values.get("illegal"))


def _play(glue: Glue, max_steps: int) -> tuple[float, int, Observation | None]:
    """Play an episode. Return its total reward, action count and last observation (None if truncated)."""
    glue.RL_start()
    total, steps = 0.0, 1
    while True:
        step = glue.RL_step()
        total += step.r
        if step.terminal:
            return total, steps, step.o
        if steps == max_steps:
            return total, steps, None
        steps += 1


def _discs(task: RunTask, last: Observation | None) -> tuple[int | None, int | None]:
    """Count the agent's and the opponent's discs in the first two planes of an observation."""
    if task.size is None or last is None or len(last.intArray) != 4 * task.size**2:
        return None, None
    squares = task.size**2
    return int(sum(last.intArray[:squares])), int(sum(last.intArray[squares : 2 * squares]))
