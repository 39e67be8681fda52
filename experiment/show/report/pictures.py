"""The plots of a run, each for itself, so that a page can place them by its width."""

from collections.abc import Iterator

from matplotlib.figure import Figure

from experiment.run.results.run_folder import RunFolder
from experiment.show.lanes import height_of
from experiment.show.report.inline_svg import PHONE, WIDE, inline_svg, picture
from experiment.show.report.page import Picture
from experiment.show.run_files import read
from experiment.show.run_picture import draw_finals, draw_panel, draw_rates, finals_of
from experiment.show.titles import legend_below, legend_beside
from experiment.show.training_charts import panels


def run_pictures(folder: RunFolder) -> Iterator[Picture]:
    """Yield the plots of a run; what there is no data for is left out."""
    run = read(folder)

    def along(width: float) -> Figure:
        figure = Figure(figsize=(width, 4.2), layout="constrained")
        draw_rates(figure.subplots(), run)
        (legend_beside if width == WIDE else legend_below)(figure)
        return figure

    def ends(width: float) -> Figure:
        figure = Figure(figsize=(width, height_of([final.lane for final in finals])), layout="constrained")
        draw_finals(figure.subplots(), finals, run.evaluations[-1].episode)
        return figure

    if run.games:
        says = "Share of games won along the training, in training and in evaluations with their intervals."
        yield picture(along(WIDE), along(PHONE), "rates", "While it learned", says)
    if finals := finals_of(run.evaluations, run.config):
        says = "Share of games won against each opponent in the last evaluation, with its interval."
        yield picture(ends(WIDE), ends(PHONE), "finals", "At the end", says)
    for place, chart in enumerate(panels(run.curves)):
        figure = Figure(figsize=(PHONE, 2.9), layout="constrained")
        draw_panel(figure.subplots(), chart, run.games)
        yield Picture(inline_svg(figure, f"panel-{place}", chart.title, chart.says))
