"""The pictures of a tournament: who beats whom, by how many discs, with which colour, and the ratings."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.display.palette import GREY, entitle, look
from experiment.display.pictures import SUFFIXES, save
from experiment.ratings.elo import RATED, Ratings
from experiment.ratings.pairs import Numbers
from experiment.tournament.heat_map import LONGEST_NAME, Scale, draw_matrix, draw_scale
from experiment.tournament.meetings import meetings
from experiment.tournament.results import Results, zero
from experiment.tournament.tables import share, signed
from rlglue.messages import shortened

_SQUARE, _LETTER = 0.42, 0.072
"""Inches: of a square, and of a letter of a name."""
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
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}{suffix}" for name in drawn for suffix in SUFFIXES]
    for path in paths:
        save(drawn[path.stem], path)
    return paths


def _scores(results: Results, ratings: Ratings | None) -> Figure:
    figure, axes = _canvas(results)
    against = [] if ratings is None else meetings(results, ratings)
    upsets = [(meeting.second, meeting.first) for meeting in against if meeting.is_upset and meeting.is_clear]
    draw_scale(draw_matrix(axes, results.scores().fair, results.names, _SCORE, upsets), _SCORE)
    framed = (
        "framed: the lower-rated was ahead, beyond doubt (95 %)"
        if upsets
        else "no lower-rated one was ahead beyond doubt (95 %)"
    )
    entitle(
        axes,
        "Who beats whom: the score of each row against each column",
        f"{_games(results)}; blue: the row was ahead, red: the column, white: even\n{framed}",
    )
    return figure


def _final_scores(results: Results) -> Figure:
    figure, axes = _canvas(results)
    numbers = results.final_scores().fair
    scale = _discs(numbers)
    draw_scale(draw_matrix(axes, numbers, results.names, scale), scale)
    entitle(
        axes,
        "By how much: the mean final score of each row against each column",
        f"{_games(results)}; blue: the row was ahead, red: the column\n"
        "final score: own discs minus the other's, empty squares to the winner",
    )
    return figure


def _discs(numbers: Numbers) -> Scale:
    reach = float(np.nanmax(np.abs(numbers), initial=1))
    return Scale(0.0, reach, signed(0), "mean final score of the row, in discs")


def _colours(results: Results) -> Figure:
    """Draw how each did as black, as white, and how much more as black."""
    scores, count = results.scores(), len(results.names)
    width = 2 * _SQUARE * count + _names_width(results) + 1.6
    figure = Figure(figsize=(max(9.0, width), _SQUARE * count + 1.9), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, numbers, colour in ((left, scores.as_black, "black"), (right, scores.as_white, "white")):
        image = draw_matrix(axes, numbers, results.names, _SCORE)
        entitle(axes, f"As {colour}: the score of each row", "blue: the row was ahead, red: the column")
    right.set_ylabel("")
    draw_scale(image, _SCORE)
    figure.supxlabel(_games(results), fontsize=8, color="#555555")
    return figure


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
    _finish_ratings(axes, results, zero(results, ratings))
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


def _canvas(results: Results) -> tuple[Figure, Axes]:
    side = _SQUARE * len(results.names)
    figure = Figure(
        figsize=(max(6.8, side + _names_width(results) + 1.4), max(3.4, side + 1.5)), layout="constrained"
    )
    return figure, figure.subplots()


def _names_width(results: Results) -> float:
    return _LETTER * min(LONGEST_NAME, max(map(len, results.names))) + 0.6


def _games(results: Results) -> str:
    """Return what it was played in."""
    openings = len(set(results.openings.tolist()))
    return f"{len(results.points):,} games from {openings} openings, both colours"
