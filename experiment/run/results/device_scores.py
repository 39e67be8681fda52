"""Scores of a training on a device, from the curve that it writes."""

import csv
from collections.abc import Iterator
from pathlib import Path

from experiment.run.evaluation.verdict import Met
from experiment.run.results.device_folder import CURVE
from experiment.study.statistics.means import Estimate
from experiment.study.statistics.shares import wilson


def newest_scores(path: Path, games: int) -> Iterator[Met]:
    """Yield the opponents of the newest evaluation, each met in this many games; none without a curve.

    Its games begin with random moves, so they are no measure of a level.
    """
    curve = path / CURVE
    rows = list(csv.DictReader(curve.read_text("utf-8").splitlines())) if curve.is_file() else []
    for column in rows[-1] if rows else ():
        name, _, colour = column.rpartition("_")
        if colour == "black":
            score = (float(rows[-1][column]) + float(rows[-1][f"{name}_white"])) / 2
            yield Met(name, Estimate(score, wilson(score, games)))
