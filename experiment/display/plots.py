"""The picture of a run, drawn from its files alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.ticker import EngFormatter, MaxNLocator, StrMethodFormatter

from experiment.display.curves import Curve, curves_of
from experiment.display.final_plot import draw_finals, finals_of
from experiment.display.headline import headline
from experiment.display.panel_plot import draw_panel
from experiment.display.panels import OF_UPDATES, PANELS, Panel, pool_panels
from experiment.display.rates_plot import draw_rates, legend_rows
from experiment.results.run_folder import RunFolder

_WIDTH, _MAIN, _SMALL, _LEGEND_ROW = 12.0, 5.0, 2.6, 0.2
"""Inches: of the picture, and the heights of its upper part, a row of small panels and one of the legend."""
_MANY = 100_000
"""This many episodes are written as 100k."""


def plot_run(folder: RunFolder) -> Path:
    """Draw plots/training.png and return its path."""
    folder.plots.mkdir(exist_ok=True)
    path = folder.plots / "training.png"
    figure_of(folder).savefig(path, dpi=110)
    return path


def figure_of(folder: RunFolder) -> Figure:
    """Return the picture of a run; what there is no data for is left out."""
    curves = curves_of(folder.metrics(), OF_UPDATES)
    panels = [panel for panel in (*PANELS, *pool_panels(curves)) if panel.lines.keys() & curves.keys()]
    columns = {1: 1, 2: 2, 4: 2}.get(len(panels), 3)
    rows = -(-len(panels) // columns)
    heights = [_MAIN + _LEGEND_ROW * legend_rows(folder.evaluations()), _SMALL * rows][: 1 + bool(rows)]
    figure = Figure(figsize=(_WIDTH, sum(heights)), layout="constrained")
    upper, *lower = figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
    _draw_upper(upper, folder)
    for part in lower:
        _draw_panels(part, panels, curves, columns, folder.games())
    figure.suptitle(_title(folder), fontsize=13, fontweight="bold", x=0.01, ha="left")
    return figure


def _title(folder: RunFolder) -> str:
    config = folder.config()
    seed = f", seed {config['seed']}" if "seed" in config else ""
    return f"{headline(config)} (run {folder.path.name}{seed})"


def _draw_upper(figure: SubFigure, folder: RunFolder) -> None:
    """Draw how it went and, beside it, how it ended."""
    config, evaluations = folder.config(), folder.evaluations()
    finals = finals_of(evaluations, config)
    ratios = [3, 1.15] if finals else [1]
    left, *right = figure.subplots(1, len(ratios), squeeze=False, width_ratios=ratios)[0]
    draw_rates(left, config, folder.rounds() or folder.episodes(), evaluations)
    along_the_run(left, folder.games())
    for axes in right:
        draw_finals(axes, finals, evaluations[-1].episode)


def _draw_panels(
    figure: SubFigure, panels: Sequence[Panel], curves: Mapping[str, Curve], columns: int, episodes: int
) -> None:
    for place, panel in enumerate(panels, 1):
        axes = figure.add_subplot(-(-len(panels) // columns), columns, place)
        draw_panel(axes, panel, curves)
        along_the_run(axes, episodes)


def along_the_run(axes: Axes, episodes: int) -> None:
    """Give all axes the same way along the run."""
    axes.set_xlim(-0.02 * episodes, 1.02 * max(1, episodes))
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10], integer=True))
    many = episodes >= _MANY
    axes.xaxis.set_major_formatter(EngFormatter(sep="") if many else StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)
