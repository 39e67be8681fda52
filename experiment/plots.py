"""The picture of a run, drawn from its files alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from experiment.evaluation import FROM_OPENINGS, Evaluation
from experiment.loop import Episode
from experiment.outcomes import Outcome
from experiment.run_folder import RunFolder

WINDOW = 100
"""Training episodes of the running rates."""

_WINS, _UNBEATEN, _EVALUATIONS = "#1f6f43", "#9ccfb0", "#c4391d"
_LEARNER = (("loss", "#5b4b8a"), ("q_mean", "#c98a1b"), ("epsilon", "#3b7ea1"))
"""What the learner tells that is worth a curve, each on an axis of its own."""


def plot_run(folder: RunFolder) -> Path:
    """Draw plots/training.png and return its path."""
    curves = learner_curves(folder.metrics())
    figure = Figure(figsize=(9, 7 if curves else 4.5), layout="constrained")
    axes = figure.subplots(
        2 if curves else 1, sharex=True, squeeze=False, height_ratios=[3, 2][: 1 + bool(curves)]
    )
    _draw_rates(axes[0, 0], folder.episodes(), folder.evaluations())
    figure.suptitle(_title(folder), fontsize=12)
    if curves:
        _draw_learner(axes[1, 0], curves)
    axes[-1, 0].set_xlabel("training episodes")
    folder.plots.mkdir(exist_ok=True)
    path = folder.plots / "training.png"
    figure.savefig(path, dpi=120)
    return path


def _title(folder: RunFolder) -> str:
    config = folder.config()
    agent, stats = config.get("agent") or {}, config.get("environment_stats") or {}
    words = [agent.get("text") or agent.get("command") or "agent"]
    if stats:
        words.append(f"against {stats.get('opponent')} on {stats.get('size')}x{stats.get('size')}")
    return f"{' '.join(words)}, run {folder.path.name}"


def running_rate(episodes: Sequence[Episode], wanted: set[Outcome | None]) -> NDArray[np.float64]:
    """Return the share of wanted outcomes in the window that ends at each episode, float [episodes].

    The first windows are as long as there are episodes.
    """
    hits = np.concatenate([[0], np.cumsum([episode.outcome in wanted for episode in episodes])])
    ends = np.arange(1, len(hits))
    begins = np.maximum(ends - WINDOW, 0)
    rates: NDArray[np.float64] = (hits[ends] - hits[begins]) / (ends - begins)
    return rates


def learner_curves(metrics: Sequence[dict[str, Any]]) -> dict[str, tuple[list[int], list[float]]]:
    """Return the learner's numbers worth drawing, by name: episodes and values."""
    curves: dict[str, tuple[list[int], list[float]]] = {}
    for record in metrics:
        told = record.get("agent", {})
        # Before the first update there is neither a loss nor a Q to speak of.
        silent = () if told.get("updates", 1) else ("loss", "q_mean")
        for name, _ in _LEARNER:
            if name in told and name not in silent:
                episodes, values = curves.setdefault(name, ([], []))
                episodes.append(int(record["episode"]))
                values.append(float(told[name]))
    return curves


def _draw_rates(axes: Axes, episodes: Sequence[Episode], evaluations: Sequence[Evaluation]) -> None:
    # The first few windows hold too few games to say anything.
    shown = slice(min(WINDOW, len(episodes)) // 5, None)
    numbers = [episode.index for episode in episodes][shown]
    unbeaten = running_rate(episodes, {Outcome.WIN, Outcome.DRAW})[shown]
    axes.plot(numbers, unbeaten, color=_UNBEATEN, lw=1.2, label=f"won or drawn, last {WINDOW} games")
    wins = running_rate(episodes, {Outcome.WIN})[shown]
    axes.plot(numbers, wins, color=_WINS, lw=1.4, label=f"won, last {WINDOW} games")
    _draw_evaluations(axes, [e for e in evaluations if not e.opponent.endswith(FROM_OPENINGS)])
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of games")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.grid(alpha=0.25)
    # Above the curves, not on them.
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=3, frameon=False, fontsize=9)


def _draw_evaluations(axes: Axes, evaluations: Sequence[Evaluation]) -> None:
    if evaluations:
        axes.errorbar(
            [evaluation.episode for evaluation in evaluations],
            [evaluation.tally.win_rate for evaluation in evaluations],
            yerr=[evaluation.tally.win_rate_error for evaluation in evaluations],
            fmt="o-",
            color=_EVALUATIONS,
            lw=1,
            ms=4.5,
            capsize=3,
            label="won without exploration, ± standard error",
        )


def _draw_learner(axes: Axes, curves: dict[str, tuple[list[int], list[float]]]) -> None:
    """Draw each curve on a scale of its own: the first on the left, the others on the right."""
    axes.grid(alpha=0.25)
    shown = [(name, colour) for name, colour in _LEARNER if name in curves]
    for place, (name, colour) in enumerate(shown):
        own = axes if place == 0 else axes.twinx()
        if place > 1:
            own.spines["right"].set_position(("axes", 1.0 + 0.1 * (place - 1)))
        own.plot(*curves[name], color=colour, lw=1.2)
        own.set_ylabel(_LABELS[name], color=colour)
        own.tick_params(axis="y", colors=colour)
        if name != "q_mean":
            own.set_ylim(bottom=0)


_LABELS = {"loss": "loss", "q_mean": "mean Q", "epsilon": "epsilon"}
