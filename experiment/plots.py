"""The picture of a run, drawn from its files alone."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter, StrMethodFormatter
from numpy.typing import NDArray

from experiment.evaluation import FROM_OPENINGS, Evaluation, by_opponent
from experiment.loop import Episode
from experiment.outcomes import Outcome
from experiment.progress import shortened
from experiment.run_folder import RunFolder

WINDOW = 100
"""Training episodes of the running rates; a hundredth of a run that has more than 10,000."""
POINTS = 2000
"""More than so many of the running rates cannot be told apart."""
MEANS = 300
"""So many points has a curve of the learner's numbers; where there are more numbers, they are means."""

_COLUMNS = 3
_WINS, _UNBEATEN = "#1f6f43", "#9ccfb0"
_OPPONENTS = ("#c4391d", "#2f6db5", "#c98a1b", "#7b4ba3", "#3a9a9a", "#8a5a3b", "#d16ba5", "#5b5b5b")
_LINES = ("#4c5c96", "#c98a1b")
_FEW = 20
"""So few points of a curve are marked each."""
_MANY = 100_000
"""So many episodes are written as 100k."""
_LONGEST_NAME = 30
_SHORT_LABEL = 24
"""Labels so short have room for one more column."""
_LEGEND_ROW = 0.2
"""Inches."""


class Panel(NamedTuple):
    """A small plot of numbers in metrics.jsonl: their names, and what to call each if there are several."""

    title: str
    lines: Mapping[str, str]
    from_zero: bool = True


PANELS = (
    Panel("loss", {"loss": ""}),
    Panel("mean Q", {"q_mean": ""}, from_zero=False),
    Panel("target gap", {"target_gap": ""}),
    Panel("mean Q over squares", {"q_legal": "legal", "q_illegal": "illegal"}, from_zero=False),
    Panel("epsilon", {"epsilon": ""}),
    Panel("speed, each second", {"steps_per_second": "steps", "updates_per_second": "updates"}),
)
_OF_UPDATES = {name for panel in PANELS for name in panel.lines} - {"epsilon"}
"""Before the first update there is nothing to say of these."""

Curve = tuple[list[int], list[float]]
"""Episodes and values."""


def plot_run(folder: RunFolder) -> Path:
    """Draw plots/training.png and return its path."""
    curves = curves_of(folder.metrics())
    panels = [panel for panel in PANELS if panel.lines.keys() & curves.keys()]
    rows = -(-len(panels) // _COLUMNS)
    figure = Figure(figsize=(11, 4.8 + 2.1 * rows), layout="constrained")
    grid = GridSpec(1 + rows, _COLUMNS, figure, height_ratios=[4.4] + [2.1] * rows)
    episodes = folder.episodes()
    _draw_rates(figure, figure.add_subplot(grid[0, :]), episodes, folder.evaluations())
    for place, panel in enumerate(panels, _COLUMNS):
        _draw_panel(figure.add_subplot(grid[divmod(place, _COLUMNS)]), panel, curves)
    for axes in figure.axes:
        _finish(axes, len(episodes))
    figure.suptitle(_title(folder), fontsize=12)
    folder.plots.mkdir(exist_ok=True)
    path = folder.plots / "training.png"
    figure.savefig(path, dpi=110)
    return path


def _title(folder: RunFolder) -> str:
    config = folder.config()
    agent, stats = config.get("agent") or {}, config.get("environment_stats") or {}
    words = [shortened(agent.get("text") or agent.get("command") or "agent", 2 * _LONGEST_NAME)]
    if stats:
        opponent, size = shortened(str(stats.get("opponent")), _LONGEST_NAME), stats.get("size")
        words.append(f"against {opponent} on {size}x{size}")
    return f"{' '.join(words)}, run {folder.path.name}"


def running_rate(
    episodes: Sequence[Episode], wanted: set[Outcome], window: int = WINDOW
) -> NDArray[np.float64]:
    """Return the share of wanted outcomes in the window that ends at each episode, float [episodes].

    The first windows are as long as there are episodes.
    """
    hits = np.concatenate([[0], np.cumsum([episode.outcome in wanted for episode in episodes])])
    ends = np.arange(1, len(hits))
    begins = np.maximum(ends - window, 0)
    rates: NDArray[np.float64] = (hits[ends] - hits[begins]) / (ends - begins)
    return rates


def curves_of(metrics: Sequence[dict[str, Any]]) -> dict[str, Curve]:
    """Return the numbers of metrics.jsonl by name; what is missing or no finite number is left out."""
    curves: dict[str, Curve] = {}
    for record in metrics:
        told = record.get("agent") or {}
        silent = set() if told.get("updates", 1) else _OF_UPDATES
        for name, value in {**record, **told}.items():
            if isinstance(value, int | float) and isfinite(value) and name not in silent:
                episodes, values = curves.setdefault(name, ([], []))
                episodes.append(int(record["episode"]))
                values.append(float(value))
    return curves


def _means(column: Sequence[float]) -> NDArray[np.float64]:
    """Return a column as it is, or as MEANS means of neighbours if it is longer."""
    return np.array([part.mean() for part in np.array_split(column, min(len(column), MEANS))])


def _draw_rates(
    figure: Figure, axes: Axes, episodes: Sequence[Episode], evaluations: Sequence[Evaluation]
) -> None:
    window = max(WINDOW, len(episodes) // 100)
    # The first few windows hold too few games to say anything.
    first = min(window, len(episodes)) // 5
    places = np.unique(np.linspace(first, len(episodes) - 1, min(len(episodes), POINTS)).astype(np.intp))
    numbers = [episodes[place].index for place in places]
    few = "o" if len(episodes) <= _FEW else ""
    for wanted, colour, what in (
        ({Outcome.WIN, Outcome.DRAW}, _UNBEATEN, "won or drawn"),
        ({Outcome.WIN}, _WINS, "won"),
    ):
        rates, label = running_rate(episodes, wanted, window), f"training: {what}, last {window:,} games"
        axes.plot(numbers, rates[places], color=colour, lw=1.3, marker=few, ms=3, label=label)
    _draw_evaluations(axes, [e for e in evaluations if not e.opponent.endswith(FROM_OPENINGS)])
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("share of games")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("training episodes; points: games without exploration, ± standard error")
    _draw_legend(figure, axes)


def _draw_legend(figure: Figure, axes: Axes) -> None:
    """Draw it above the curves, not on them, in room that is added for it."""
    labels = axes.get_legend_handles_labels()[1]
    # Those of the training curves come first and are always long.
    most = _COLUMNS if max(map(len, labels[2:]), default=0) > _SHORT_LABEL else _COLUMNS + 1
    # An even number of rows keeps an opponent's black and white in a column.
    rows = 2 * -(-len(labels) // (2 * most))
    figure.set_figheight(figure.get_figheight() + rows * _LEGEND_ROW)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.0),
        ncols=-(-len(labels) // rows),
        frameon=False,
        fontsize=9,
    )


def _draw_evaluations(axes: Axes, evaluations: Sequence[Evaluation]) -> None:
    """Draw the win rates without exploration: a colour for each opponent, hollow and dashed as white."""
    for place, (opponent, results) in enumerate(by_opponent(evaluations).items()):
        for colour in dict.fromkeys(result.colour for result in results):
            own = [result for result in results if result.colour == colour]
            named = shortened(opponent, _LONGEST_NAME) or "evaluation"
            axes.errorbar(
                [result.episode for result in own],
                [result.tally.win_rate for result in own],
                yerr=[result.tally.win_interval.reach(result.tally.win_rate) for result in own],
                fmt="o--" if colour == "white" else "o-",
                mfc="white" if colour == "white" else None,
                color=_OPPONENTS[place % len(_OPPONENTS)],
                lw=1,
                elinewidth=0.8,
                ms=4.5,
                capsize=2,
                label=f"{named} as {colour}" if colour else named,
            )


def _draw_panel(axes: Axes, panel: Panel, curves: Mapping[str, Curve]) -> None:
    shown = [(name, label) for name, label in panel.lines.items() if name in curves]
    for (name, label), colour in zip(shown, _LINES, strict=False):
        episodes, values = (_means(column) for column in curves[name])
        few = "o" if len(values) <= _FEW else ""
        axes.plot(episodes, values, color=colour, lw=1.1, marker=few, ms=3, label=label)
    axes.set_title(panel.title, loc="left", fontsize=9)
    if panel.from_zero:
        axes.set_ylim(bottom=0)
    if any(label for _, label in shown):
        axes.legend(frameon=False, fontsize=8)
    axes.tick_params(labelsize=8)


def _finish(axes: Axes, episodes: int) -> None:
    """Give all axes the same way along the run."""
    axes.set_xlim(-0.02 * episodes, 1.02 * max(1, episodes))
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10], integer=True))
    many = episodes >= _MANY
    axes.xaxis.set_major_formatter(EngFormatter(sep="") if many else StrMethodFormatter("{x:,.0f}"))
    axes.grid(alpha=0.25)
