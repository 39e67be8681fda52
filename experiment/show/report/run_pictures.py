"""The plots of a run, each for itself, so that a page can place them by its width."""

from collections.abc import Iterator

from matplotlib.figure import Figure

from experiment.run.results.run_folder import RunFolder
from experiment.show.curves import curves_of
from experiment.show.final_plot import draw_finals, finals_of
from experiment.show.lanes import height_of
from experiment.show.panel_plot import draw_panel
from experiment.show.panels import OF_UPDATES, PANELS, pool_panels
from experiment.show.rates_plot import draw_rates
from experiment.show.report.inline_svg import inline_svg
from experiment.show.report.page import Picture
from experiment.show.report.pictures import PHONE, WIDE, picture
from experiment.show.run_picture import along_the_run
from experiment.show.titles import legend_below, legend_beside


def run_pictures(folder: RunFolder) -> Iterator[Picture]:
    """Yield the plots of a run; what there is no data for is left out."""
    config, evaluations = folder.config(), folder.evaluations()
    training = folder.rounds() or folder.episodes()

    def rates(width: float) -> Figure:
        figure = Figure(figsize=(width, 4.2), layout="constrained")
        axes = figure.subplots()
        draw_rates(axes, config, training, evaluations)
        along_the_run(axes, folder.games())
        (legend_beside if width == WIDE else legend_below)(figure)
        return figure

    def ends(width: float) -> Figure:
        figure = Figure(figsize=(width, height_of([final.lane for final in finals])), layout="constrained")
        draw_finals(figure.subplots(), finals, evaluations[-1].episode)
        return figure

    if training:
        says = "Share of games won along the training, in training and in evaluations with their intervals."
        yield picture(rates(WIDE), rates(PHONE), "rates", "While it learned", says)
    if finals := finals_of(evaluations, config):
        says = "Share of games won against each opponent in the last evaluation, with its interval."
        yield picture(ends(WIDE), ends(PHONE), "finals", "At the end", says)
    yield from _panels(folder)


def _panels(folder: RunFolder) -> Iterator[Picture]:
    curves, games = curves_of(folder.metrics(), OF_UPDATES), folder.games()
    for place, panel in enumerate((*PANELS, *pool_panels(curves))):
        if panel.lines.keys() & curves.keys():
            figure = Figure(figsize=(PHONE, 2.9), layout="constrained")
            axes = figure.subplots()
            draw_panel(axes, panel, curves)
            along_the_run(axes, games)
            yield Picture(inline_svg(figure, f"panel-{place}", panel.title, panel.says))
