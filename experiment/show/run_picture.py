"""Draw the picture of a run from the run's files."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import EngFormatter, MaxNLocator, StrMethodFormatter

from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.charts import Chart
from othello_lab.experiment.show.plots import as_png, draw, headline, height_of, legend_of, write_legend
from othello_lab.experiment.show.run_curves import RunFiles, finals, panels, rates, read
from othello_lab.game.safe_files import check_no_links, replace

# Lengths in inches: widths of main plot and legend; heights of main plot, small plot and title.
_LEFT, _RIGHT, _MAIN, _SMALL, _TITLE = 7.6, 4.4, 4.4, 2.7, 0.35
POINTS = 2000  # The maximum number of points of a running mean.
_MANY = 100_000  # number of episodes from which axis labels have a suffix, such as 100k


def plot_run(folder: RunFolder) -> Path:
    """Draw plots/training.png and return its path. Raises OSError, for example if the folder has links."""
    check_no_links(folder.path)
    folder.plots.mkdir(exist_ok=True)
    path = folder.plots / "training.png"
    replace(path, as_png(figure_of(folder), 110))
    return path


def figure_of(folder: RunFolder) -> Figure:
    """Return the figure of a run, without empty plots."""
    run = read(folder)
    charts = [*panels(run.curves)]
    figure = Figure(figsize=(_LEFT + _RIGHT, _MAIN), layout="constrained")
    grid = GridSpec(1 + bool(charts), 1, figure=figure)
    heights = [_draw_upper(figure.add_subfigure(grid[0]), run)]
    if charts:
        heights.append(_SMALL * _draw_panels(figure.add_subfigure(grid[1]), charts, run.games))
    grid.set_height_ratios(heights)
    figure.set_figheight(_TITLE + sum(heights))
    seed = "" if run.record.seed is None else f", seed {run.record.seed}"
    headline(figure, f"{run.record.headline} (run {folder.path.name}{seed})")
    return figure


def _draw_upper(figure: SubFigure, run: RunFiles) -> float:
    """Draw the shares won, their legend and the last results. Return the height in inches."""
    left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=[_LEFT, _RIGHT])[0]
    axes = left.subplots()
    draw(axes, rates(run, POINTS, by_colour=True))
    _along_the_run(axes, run.games)
    entries = legend_of([axes])
    if not run.evaluations:
        write_legend(right, entries, "upper left")
        return _MAIN
    grid, chart = GridSpec(2, 1, figure=right), finals(run)
    legend = write_legend(right.add_subfigure(grid[0]), entries, "upper left").get_window_extent()
    draw(right.add_subfigure(grid[1]).subplots(), chart)
    upper = legend.height / figure.dpi
    height = max(_MAIN, upper + height_of(chart.names))
    grid.set_height_ratios([upper, height - upper])
    return height


def _draw_panels(figure: SubFigure, charts: Sequence[Chart], games: int) -> int:
    """Draw small plots, with a legend if a curve has a label. Return the number of rows."""
    columns = {1: 1, 2: 2, 4: 2}.get(len(charts), 3)
    rows = -(-len(charts) // columns)
    for chart, part in zip(charts, figure.subfigures(rows, columns, squeeze=False).flat, strict=False):
        axes = part.subplots()
        draw(axes, chart)
        _along_the_run(axes, games)
        axes.tick_params(labelsize=8)
        axes.xaxis.label.set_fontsize(8)
        axes.yaxis.label.set_fontsize(8)
        if any(series.label for series in chart.series):
            where = {"loc": "upper left", "bbox_to_anchor": (1, 1.05)}
            axes.legend(frameon=False, fontsize=7.5, handlelength=1.6, **where)
    return rows


def _along_the_run(axes: Axes, episodes: int) -> None:
    """Format the x axis of training games, with the same limits for all plots of a run."""
    axes.set_xlim(-0.02 * episodes, 1.02 * max(1, episodes))
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10], integer=True))
    many = episodes >= _MANY
    axes.xaxis.set_major_formatter(EngFormatter(sep="") if many else StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)
