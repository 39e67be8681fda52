"""A verdict: what scores against several opponents come to in one line, and which level of play that is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from othello_lab.experiment.run.outcomes import FROM_OPENINGS, Evaluation, by_opponent, total
from othello_lab.experiment.study.statistics.intervals import Estimate, mean_of_independent, wilson
from othello_lab.game.players.short_names import short_name
from rlglue.messages import truncate_middle

_FEWEST: Final = 3
"""Opponents that it takes: one alone is no scale."""
_SCORES: Final[Mapping[int, Mapping[str, Sequence[float]]]] = {
    6: {
        "random": (0.534, 0.822, 0.945, 0.979, 1.000, 1.000, 1.000, 1.000),
        "corner-greedy": (0.216, 0.513, 0.856, 0.949, 0.987, 1.000, 1.000, 1.000),
        "weights:swh": (0.322, 0.475, 0.716, 0.890, 0.983, 0.970, 0.996, 0.992),
        "weights:heur": (0.309, 0.483, 0.699, 0.890, 0.983, 0.975, 0.996, 0.992),
        "weights:bench": (0.203, 0.314, 0.695, 0.852, 0.932, 0.945, 0.992, 0.992),
        "positional": (0.233, 0.432, 0.661, 0.873, 0.970, 0.992, 0.979, 0.992),
        "alphabeta:depth=4,eval=positional": (0.047, 0.148, 0.407, 0.661, 0.856, 0.881, 0.932, 0.962),
        "alphabeta:depth=4,eval=mobility": (0.000, 0.110, 0.364, 0.614, 0.750, 0.818, 0.928, 0.924),
    },
    8: {
        "random": (0.640, 0.894, 0.987, 1.000, 1.000, 1.000, 1.000, 1.000),
        "corner-greedy": (0.271, 0.619, 0.873, 0.987, 1.000, 1.000, 1.000, 1.000),
        "weights:swh": (0.195, 0.504, 0.750, 0.898, 0.949, 1.000, 0.992, 1.000),
        "weights:heur": (0.203, 0.415, 0.720, 0.873, 0.941, 1.000, 1.000, 1.000),
        "weights:bench": (0.174, 0.424, 0.754, 0.962, 1.000, 1.000, 1.000, 1.000),
        "positional": (0.195, 0.339, 0.746, 0.936, 1.000, 1.000, 1.000, 1.000),
        "alphabeta:depth=4,eval=positional": (0.013, 0.136, 0.441, 0.903, 0.949, 0.992, 1.000, 1.000),
        "alphabeta:depth=4,eval=mobility": (0.013, 0.038, 0.386, 0.674, 0.919, 0.992, 0.992, 1.000),
    },
}
"""Board size and opponent: the scores of level 1, 2, 3 and so on, over 118 games from 59 openings.

Measured by `othello evaluate level:1 level:2 level:3 level:4 level:5 level:6 level:7 level:8 --openings 59
--seed 1`, with `--size 6` the same. Such opponents do not tell higher levels apart.
"""


def level_of(scores: Mapping[str, Estimate], size: int | None) -> str:
    """Return which level scores as much, such as `about level 3`, from the scores by registry text.

    What counts is the mean score over the opponents that the levels were measured against: the levels whose
    own mean lies in its interval, or the nearest one. "" where they were measured against fewer than three of
    the opponents.
    """
    measured = _SCORES.get(size or 0, {})
    known = [text for text in scores if text in measured]
    if len(known) < _FEWEST:
        return ""
    found = mean_of_independent([scores[text] for text in known])
    means = [sum(column) / len(known) for column in zip(*(measured[text] for text in known), strict=True)]
    return _in_words(found, means)


def _in_words(found: Estimate, means: Sequence[float]) -> str:
    """Return what level a mean score is, beside those of level 1, 2, 3 and so on."""
    low, high = found.interval
    if high < means[0]:
        return "below level 1"
    nearest = min(range(len(means)), key=lambda place: abs(means[place] - found.value))
    alike = [place for place, mean in enumerate(means) if low <= mean <= high] or [nearest]
    first, last = alike[0] + 1, alike[-1] + 1
    if last == len(means):
        return f"about level {first} or higher"
    return f"about level {first}" + (f" to {last}" if last > first else "")


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
            name = truncate_middle(short_name(text) or "its opponent", _LONGEST_NAME)
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
