"""The picture of a run, drawn from its files alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter, StrMethodFormatter

from othello_lab.experiment.run.outcomes import FROM_OPENINGS, Evaluation, Tally, by_opponent, total
from othello_lab.experiment.run.record import headline, is_held_out, result_name
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import titles
from othello_lab.experiment.show.charts import Chart, look
from othello_lab.experiment.show.plots import as_png, draw
from othello_lab.experiment.show.run_files import Following, read
from othello_lab.experiment.show.titles import Lane, draw_lanes, entitle, height_of
from othello_lab.experiment.show.training_charts import panels, rates
from othello_lab.experiment.study.statistics.intervals import WILSON, wilson
from othello_lab.game.files import check_no_links, replace

_LEFT, _RIGHT, _MAIN, _SMALL, _TITLE = 8.0, 4.0, 4.4, 2.7, 0.35
"""Inches: the widths of the main plot and of what is beside it, the least height of both, and the heights of
a row of small plots and of the title.
"""
POINTS = 2000
"""More than this many of the running rates cannot be told apart."""
_MANY = 100_000
"""This many episodes are written as 100k."""


class Final(NamedTuple):
    """What came out against one opponent: all colours together."""

    name: str
    tally: Tally
    held_out: bool
    """Whether it was never met in training."""
    place: int
    """Its place among the opponents, by which it has its colour: those with a curve come first."""

    @property
    def lane(self) -> Lane:
        """It as a line of the plot."""
        share = self.tally.win_rate
        interval = wilson(share, self.tally.games)
        return Lane(
            self.name, f"{share:.0%}", share, interval, look(self.place)._replace(hollow=self.held_out)
        )


def finals_of(evaluations: Sequence[Evaluation], config: Mapping[str, Any]) -> list[Final]:
    """Return the results of the last evaluation, by opponent."""
    last = max((result.episode for result in evaluations), default=0)
    names = _opponents(evaluations)
    own = by_opponent(result for result in evaluations if result.episode == last)
    return [
        Final(
            result_name(opponent, config),
            total(results),
            is_held_out(opponent, config),
            names.index(opponent.removesuffix(FROM_OPENINGS)),
        )
        for opponent, results in own.items()
    ]


def _opponents(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return everybody that a run was evaluated with, those with a curve along the run first."""
    names = sorted((result.opponent for result in evaluations), key=lambda name: name.endswith(FROM_OPENINGS))
    return list(dict.fromkeys(name.removesuffix(FROM_OPENINGS) for name in names))


def draw_finals(axes: Axes, finals: Sequence[Final], after: int) -> None:
    """Draw a lane for each: the share won and its interval."""
    draw_lanes(axes, [final.lane for final in finals])
    axes.set_xlim(-0.03, 1.03)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("share of games won")
    says = f"without learning and exploration; {WILSON}; hollow: never met in training; good: right"
    entitle(axes, f"After {after:,} games", says)


def plot_run(folder: RunFolder) -> Path:
    """Draw plots/training.png and return its path; raise OSError, also for a folder with links in it."""
    check_no_links(folder.path)
    folder.plots.mkdir(exist_ok=True)
    path = folder.plots / "training.png"
    replace(path, as_png(figure_of(folder), 110))
    return path


def figure_of(folder: RunFolder) -> Figure:
    """Return the picture of a run; what there is no data for is left out."""
    run = read(folder)
    charts = [*panels(run.curves)]
    figure = Figure(figsize=(_LEFT + _RIGHT, _MAIN), layout="constrained")
    grid = GridSpec(1 + bool(charts), 1, figure=figure)
    heights = [_draw_upper(figure.add_subfigure(grid[0]), run)]
    if charts:
        heights.append(_SMALL * _draw_panels(figure.add_subfigure(grid[1]), charts, run.games))
    grid.set_height_ratios(heights)
    figure.set_figheight(_TITLE + sum(heights))
    titles.headline(figure, _title(folder))
    return figure


def _title(folder: RunFolder) -> str:
    config = folder.config()
    seed = f", seed {config['seed']}" if "seed" in config else ""
    return f"{headline(config)} (run {folder.path.name}{seed})"


def _draw_upper(figure: SubFigure, run: Following) -> float:
    """Draw how it went and, beside it, what is what and how it ended; return how high that is, in inches."""
    left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=[_LEFT, _RIGHT])[0]
    axes = left.subplots()
    draw_rates(axes, run)
    entries, finals = titles.legend_of([axes]), finals_of(run.evaluations, run.config)
    legend = titles.legend_height(entries)
    if not finals:
        titles.write_legend(right, entries, "upper left")
        return max(_MAIN, legend)
    height = max(_MAIN, legend + height_of([final.lane for final in finals]))
    upper, lower = right.subfigures(2, 1, squeeze=False, height_ratios=[legend, height - legend])[:, 0]
    titles.write_legend(upper, entries, "upper left")
    draw_finals(lower.subplots(), finals, run.evaluations[-1].episode)
    return height


def draw_rates(axes: Axes, run: Following) -> None:
    """Draw what is won along a run."""
    draw(axes, rates(run, POINTS, by_colour=True))
    along_the_run(axes, run.games)


def draw_panel(axes: Axes, chart: Chart, games: int) -> None:
    """Draw a small plot, with a legend of its own where it has several curves."""
    draw(axes, chart)
    along_the_run(axes, games)
    axes.tick_params(labelsize=8)
    axes.xaxis.label.set_fontsize(8)
    axes.yaxis.label.set_fontsize(8)
    if any(series.label for series in chart.series):
        axes.legend(frameon=False, fontsize=7.5, loc="upper left", bbox_to_anchor=(1, 1.05), handlelength=1.6)


def _draw_panels(figure: SubFigure, charts: Sequence[Chart], games: int) -> int:
    """Draw the small plots and return in how many rows."""
    columns = {1: 1, 2: 2, 4: 2}.get(len(charts), 3)
    rows = -(-len(charts) // columns)
    for chart, part in zip(charts, figure.subfigures(rows, columns, squeeze=False).flat, strict=False):
        draw_panel(part.subplots(), chart, games)
    return rows


def along_the_run(axes: Axes, episodes: int) -> None:
    """Give all axes the same way along the run."""
    axes.set_xlim(-0.02 * episodes, 1.02 * max(1, episodes))
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10], integer=True))
    many = episodes >= _MANY
    axes.xaxis.set_major_formatter(EngFormatter(sep="") if many else StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)
