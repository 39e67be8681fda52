"""How strong a trained agent is against a program of other people: gtp-rhino, level by level."""

from collections.abc import Iterator, Mapping

from experiment.evaluation.frozen_games import Evaluation, Evaluator, total
from game.players import RegistryError
from game.players import catalogue as registry

SIZE = 8
"""The board that gtp-rhino plays on."""
LEVELS = {f"gtp-rhino level {level}": f"engine:gtp-rhino -l {level} -b 0 -r 0" for level in (1, 2, 3)}
"""Registry texts, from weak to strong; -b 0: no book, -r 0: the same moves each time."""
OPENINGS = 20
"""Each is played as black and as white: under 20 seconds a level."""
ENOUGH = 0.25
"""Who scores less than this against a level need not try the next one."""


def is_there_for(size: int | None) -> bool:
    """Tell whether this machine has a yardstick for boards of that size."""
    return _missing(size) is None


def why_not(size: int | None, wanted: bool, environment: Mapping[str, object] | None) -> str | None:
    """Say why a run has no yardstick, "" if nobody wants one; None if it has one.

    `environment` is what a run knows of its environment: only one that it starts takes a program by message.
    """
    if wanted:
        return _missing(size)
    if environment is None or "command" in environment:
        return "the environment is not of this run's making, so it takes no program as its opponent"
    return ""


def _missing(size: int | None) -> str | None:
    """Say why there are no such games on boards of that size, None if there are."""
    if size != SIZE:
        return f"it plays on {SIZE}x{SIZE} only"
    try:
        for text in LEVELS.values():
            registry.make(text, SIZE).close()
    except RegistryError:
        return "it is not installed (on Debian and Ubuntu: apt install grhino)"
    return None


def measure(evaluator: Evaluator, episode: int) -> Iterator[list[Evaluation]]:
    """Play level after level, as long as the agent is fit for it, and yield each one's results by colour.

    Raises GlueError if a program breaks so badly that the environment goes with it.
    """
    for text in LEVELS.values():
        results = evaluator.openings(episode, text, OPENINGS, strict=True)
        if results:
            yield results
        if total(results).score < ENOUGH:
            return
