"""The yardstick: how a trained agent does against gtp-rhino, a program of other people, level by level."""

from collections.abc import Callable, Iterator

from experiment.run.evaluation.result import Evaluation, total
from game.players import RegistryError
from game.players import catalogue as registry

SIZE = 8
"""The board that gtp-rhino plays on."""
LEVELS = {f"gtp-rhino level {level}": f"engine:gtp-rhino -l {level} -b 0 -r 0" for level in (1, 2, 3)}
"""Registry texts, from weak to strong; -b 0: no book, -r 0: the same moves each time."""
OPENINGS = 20
"""Each is played as black and as white: under 20 seconds a level."""
PASS_SCORE = 0.25
"""The score against a level below which the next one is not played."""


def is_available(size: int | None) -> bool:
    """Tell whether this machine has a yardstick for boards of that size."""
    return _missing(size) is None


def why_unavailable(size: int | None, wanted: bool, own_environment: bool) -> str | None:
    """Say why a run has no yardstick, "" if it was turned off; None if it has one.

    `own_environment`: only one that the run makes takes a program by message.
    """
    if wanted:
        return _missing(size)
    if own_environment:
        return ""
    return "the environment is not of this run's making, so it takes no program as its opponent"


def _missing(size: int | None) -> str | None:
    """Say why gtp-rhino is not played on boards of that size, None if it is."""
    if size != SIZE:
        return f"it plays on {SIZE}x{SIZE} only"
    try:
        for text in LEVELS.values():
            registry.make(text, SIZE).close()
    except RegistryError:
        return "it is not installed (on Debian and Ubuntu: apt install grhino)"
    return None


def measure(play: Callable[[str, int], list[Evaluation]]) -> Iterator[list[Evaluation]]:
    """Play level after level, as long as the agent passes, and yield each one's results by colour.

    `play` plays from this many openings against a player given by its registry text.
    """
    for text in LEVELS.values():
        results = play(text, OPENINGS)
        if results:
            yield results
        if total(results).score < PASS_SCORE:
            return
