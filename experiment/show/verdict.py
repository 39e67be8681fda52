"""The verdict on a player in one line, and the results of a random mover against the player's opponents."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from othello_lab.experiment.run.outcomes import (
    FROM_OPENINGS,
    SELF,
    STAND_IN,
    Evaluation,
    Tally,
    by_opponent,
    total,
)
from othello_lab.experiment.run.record import RunRecord, agent_colours
from othello_lab.experiment.study.statistics.intervals import Estimate, mean_of_independent, wilson
from othello_lab.game.short_names import short_name
from rlglue.messages import truncate_middle

_FEWEST: Final = 3  # minimum number of known opponents for a level
_MEASURED: Final = tomllib.loads(Path(__file__).with_name("measured.toml").read_text("utf-8"))
# The scores of levels 1 to 8, by board size and opponent.
_SCORES: Final = {int(size): scores for size, scores in _MEASURED["levels"].items()}
_RANDOM_GAMES: Final = 5000  # number of games of the random mover with each colour


def level_of(scores: Mapping[str, Estimate], size: int | None) -> str:
    """Return a player's level, such as `about level 3`, or "" with too few known opponents.

    `scores` has registry texts as keys. The text names each level whose mean score is in the interval of the
    player's mean score, else the nearest level.
    """
    measured = _SCORES.get(size or 0, {})
    known = [text for text in scores if text in measured]
    if len(known) < _FEWEST:
        return ""
    score = mean_of_independent([scores[text] for text in known])
    means = [sum(column) / len(known) for column in zip(*(measured[text] for text in known), strict=True)]
    return _level_text(score, means)


def _level_text(score: Estimate, means: Sequence[float]) -> str:
    """Return the level of a mean score as text. `means` are the mean scores of the levels."""
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
_WIDE: Final = 0.15  # an interval with a larger reach is wide
_NAMED: Final = 4  # maximum number of names in a list; a count replaces a longer list


class Met(NamedTuple):
    """An opponent, and the player's score against it."""

    name: str
    score: Estimate
    text: str = ""  # The opponent's registry text for games from openings, otherwise an empty string.


def verdict(met: Sequence[Met], size: int | None) -> str:
    """Return the verdict, such as `beats random, loses to greedy: about level 3`, from the intervals."""
    level = level_of({item.text: item.score for item in met if item.text}, size)
    return ", ".join(_groups(met)) + (f": {level}" if level else "")


def met_in(results: Iterable[Evaluation]) -> Iterator[Met]:
    """Yield the score against each opponent, in games from openings if there are any."""
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


def random_mover(record: RunRecord, opponent: str, colour: str) -> Tally | None:
    """Return a random mover's result as `colour` against an opponent of a run, or None if unknown."""
    measured = _MEASURED["random_mover"].get(str(record.environment_stats.size), {}).get(opponent)
    if measured is None or record.environment.random_opening or colour not in ("black", "white"):
        return None
    win, draw = measured[:2] if colour == "black" else measured[2:]
    return Tally(win, draw, _RANDOM_GAMES - win - draw)


def random_mover_in(record: RunRecord) -> Tally | None:
    """Return a random mover's tally in place of the agent (self-play: as black against STAND_IN), or None."""
    stats = record.environment_stats
    opponent, colours = stats.opponent or "", agent_colours(stats.first)
    if opponent == SELF:
        opponent, colours = STAND_IN, ("black",)
    tallies = [random_mover(record, opponent, colour) for colour in colours]
    return sum((tally for tally in tallies if tally), Tally()) if all(tallies) else None
