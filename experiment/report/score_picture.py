"""The histogram of how games ended."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiment.display.palette import BLACK, GREY, entitle
from experiment.report.inline_svg import inline_svg
from experiment.report.page import Picture
from game.records import Record


def score_picture(records: Sequence[Record]) -> Picture:
    """Return the histogram of the differences of discs at the end."""
    outcomes = [record.game.board.outcome() for record in records if not record.forfeit]
    differences = [outcome.disc_diff for outcome in outcomes if outcome]
    figure = Figure(figsize=(8.6, 3.2), layout="constrained")
    axes = figure.subplots()
    largest = max((record.game.size**2 for record in records), default=64)
    width = max(1, largest // 16)
    edges = np.arange(-largest - width / 2, largest + width, width).tolist()
    axes.hist(differences, bins=edges, color="#0072B2", edgecolor="white", linewidth=0.5)
    axes.axvline(0, color=BLACK, lw=1)
    axes.set_xlabel("black's discs minus white's at the end")
    axes.set_ylabel("games")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.25, axis="y", color=GREY)
    entitle(axes, "How the games ended", "right of the line black has won, left of it white")
    says = f"Histogram of black's discs minus white's at the end of {len(differences)} games."
    return Picture(inline_svg(figure, "scores", "How the games ended", says), wide=True)
