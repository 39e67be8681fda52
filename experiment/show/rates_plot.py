"""The main plot of a run: what is won in training and in evaluation, beside marks to compare with."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from experiment.run.episodes.episode import Episode
from experiment.run.evaluation.opponents import FROM_OPENINGS, SELF, STAND_IN
from experiment.run.evaluation.references import random_mover_in
from experiment.run.evaluation.result import Evaluation, by_opponent
from experiment.show.curves import means, running_rate, window_of
from experiment.show.palette import GREY, Look, look, of_training
from experiment.show.titles import entitle
from experiment.show.view import View
from experiment.study.statistics.shares import WILSON, wilson

POINTS = 2000
"""More than this many of the running rates cannot be told apart."""
_FEW = 20


def draw_rates(
    axes: Axes,
    config: Mapping[str, Any],
    training: Sequence[Episode] | Sequence[Evaluation],
    evaluations: Sequence[Evaluation],
) -> None:
    """Draw training as lines, evaluations as points with their intervals, a random mover as a dotted line.

    `training` are episodes, or rounds of self-play. What is what is said by labels, for a legend.
    """
    view = View(_plays_itself(config))
    rounds = [result for result in training if isinstance(result, Evaluation)]
    if rounds:
        _draw_rounds(axes, rounds, view)
    else:
        _draw_training(axes, [game for game in training if isinstance(game, Episode)], view)
    _draw_evaluations(axes, _repeated(evaluations))
    _draw_mark(axes, config)
    entitle(axes, "While it learned", _explanation(view))
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("share of games")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("training games")


def _draw_mark(axes: Axes, config: Mapping[str, Any]) -> None:
    """Draw what a random mover reaches in training games like these, where that is known."""
    if tally := random_mover_in(config):
        against = f" as black against {STAND_IN}" if _plays_itself(config) else ""
        label = f"a random mover wins {tally.win_rate:.0%}{against}"
        axes.axhline(tally.win_rate, color=GREY, lw=1.2, ls=(0, (1, 2)), label=label)


def _plays_itself(config: Mapping[str, Any]) -> bool:
    return (config.get("environment_stats") or {}).get("opponent") == SELF


def _repeated(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Leave out those that are played at the end only."""
    return [result for result in evaluations if not result.opponent.endswith(FROM_OPENINGS)]


def _explanation(view: View) -> str:
    lines = "lines: training games" + (" against itself, no measure of its strength" if view.selfplay else "")
    return f"{lines}; points: games without learning and exploration, {WILSON}; good: up"


def _draw_training(axes: Axes, episodes: Sequence[Episode], view: View) -> None:
    window = window_of(len(episodes))
    # The first few windows hold too few games to say anything.
    first = min(window, len(episodes)) // 5
    places = np.unique(np.linspace(first, len(episodes) - 1, min(len(episodes), POINTS)).astype(np.intp))
    numbers = [episodes[place].index for place in places]
    few = "." if len(episodes) <= _FEW else ""
    for place, (wanted, what) in enumerate(view.shares_shown):
        own = of_training(place)
        rates = running_rate(episodes, wanted, window, view)
        label = f"training: {what}, last {window:,} games"
        axes.plot(numbers, rates[places], own.dashes, color=own.colour, lw=1.5, marker=few, label=label)


def _draw_rounds(axes: Axes, rounds: Sequence[Evaluation], view: View) -> None:
    """Draw what black and white won of the games against itself, as means where there are many rounds."""
    own = [result for result in rounds if result.opponent == SELF]
    if not own:
        return
    ends = means([result.episode for result in own])
    for place, (wanted, what) in enumerate(view.shares_shown):
        shares, style = means([result.tally.share(wanted) for result in own]), of_training(place)
        label = f"training: {what}, against itself"
        axes.plot(ends, shares, style.dashes, color=style.colour, lw=1.5, label=label)


def _draw_evaluations(axes: Axes, evaluations: Sequence[Evaluation]) -> None:
    """Draw the win rates without exploration: a look for each opponent, hollow and dashed as white."""
    for place, (opponent, results) in enumerate(by_opponent(evaluations).items()):
        against = f" against {opponent}" if opponent else ""
        for colour in dict.fromkeys(result.colour for result in results):
            own = [result for result in results if result.colour == colour]
            seat = f" as {colour}" if colour else ""
            _draw_curve(axes, own, look(place), f"evaluation: won{seat}{against}")


def _draw_curve(axes: Axes, results: Sequence[Evaluation], own: Look, label: str) -> None:
    shares = np.array([result.tally.win_rate for result in results])
    low, high = np.array([wilson(result.tally.win_rate, result.tally.games) for result in results]).T
    white = results[0].colour == "white"
    axes.errorbar(
        [result.episode for result in results],
        shares,
        yerr=[shares - low, high - shares],
        fmt=own.marker,
        ls="--" if white else "-",
        mfc="white" if white else own.colour,
        color=own.colour,
        lw=1.2,
        elinewidth=0.8,
        ms=5,
        capsize=2,
        label=label,
    )
