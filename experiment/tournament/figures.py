"""The pictures of a tournament: who beats whom, by how many discs, with which colour, and the ratings."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.display.palette import GREY, entitle, look
from experiment.display.pictures import SUFFIXES, save_both
from experiment.display.wording import plural
from experiment.ratings.elo import RATED, Ratings
from experiment.ratings.pairs import Numbers
from experiment.tournament.heat_map import LONGEST_NAME, Matrix, Scale, heat_maps
from experiment.tournament.meetings import meetings
from experiment.tournament.results import Results, zero
from experiment.tournament.tables import share, signed
from rlglue.messages import shortened

_LONGEST_ZERO = 60
"""Letters that say what the ratings are relative to."""
_BLUE = "blue: the row was ahead, red: the column"
_SCORE = Scale(0.5, 0.5, share(2), "score of the row: wins and half the draws, a share of the games")


def figures(results: Results, ratings: Ratings | None) -> dict[str, Figure]:
    """Return the pictures by their names, of players in the order of their ratings."""
    drawn = {
        "scores": _scores(results, ratings),
        "final_scores": _final_scores(results),
        "colours": _colours(results),
    }
    return drawn if ratings is None else {**drawn, "ratings": _ratings(results, ratings)}


def write(drawn: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Write pictures into a folder, each as PNG and SVG, and return their paths; raises OSError."""
    for name, figure in drawn.items():
        save_both(figure, folder / f"{name}.png")
    return [folder / f"{name}{suffix}" for name in drawn for suffix in SUFFIXES]


def _scores(results: Results, ratings: Ratings | None) -> Figure:
    against = [] if ratings is None else meetings(results, ratings)
    upsets = [(meeting.second, meeting.first) for meeting in against if meeting.is_upset and meeting.is_clear]
    framed = (
        "framed: the lower-rated was ahead, beyond doubt (95 %)"
        if upsets
        else "no lower-rated one was ahead beyond doubt (95 %)"
    )
    title = "Who beats whom: the score of each row against each column"
    says = f"{_games(results)}; {_BLUE}, white: even\n{framed}"
    return heat_maps(results.names, [Matrix(results.scores().fair, upsets)], _SCORE, title, says)


def _final_scores(results: Results) -> Figure:
    numbers = results.final_scores().fair
    title = "By how much: the mean final score of each row against each column"
    says = (
        f"{_games(results)}; {_BLUE}\nfinal score: own discs minus the other's, empty squares to the winner"
    )
    return heat_maps(results.names, [Matrix(numbers)], _discs(numbers), title, says)


def _discs(numbers: Numbers) -> Scale:
    reach = float(np.nanmax(np.abs(numbers), initial=1))
    return Scale(0.0, reach, signed(0), "mean final score of the row, in discs")


def _colours(results: Results) -> Figure:
    scores = results.scores()
    matrices = [
        Matrix(scores.as_black, heading="the row is black"),
        Matrix(scores.as_white, heading="the row is white"),
    ]
    title = "With each colour: the score of each row against each column"
    return heat_maps(results.names, matrices, _SCORE, title, f"{_games(results)}; {_BLUE}")


def _ratings(results: Results, ratings: Ratings) -> Figure:
    count = len(results.names)
    figure = Figure(figsize=(9.0, 0.3 * count + 1.6), layout="constrained")
    axes = figure.subplots()
    own = look(1)
    for place in range(count):
        found = ratings.of(place)
        axes.plot(found.interval, [place, place], color=own.colour, lw=2.2, solid_capstyle="butt")
        axes.plot([found.value], [place], "o", color=own.colour, ms=5.5)
        axes.annotate(
            f"{found.value:+.0f}",
            (found.interval.high, place),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            bbox={"fc": "white", "ec": "none", "pad": 0.8},
        )
    axes.axvline(0 if ratings.anchor is None else ratings.points[ratings.anchor], color=GREY, lw=0.8)
    _finish_ratings(axes, results, shortened(zero(results, ratings), _LONGEST_ZERO))
    return figure


def _finish_ratings(axes: Axes, results: Results, zero: str) -> None:
    names = [f"{shortened(name, LONGEST_NAME)}  {place + 1}" for place, name in enumerate(results.names)]
    axes.set_yticks(range(len(names)), names, fontsize=8.5, parse_math=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.1)
    axes.set_xlabel("rating in points of Elo's scale: 400 points are odds of 10 to 1")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", alpha=0.25)
    entitle(axes, "Ratings", f"{_games(results)}; {zero}; good: right\nlines: {RATED}")


def _games(results: Results) -> str:
    """Return what it was played in."""
    openings = plural(len(set(results.openings.tolist())), "opening")
    return f"{len(results.points):,} games from {openings}, both colours"
