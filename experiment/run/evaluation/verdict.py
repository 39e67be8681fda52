"""A verdict: what scores against several opponents come to, in one line."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from experiment.run.evaluation.levels import level_of
from experiment.run.evaluation.opponents import FROM_OPENINGS
from experiment.run.evaluation.result import Evaluation, by_opponent, total
from experiment.run.evaluation.yardstick import LEVELS
from experiment.study.statistics.intervals import Estimate, wilson
from rlglue.messages import shortened

_YARDSTICKS: Final = {text: name for name, text in LEVELS.items()}
_LONGEST_NAME: Final = 20
_WIDE: Final = 0.15
"""An interval that reaches farther says little: to be even may be chance."""
_NAMED: Final = 4
"""More opponents than this are counted instead of named."""


class Met(NamedTuple):
    """An opponent, and the score against it."""

    name: str
    """What to call it."""
    score: Estimate
    text: str = ""
    """Its registry text, where the games began from openings, as those of the levels did."""


def verdict(met: Sequence[Met], size: int | None) -> str:
    """Return who is beaten and who is not, at least one opponent, such as `beats random, loses to greedy`.

    An opponent is beaten whose interval lies above one half, and wins whose interval lies below. Where the
    levels are measured against enough of the same opponents, the level follows: `: about level 3`.
    """
    level = level_of({each.text: each.score for each in met if each.text}, size)
    return ", ".join(_groups(met)) + (f": {level}" if level else "")


def met_in(results: Iterable[Evaluation]) -> Iterator[Met]:
    """Yield the opponents of the last evaluation of a run; where games began from openings, these count."""
    tallies = {opponent: total(own) for opponent, own in by_opponent(results).items()}
    for opponent, tally in tallies.items():
        if tally.games > tally.other and opponent + FROM_OPENINGS not in tallies:
            text, from_openings, _ = opponent.partition(FROM_OPENINGS)
            name = shortened(_YARDSTICKS.get(text, text) or "its opponent", _LONGEST_NAME)
            score = Estimate(tally.score, wilson(tally.score, tally.games))
            yield Met(name, score, text if from_openings else "")


def _groups(met: Sequence[Met]) -> Iterator[str]:
    won = [each.name for each in met if each.score.interval.low > 0.5]
    lost = [each.name for each in met if each.score.interval.high < 0.5]
    even = [each.name for each in met if each.name not in (*won, *lost)]
    for words, names in (("beats", won), ("is even with", even), ("loses to", lost)):
        if names:
            few = names is even and any(each.score.reach > _WIDE for each in met if each.name in even)
            yield f"{words} {_listed(names, len(met))}" + " (few games)" * few


def _listed(names: Sequence[str], total: int) -> str:
    """Return names as part of a sentence; how many they are where that is shorter."""
    if 2 < len(names) == total:
        return f"all {total} opponents"
    if len(names) > _NAMED:
        return f"{len(names)} of {total} opponents"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
