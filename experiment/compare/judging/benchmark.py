"""A benchmark: learners that were judged seed by seed in the same games, as files, a table and a picture.

A file is a row: the seeds of one learner after so many minutes of training. Rows of one learner after fewer
minutes, `NAME@....json`, are its curve. Whoever made a file is not trusted: it is read as bounded numbers.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.compare.judging.trial import Judgement
from othello_lab.experiment.show.charts import Chart, Look, Series, has_bands, look
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.wording import wrapped
from othello_lab.experiment.study.statistics.intervals import Estimate
from othello_lab.experiment.study.statistics.stratified import STRATIFIED, interquartile_mean
from othello_lab.experiment.workers.versions import processor, versions
from othello_lab.game.notation import printable
from othello_lab.game.openings import digest
from rlglue.messages import json_object, shortened

FORMAT: Final = 1
"""Stands under `benchmark` in a file."""
LARGEST: Final = 200_000
"""Bytes of a file."""
MOST_SEEDS: Final = 100
MOST_OPPONENTS: Final = 32
_LONGEST: Final = 100
_LONGEST_NAME: Final = 255
_LONGEST_TEXT: Final = 4096
"""Characters of what is shown; of an opponent's name, and of its text: those of a path."""
_GAMES: Final = {"size": int, "seed": int, "openings": int, "openings_digest": str, "repeat": int}
"""What says which games were played, besides the opponents."""


@dataclass(frozen=True)
class Row:
    """The seeds of one learner, judged."""

    name: str
    minutes: float | None
    """Of training, as its maker claims; None where nothing is claimed."""
    cores: float | None
    """It was trained on, likewise."""
    machine: str
    games: Mapping[str, Any]
    """Which were played: rows are compared only where this is the same."""
    scores: NDArray[np.float64]
    """[seeds, opponents], 0 to 1."""

    @property
    def opponents(self) -> list[str]:
        """Their names."""
        return list(self.games["opponents"])

    @cached_property
    def found(self) -> Estimate:
        """The interquartile mean over seeds and opponents."""
        return interquartile_mean(self.scores)


def written(judged: Sequence[Sequence[Judgement]], minutes: float | None, cores: int | None) -> str:
    """Return the file of agents that are seeds of one learner."""
    trial = judged[0][0].trial
    row = {
        "benchmark": FORMAT,
        "minutes": minutes,
        "cores": cores,
        "machine": processor(),
        "versions": versions(),
        "agents": [own[0].trial.agent for own in judged],
        "size": trial.size,
        "seed": trial.seed,
        "openings": len(trial.openings),
        "openings_digest": digest(trial.openings),
        "repeat": trial.repeat,
        "opponents": {each.trial.opponent: each.trial.b for each in judged[0]},
        "scores": {
            each.trial.opponent: [own[place].summary.score().value for own in judged]
            for place, each in enumerate(judged[0])
        },
    }
    return json.dumps(row, indent=1) + "\n"


def read_row(path: Path) -> Row:
    """Return the row of a file, named like the file up to an `@`; raise ValueError for another, OSError."""
    with path.open("rb") as file:
        text = file.read(LARGEST + 1)
    try:
        if len(text) > LARGEST:
            raise ValueError(f"it has more than {LARGEST:,} bytes")
        return _row(path.stem.partition("@")[0], json_object(text.decode()))
    except ValueError as error:
        said = shortened(printable(str(error)), 2 * _LONGEST)
        raise ValueError(f"{path} is no row of a benchmark: {said}") from None


def _row(name: str, table: Mapping[str, Any]) -> Row:
    if table.get("benchmark") != FORMAT:
        raise ValueError(f"benchmark is {table.get('benchmark')!r}, expected {FORMAT}")
    for key, kind in _GAMES.items():
        if type(table.get(key)) is not kind:
            raise ValueError(f"{key} is {table.get(key)!r}, expected a {'text' if kind is str else 'number'}")
    opponents, machine = table.get("opponents"), table.get("machine")
    if not _are_names(opponents):
        raise ValueError(f"opponents: expected texts by 1 to {MOST_OPPONENTS} names")
    games = {key: table[key] for key in _GAMES} | {"opponents": opponents}
    scores = _scores(table.get("scores"), list(games["opponents"]))
    said = shortened(printable(machine), _LONGEST) if isinstance(machine, str) else ""
    minutes, cores = (_claimed(key, table.get(key)) for key in ("minutes", "cores"))
    return Row(shortened(printable(name), _LONGEST), minutes, cores, said, games, scores)


def _are_names(value: object) -> bool:
    """Tell whether this is an object of few, short and printable texts."""
    return (
        isinstance(value, dict)
        and 1 <= len(value) <= MOST_OPPONENTS
        and all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in value.values())
        and all(len(name) <= _LONGEST_NAME and name.isprintable() for name in value)
    )


def _scores(value: object, opponents: Sequence[str]) -> NDArray[np.float64]:
    if not (isinstance(value, dict) and list(value) == opponents):
        raise ValueError("scores: expected a list for each of the opponents, in their order")
    lists = list(value.values())
    seeds = len(lists[0]) if isinstance(lists[0], list) else 0
    for own in lists:
        if not (isinstance(own, list) and len(own) == seeds and 1 <= seeds <= MOST_SEEDS):
            raise ValueError(f"scores: expected lists of one length, 1 to {MOST_SEEDS}")
        if not all(type(score) in (int, float) and 0 <= score <= 1 for score in own):
            raise ValueError("scores: expected numbers from 0 to 1")
    return np.array(lists, np.float64).T


def _claimed(key: str, value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not (isinstance(value, int | float) and 0 < value < 1e9):
        raise ValueError(f"{key} is {value!r}, expected a number above 0, or null")
    return value


def last_of_each(rows: Sequence[Row]) -> list[Row]:
    """Return the row of each learner after the most minutes, the best first.

    Raises ValueError if some were judged in other games, or one is there twice.
    """
    for row in rows:
        for key, value in row.games.items():
            if value != (first := rows[0].games[key]):
                known = f"{key} is {first!r} and {value!r}" if key != "opponents" else "other opponents"
                raise ValueError(f"{rows[0].name} and {row.name} were judged in different games: {known}")
    if twice := [own[0].name for own in _by_name(rows) if len({row.minutes for row in own}) < len(own)]:
        raise ValueError(f"{twice[0]} has two files after the same minutes: give one of them another name")
    return sorted((own[-1] for own in _by_name(rows)), key=lambda row: -row.found.value)


def _by_name(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows of each learner, those after fewer minutes first."""
    ordered = sorted(rows, key=lambda row: row.minutes or 0)
    return [[row for row in ordered if row.name == name] for name in dict.fromkeys(row.name for row in rows)]


def tables(rows: Sequence[Row], across: int = MOST_OPPONENTS) -> list[Table]:
    """Return what came of rows of the same games, and their scores, of `across` opponents in a table."""
    games, means = rows[0].games, _means(rows)
    played = 2 * games["openings"] * games["repeat"]
    says = f"{played:,} games against each opponent; IQM: interquartile mean, {STRATIFIED}"
    found = [Table.of(f"Benchmark on {games['size']}x{games['size']}", _COLUMNS, rows, says)]
    for first in range(0, len(means), across):
        columns = [_COLUMNS[0], *means[first : first + across]]
        found.append(Table.of("Scores by opponent", columns, rows, "scores: the means of the seeds"))
    return found


def table(rows: Sequence[Row]) -> Table:
    """Return both in one, for programs."""
    return Table.of("Benchmark", [*_COLUMNS, *_means(rows)], rows)


_ENDS: Final = "{0.low:.3f}-{0.high:.3f}".format
_COLUMNS: Final[tuple[Column[Row], ...]] = (
    Column("learner", lambda it: it.name),
    Column("minutes", lambda it: it.minutes, "{:.3g}".format),
    Column("cores", lambda it: it.cores, "{}".format),
    Column("seeds", lambda it: len(it.scores), "{}".format),
    Column("IQM", lambda it: it.found.value, "{:.3f}".format, "iqm"),
    Column("95 %", lambda it: it.found.interval if len(it.scores) > 1 else None, _ENDS, ""),
    Column("", lambda it: it.found.interval.low, key="iqm_low"),
    Column("", lambda it: it.found.interval.high, key="iqm_high"),
    Column("", lambda it: it.machine, key="machine"),
)


def _means(rows: Sequence[Row]) -> list[Column[Row]]:
    """Return a column for each opponent."""
    return [_mean(place, name) for place, name in enumerate(rows[0].opponents)]


def _mean(place: int, name: str) -> Column[Row]:
    return Column(name, lambda it: float(it.scores[:, place].mean()), "{:.3f}".format, name)


def charts(rows: Sequence[Row]) -> list[Chart]:
    """Return the curves of the learners that have any, and where each ended."""
    ends = last_of_each(rows)
    looks = {row.name: look(place) for place, row in enumerate(ends)}
    curves = [own for own in _by_name(rows) if len(own) > 1]
    return [*([_curves(curves, looks)] if curves else []), _ends(ends, looks)]


_SCORE: Final = "interquartile mean of the scores"


def _curves(curves: Sequence[Sequence[Row]], looks: Mapping[str, Look]) -> Chart:
    series = [_curve(own, looks[own[0].name], has_bands(curves)) for own in curves]
    says = "colours as beside; good: up, early"
    return Chart("While they learned", says, "minutes of training", _SCORE, series, 0, 1)


def _curve(rows: Sequence[Row], own: Look, band: bool) -> Series:
    ends = zip(*(row.found.interval for row in rows), strict=True) if band else ()
    return Series("", [row.minutes or 0.0 for row in rows], [row.found.value for row in rows], own, *ends)


def _ends(rows: Sequence[Row], looks: Mapping[str, Look]) -> Chart:
    series = [
        Series("", [line], [mean], looks[row.name], [low], [high], kind="points")
        for line, row in enumerate(rows)
        for mean, (low, high) in [row.found]
    ]
    names = [wrapped(row.name, most=2) for row in rows]
    return Chart("At the end", "good: right", "", _SCORE, series, 0, 1, names=names, lying=True)
