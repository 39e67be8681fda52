"""Rows and lines of files, written and read by one description; what a kill has spoilt is passed over."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from othello_lab.experiment.run.outcomes import Episode, Evaluation, Outcome, Tally
from othello_lab.game.files import csv_text
from rlglue.messages import json_object

Record = TypeVar("Record")


class Rows(NamedTuple, Generic[Record]):
    """A CSV file's columns, and how a record becomes a row and is read from one."""

    columns: tuple[str, ...]
    row: Callable[[Record], tuple[object, ...]]
    record: Callable[[dict[str, str]], Record]
    """Raises ValueError for a row that holds none."""

    def text(self, records: Iterable[Record]) -> str:
        """Return the whole file; "" without records."""
        rows = [self.row(record) for record in records]
        return csv_text([self.columns, *rows]) if rows else ""

    def read(self, lines: Iterable[str]) -> Iterator[Record]:
        """Yield what the lines hold; the header and lines that a crash has spoilt are passed over."""
        for line in lines:
            with suppress(ValueError, csv.Error):
                # Line by line, so that a stray quote does not swallow those that follow.
                values = next(csv.reader([line], strict=True), [])
                yield self.record(dict(zip(self.columns, values, strict=True)))


def _episode_row(episode: Episode) -> tuple[object, ...]:
    """Return the row of an episode: no times, fixed formats, so the same seed gives the same bytes."""
    return (
        episode.index,
        episode.outcome,
        f"{episode.reward:.6g}",
        episode.steps,
        episode.discs_own,
        episode.discs_opponent,
        episode.colour,
        episode.illegal,
    )


def _read_episode(row: dict[str, str]) -> Episode:
    def number(name: str) -> int | None:
        return int(row[name]) if row[name] else None

    return Episode(
        int(row["episode"]),
        Outcome(row["outcome"]) if row["outcome"] else None,
        float(row["reward"]),
        int(row["steps"]),
        number("discs_own"),
        number("discs_opponent"),
        row["colour"],
        number("illegal"),
    )


def _evaluation_row(evaluation: Evaluation) -> tuple[object, ...]:
    """Return the row of an evaluation, without its notes."""
    tally = evaluation.tally
    counts = (tally.games, tally.win, tally.draw, tally.loss)
    return (evaluation.episode, evaluation.opponent, evaluation.colour, *counts)


def _read_evaluation(row: dict[str, str]) -> Evaluation:
    games, win, draw, loss = (int(row[name]) for name in ("games", "win", "draw", "loss"))
    tally = Tally(win, draw, loss, games - win - draw - loss)
    if min(win, draw, loss, tally.other) < 0:
        raise ValueError(f"{games} games cannot be {win} won, {draw} drawn and {loss} lost")
    return Evaluation(int(row["episode"]), row["opponent"], row["colour"], tally)


EPISODES = Rows(
    ("episode", "outcome", "reward", "steps", "discs_own", "discs_opponent", "colour", "illegal"),
    _episode_row,
    _read_episode,
)
EVALUATIONS = Rows(
    ("episode", "opponent", "colour", "games", "win", "draw", "loss"), _evaluation_row, _read_evaluation
)
"""Of evaluations, and of rounds of self-play."""


def json_lines(objects: Iterable[dict[str, Any]]) -> str:
    """Return lines of JSON; "" without objects."""
    return "".join(json.dumps(each) + "\n" for each in objects)


def json_objects(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects in lines of JSON; a crash may have spoilt some lines, which are passed over."""
    for line in lines:
        with suppress(ValueError):
            yield json_object(line)
