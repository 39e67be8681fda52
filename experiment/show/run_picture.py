"""Draw the picture of a run from the run's files."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter, StrMethodFormatter

from othello_lab.experiment.run.outcomes import FROM_OPENINGS, Evaluation, Tally, by_opponent, total
from othello_lab.experiment.run.record import RunRecord
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import plots
from othello_lab.experiment.show.charts import Chart, look
from othello_lab.experiment.show.plots import Lane, as_png, draw, draw_lanes, entitle, height_of
from othello_lab.experiment.show.run_curves import RunFiles, panels, rates, read
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.game.safe_files import check_no_links, replace

# Inches: the widths of the main plot and of its legend, and the heights of the main plot, a small plot and a
# title.
_LEFT, _RIGHT, _MAIN, _SMALL, _TITLE = 8.0, 4.0, 4.4, 2.7, 0.35
POINTS = 2000  # The largest number of points of running shares. A picture cannot show more points.
_MANY = 100_000  # from this number of episodes on, numbers of the axis have a suffix, such as 100k


def finals_of(evaluations: Sequence[Evaluation], record: RunRecord) -> list[tuple[Tally, Lane]]:
    """Return the last result against each opponent for both colours, with the look of its curve."""
    last = max((result.episode for result in evaluations), default=0)
    # Opponents with a curve along the run come first, as in the chart of rates.
    ordered = sorted(evaluations, key=lambda result: result.opponent.endswith(FROM_OPENINGS))
    opponents = list(dict.fromkeys(result.opponent.removesuffix(FROM_OPENINGS) for result in ordered))
    finals = list[tuple[Tally, Lane]]()
    for opponent, results in by_opponent(it for it in evaluations if it.episode == last).items():
        name, tally = record.result_name(opponent), total(results)
        colour = look(opponents.index(opponent.removesuffix(FROM_OPENINGS)))
        style = colour._replace(hollow=record.is_held_out(opponent))
        share, interval = tally.win_rate, wilson(tally.win_rate, tally.games)
        finals.append((tally, Lane(name, f"{share:.0%}", share, interval, style)))
    return finals


def draw_finals(axes: Axes, lanes: Sequence[Lane], after: int) -> None:
    """Draw a lane for each opponent with the share won, after `after` training games."""
    draw_lanes(axes, lanes)
    axes.set_xlim(-0.03, 1.03)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("share of games won")
    says = f"without learning and exploration; {WILSON}; hollow: never met in training; good: right"
    entitle(axes, f"After {after:,} games", says)


def plot_run(folder: RunFolder) -> Path:
    """Draw plots/training.png and return its path. Raises OSError, also if the run's folder has links."""
    check_no_links(folder.path)
    folder.plots.mkdir(exist_ok=True)
    path = folder.plots / "training.png"
    replace(path, as_png(figure_of(folder), 110))
    return path


def figure_of(folder: RunFolder) -> Figure:
    """Return the figure of a run. Plots without data are left out."""
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
    plots.headline(figure, f"{run.record.headline} (run {folder.path.name}{seed})")
    return figure


def _draw_upper(figure: SubFigure, run: RunFiles) -> float:
    """Draw the shares won, their legend and the last results. Return the height in inches."""
    left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=[_LEFT, _RIGHT])[0]
    axes = left.subplots()
    draw(axes, rates(run, POINTS, by_colour=True))
    _along_the_run(axes, run.games)
    entries, lanes = plots.legend_of([axes]), [lane for _, lane in finals_of(run.evaluations, run.record)]
    legend = plots.legend_height(entries)
    if not lanes:
        plots.write_legend(right, entries, "upper left")
        return max(_MAIN, legend)
    height = max(_MAIN, legend + height_of(lanes))
    upper, lower = right.subfigures(2, 1, squeeze=False, height_ratios=[legend, height - legend])[:, 0]
    plots.write_legend(upper, entries, "upper left")
    draw_finals(lower.subplots(), lanes, run.evaluations[-1].episode)
    return height


def _draw_panels(figure: SubFigure, charts: Sequence[Chart], games: int) -> int:
    """Draw small plots. A plot whose curves have labels has a legend. Return the number of rows."""
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
    """Set the axis of training games, which is the same for all plots of a run."""
    axes.set_xlim(-0.02 * episodes, 1.02 * max(1, episodes))
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10], integer=True))
    many = episodes >= _MANY
    axes.xaxis.set_major_formatter(EngFormatter(sep="") if many else StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)
