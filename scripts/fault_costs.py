"""What each fault of learning costs, over five seeds on two boards: measured, and as a picture."""

import csv
import subprocess
import sys
from pathlib import Path
from typing import Final

from othello_lab.experiment.show.charts import Chart, Mark, Series, look, of_training
from othello_lab.experiment.show.plots import figure_of
from othello_lab.experiment.study.statistics.intervals import mean_of

_EXAMPLE: Final = Path(__file__).parent.parent / "examples" / "faults.py"
_MEASURED: Final = {"start": "from the start", "openings": "from openings of up to 8 random plies"}


def draw(data: Path, picture: Path, small: bool) -> None:
    """Draw a chart for each board from the tables in a folder; what is not there is measured first."""
    tables = {size: data / f"faults-{size}.csv" for size in (6, 4)}
    for size, table in tables.items():
        if not table.exists():
            _measure(table, size, small)
    charts = [_chart(size, table) for size, table in tables.items()]
    foot = "Large: mean and 95 % interval (Student's t over the seeds). Small: each seed."
    figure_of("What a fault costs", charts, 1, (7.0, 3.4), foot).savefig(picture, dpi=110)


def _measure(table: Path, size: int, small: bool) -> None:
    """Train with each fault and without, and write a row for each seed."""
    words = "--games 64 --seeds 2 --fault signs" if small else ""
    command = [sys.executable, str(_EXAMPLE), "--size", str(4 if small else size), *words.split()]
    subprocess.run([*command, "--csv", str(table)], check=True)  # noqa: S603  an example of ours


def _chart(size: int, table: Path) -> Chart:
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    faults = [name for name in dict.fromkeys(row["fault"] for row in rows) if name != "none"]
    return Chart(
        f"On {size}x{size}",
        "score without the fault less the score with it, seed by seed",
        "",
        "cost",
        [series for place in range(len(_MEASURED)) for series in _series(rows, faults, place)],
        names=faults,
        lying=True,
        marks=[Mark(0.0, "", of_training(1), upright=True)],
    )


def _series(rows: list[dict[str, str]], faults: list[str], place: int) -> tuple[Series, Series]:
    """Return the means of one column with their intervals, and the costs of each seed."""
    column, label = list(_MEASURED.items())[place]
    scores = {(row["fault"], row["seed"]): float(row[column]) for row in rows}
    seeds = [seed for fault, seed in scores if fault == "none"]
    costs = [[scores["none", seed] - scores[fault, seed] for seed in seeds] for fault in faults]
    at = [number + 0.3 * place - 0.15 for number in range(len(faults))]
    means = [mean_of(own) for own in costs]
    low, high = ([getattr(mean.interval, end) for mean in means] for end in ("low", "high"))
    values = [mean.value for mean in means]
    spread = [x for x in at for _ in seeds]
    return (
        Series(label, at, values, look(place)._replace(dashes=""), low, high, "points"),
        Series("", spread, [cost for own in costs for cost in own], look(place), kind="dots"),
    )
