"""The plots of a run, each for itself, so that a page can place them by its width."""

from collections.abc import Callable, Iterator

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiment.display.curves import curves_of
from experiment.display.final_plot import draw_finals, finals_of
from experiment.display.panel_plot import draw_panel
from experiment.display.panels import OF_UPDATES, PANELS, Panel, pool_panels
from experiment.display.plots import along_the_run
from experiment.display.rates_plot import draw_rates, legend_rows
from experiment.report.inline_svg import inline_svg
from experiment.report.page import Picture
from experiment.results.run_folder import RunFolder

_WIDE, _NARROW = 8.6, 4.2
"""Inches."""


def run_pictures(folder: RunFolder) -> Iterator[Picture]:
    """Yield the plots of a run; what there is no data for is left out."""
    config, evaluations = folder.config(), folder.evaluations()
    training = folder.rounds() or folder.episodes()

    def rates(axes: Axes) -> None:
        draw_rates(axes, config, training, evaluations)
        along_the_run(axes, folder.games())

    if training:
        says = "Share of games won along the training, in training and in evaluations with their intervals."
        yield _picture(
            "rates", rates, (_WIDE, 4.4 + 0.2 * legend_rows(evaluations)), "While it learned", says
        )
    if finals := finals_of(evaluations, config):
        after = evaluations[-1].episode
        says = "Share of games won against each opponent in the last evaluation, with its interval."
        size = (_WIDE, 1.3 + 0.42 * len(finals))
        yield _picture("finals", lambda axes: draw_finals(axes, finals, after), size, "At the end", says)
    yield from _panels(folder)


def _panels(folder: RunFolder) -> Iterator[Picture]:
    curves, games = curves_of(folder.metrics(), OF_UPDATES), folder.games()
    for place, panel in enumerate((*PANELS, *pool_panels(curves))):

        def draw(axes: Axes, panel: Panel = panel) -> None:
            draw_panel(axes, panel, curves)
            along_the_run(axes, games)

        if panel.lines.keys() & curves.keys():
            says = panel.says.replace("\n", " ")
            yield _picture(f"panel-{place}", draw, (_NARROW, 2.9), panel.title, says)


def _picture(
    name: str, draw: Callable[[Axes], None], size: tuple[float, float], title: str, says: str
) -> Picture:
    figure = Figure(figsize=size, layout="constrained")
    draw(figure.subplots())
    return Picture(inline_svg(figure, name, title, says), wide=size[0] == _WIDE)
