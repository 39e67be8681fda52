"""The verdict on a player in one line, with the opponents that it beats and its level of play."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from othello_lab.experiment.run.outcomes import FROM_OPENINGS, Evaluation, by_opponent, total
from othello_lab.experiment.study.statistics.intervals import Estimate, mean_of_independent, wilson
from othello_lab.game.registry import short_name
from rlglue.messages import truncate_middle

_FEWEST: Final = 3  # a level needs at least this number of known opponents
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
"""By board size and opponent, the scores of levels 1 to 8, each from 118 games (59 openings).

The scores are from `othello evaluate level:1 level:2 level:3 level:4 level:5 level:6 level:7 level:8
--openings 59 --seed 1`, and from the same command with `--size 6`.
"""


def level_of(scores: Mapping[str, Estimate], size: int | None) -> str:
    """Return the level of a player, such as `about level 3`. Return "" with too few measured opponents.

    The keys of `scores` are registry texts. The text names all levels whose mean score is in the interval of
    the player's mean score. If there is no such level, the text names the nearest level.
    """
    measured = _SCORES.get(size or 0, {})
    known = [text for text in scores if text in measured]
    if len(known) < _FEWEST:
        return ""
    score = mean_of_independent([scores[text] for text in known])
    means = [sum(column) / len(known) for column in zip(*(measured[text] for text in known), strict=True)]
    return _level_text(score, means)


def _level_text(score: Estimate, means: Sequence[float]) -> str:
    """Return the level of a mean score as text. The list `means` has the mean scores of the levels."""
    low, high = score.interval
    if high < means[0]:
        return "below level 1"
    nearest = min(range(len(means)), key=lambda place: abs(means[place] - score.value))
    alike = [place for place, mean in enumerate(means) if low <= mean <= high] or [nearest]
    first, last = alike[0] + 1, alike[-1] + 1
    if last == len(means):
        return f"about level {first} or higher"
    return f"about level {first}" + (f" to {last}" if last > first else "")


_LONGEST_NAME: Final = 20
_WIDE: Final = 0.15  # an interval with an end farther away than this is wide
_NAMED: Final = 4  # a number replaces a list of more names


class Met(NamedTuple):
    """An opponent, and the player's score against it."""

    name: str
    score: Estimate
    text: str = ""
    """The opponent's registry text if the games began from openings, otherwise an empty text."""


def verdict(met: Sequence[Met], size: int | None) -> str:
    """Return the verdict, such as `beats random, loses to greedy: about level 3`.

    The player beats an opponent if the interval of the score is above one half.
    """
    level = level_of({item.text: item.score for item in met if item.text}, size)
    return ", ".join(_groups(met)) + (f": {level}" if level else "")


def met_in(results: Iterable[Evaluation]) -> Iterator[Met]:
    """Yield each opponent with the score against it.

    If there are games from openings against an opponent, only these games count.
    """
    tallies = {opponent: total(games) for opponent, games in by_opponent(results).items()}
    for opponent, tally in tallies.items():
        if tally.games > tally.other and opponent + FROM_OPENINGS not in tallies:
            text, from_openings, _ = opponent.partition(FROM_OPENINGS)
            name = truncate_middle(short_name(text) or "its opponent", _LONGEST_NAME)
            score = Estimate(tally.score, wilson(tally.score, tally.games))
            yield Met(name, score, text if from_openings else "")


def _groups(met: Sequence[Met]) -> Iterator[str]:
    won = [item.name for item in met if item.score.interval.low > 0.5]
    lost = [item.name for item in met if item.score.interval.high < 0.5]
    even = [item.name for item in met if item.name not in (*won, *lost)]
    for verb, names in (("beats", won), ("is even with", even), ("loses to", lost)):
        if names:
            few = names is even and any(item.score.reach > _WIDE for item in met if item.name in even)
            yield f"{verb} {_listed(names, len(met))}" + " (few games)" * few


def _listed(names: Sequence[str], total: int) -> str:
    if 2 < len(names) == total:
        return f"all {total} opponents"
    if len(names) > _NAMED:
        return f"{len(names)} of {total} opponents"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
