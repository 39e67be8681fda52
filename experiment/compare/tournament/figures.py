"""The pictures of a tournament: who beats whom, by how many discs, with which colour, and the ratings."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from experiment.compare.ratings.elo import RATED, Ratings
from experiment.compare.ratings.pairs import Numbers
from experiment.compare.tournament.heat_map import Matrix, Scale, heat_maps, narrow_heat_maps
from experiment.compare.tournament.meetings import meetings
from experiment.compare.tournament.results import Results, zero
from experiment.show.charts import look
from experiment.show.plots import SUFFIXES, save_both
from experiment.show.titles import Lane, draw_lanes, entitle, height_of
from experiment.show.wording import plural, share
from experiment.study.statistics.intervals import Estimate
from rlglue.messages import shortened

_WIDTH = 9.0
"""Inches."""
_LONGEST_ZERO = 60
"""Letters that say what the ratings are relative to."""
_BLUE = "blue: the row was ahead, red: the column"
_SCORE = Scale(0.5, 0.5, share, "score of the row: wins and half the draws, a share of the games")
Draw = Callable[[Sequence[str], Sequence[Matrix], Scale, str, str], Figure]


def figures(results: Results, ratings: Ratings | None, width: float | None = None) -> dict[str, Figure]:
    """Return the pictures by their names, of players in the order of their ratings.

    With `width`, in inches, they are as wide, for a phone, and players in heat maps have their numbers alone.
    """
    draw = heat_maps if width is None else partial(narrow_heat_maps, width=width)
    drawn = {
        "scores": _scores(draw, results, ratings),
        "final_scores": _final_scores(draw, results),
        "colours": _colours(draw, results),
    }
    return drawn if ratings is None else {**drawn, "ratings": _ratings(results, ratings, width or _WIDTH)}


def write(drawn: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Write pictures into a folder, each as PNG and SVG, and return their paths; raises OSError."""
    for name, figure in drawn.items():
        save_both(figure, folder / f"{name}.png")
    return [folder / f"{name}{suffix}" for name in drawn for suffix in SUFFIXES]


def _scores(draw: Draw, results: Results, ratings: Ratings | None) -> Figure:
    against = [] if ratings is None else meetings(results, ratings)
    upsets = [(meeting.second, meeting.first) for meeting in against if meeting.is_upset and meeting.is_clear]
    framed = (
        "framed: the lower-rated was ahead, beyond doubt (95 %)"
        if upsets
        else "no lower-rated one was ahead beyond doubt (95 %)"
    )
    title = "Who beats whom: the score of each row against each column"
    says = f"{_games(results)}; {_BLUE}, white: even; {framed}"
    return draw(results.names, [Matrix(results.scores().fair, upsets)], _SCORE, title, says)


def _final_scores(draw: Draw, results: Results) -> Figure:
    numbers = results.final_scores().fair
    title = "By how much: the mean final score of each row against each column"
    says = (
        f"{_games(results)}; {_BLUE}; final score: own discs minus the other's, empty squares to the winner"
    )
    return draw(results.names, [Matrix(numbers)], _discs(numbers), title, says)


def _discs(numbers: Numbers) -> Scale:
    reach = float(np.nanmax(np.abs(numbers), initial=1))
    return Scale(0.0, reach, "{:+.0f}".format, "mean final score of the row, in discs")


def _colours(draw: Draw, results: Results) -> Figure:
    scores = results.scores()
    matrices = [
        Matrix(scores.as_black, heading="the row is black"),
        Matrix(scores.as_white, heading="the row is white"),
    ]
    title = "With each colour: the score of each row against each column"
    return draw(results.names, matrices, _SCORE, title, f"{_games(results)}; {_BLUE}")


def _ratings(results: Results, ratings: Ratings, width: float) -> Figure:
    lanes = [_lane(name, place, ratings.of(place)) for place, name in enumerate(results.names)]
    figure = Figure(figsize=(width, height_of(lanes) + 0.2), layout="constrained")
    axes = figure.subplots()
    draw_lanes(axes, lanes)
    axes.margins(x=0.1)
    axes.set_xlabel("rating in points of Elo's scale:\n400 points are odds of 10 to 1")
    meant = shortened(zero(results, ratings), _LONGEST_ZERO)
    entitle(axes, "Ratings", f"{_games(results)}; {meant}; good: right; lines: {RATED}")
    return figure


def _lane(name: str, place: int, found: Estimate) -> Lane:
    said = f"{found.value:+.0f} ± {found.reach:.0f}"
    return Lane(f"{place + 1}  {name}", said, found.value, found.interval, look(0))


def _games(results: Results) -> str:
    """Return what it was played in."""
    openings = plural(len(set(results.openings.tolist())), "opening")
    return f"{len(results.points):,} games from {openings}, both colours"
