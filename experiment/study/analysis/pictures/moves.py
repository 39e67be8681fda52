"""Charts of how many moves there are, how large a tree they make, and how games go on."""

from dataclasses import replace

from experiment.show.charts import Chart, Series, look, of_training
from experiment.study.analysis.findings import Analysis, players_in
from experiment.study.analysis.games import BOTH
from experiment.study.analysis.pictures.sides import (
    TURNS,
    beside,
    curve,
    enough,
    label_of,
    look_of,
    shares,
    sides_of,
)
from experiment.study.analysis.tree import SIDES


def moves(analysis: Analysis, turn: int) -> list[Chart]:
    """Return legal moves by turn, their histogram at one turn, and the tree that remains."""
    return [_by_turn(analysis), _histogram(analysis, turn), _tree(analysis)]


def _by_turn(analysis: Analysis) -> Chart:
    series = list[Series]()
    for place, side, table in sides_of(analysis.tables["moves"]):
        mean = curve(enough(table), "mean", side, place)
        series += [curve(enough(table), "mean", side, place, ("p5", "p95")), replace(mean, kind="whiskers")]
    says = "mean of each side's own turns; bars: its 95 % interval; band: from 5 % to 95 % of the decisions"
    return Chart("Legal moves by turn", says, TURNS, "legal moves", series, low=0)


def _histogram(analysis: Analysis, turn: int) -> Chart:
    table = analysis.tables["moves_histogram"]
    sides, series = players_in(table) or [BOTH], list[Series]()
    for place, side in enumerate(sides):
        own, width = table.where(side=side, turn=turn), 0.9 / len(sides)
        counts, at = own.numbers("decisions"), own.numbers("moves") + beside(len(sides), place, width)
        label = f"{label_of(side)}: {counts.sum():,.0f} decisions"
        series.append(Series(label, at, shares(counts), look_of(side, place), kind="bars", width=width))
    says = f"share of the decisions after {turn} placed discs"
    return Chart(f"Legal moves at turn {turn}", says, "legal moves", "decisions", series, percent=True)


def _tree(analysis: Analysis) -> Chart:
    table = analysis.tables["tree"]
    series = [curve(table.where(side=side), "log10", side) for side in SIDES]
    says = "product of the mean numbers of moves from a turn on, and each side's part; bands: 95 % interval"
    return Chart("The tree of games that remains", says, TURNS, "games, log10", series, low=0)


def flow(analysis: Analysis) -> list[Chart]:
    """Return the share of skipped turns and the number of different boards, by turn."""
    passes, table = analysis.tables["passes"], analysis.tables["flow"]
    skipped = [curve(own, "share", side, place) for place, side, own in sides_of(passes)]
    says = "share of the games that came to a turn in which a side had to pass there; bands: 95 % interval"
    turns, reached = table.numbers("turn"), of_training(1)._replace(marker="")
    boards = [
        Series("games that came to the turn", turns, table.numbers("games"), reached),
        Series("different boards", turns, table.numbers("boards"), look(0)),
    ]
    alike = (
        "positions, side to move included; where both lines meet no two games are on the same board any more"
    )
    return [
        Chart("Skipped turns", says, TURNS, "games", skipped, low=0, percent=True),
        Chart("Different boards", alike, TURNS, "number", boards, logarithmic=True),
    ]
