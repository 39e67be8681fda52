"""The small plots of a run: what the learner says of itself, and how fast it goes."""

from collections.abc import Mapping
from typing import NamedTuple

from matplotlib.axes import Axes

from experiment.display.curves import Curve, means
from experiment.display.palette import entitle, look

POOL = "pool "
"""What the numbers of training opponents begin with in metrics.jsonl."""
_FEW = 20
"""So few points of a curve are marked each."""


class Panel(NamedTuple):
    """A small plot of numbers in metrics.jsonl."""

    title: str
    says: str
    """What it shows, and what is good."""
    axis: str
    lines: Mapping[str, str]
    """Names of numbers, and what to call each if there are several."""
    from_zero: bool = True


PANELS = (
    Panel("Loss", "error of the predicted values; good: small, no jumps", "error", {"loss": ""}),
    Panel(
        "Mean Q",
        "the return that it expects, -1 lost to 1 won;\ngood: rises as it wins, stays below 1",
        "expected return",
        {"q_mean": ""},
        from_zero=False,
    ),
    Panel(
        "Target gap",
        "from its values to those it learns towards;\ngood: small beside 1",
        "difference of Q",
        {"target_gap": ""},
    ),
    Panel(
        "Q of legal and illegal squares",
        "illegal squares are never learned: only\nthe legal curve means anything",
        "expected return",
        {"q_legal": "legal", "q_illegal": "illegal"},
        from_zero=False,
    ),
    Panel(
        "Epsilon", "share of training moves at random; falls as planned", "share of moves", {"epsilon": ""}
    ),
    Panel(
        "Speed",
        "of training; good: even (low where a run begins)",
        "a second",
        {"steps_per_second": "decisions", "updates_per_second": "updates"},
    ),
)
OF_UPDATES = {name for panel in PANELS for name in panel.lines} - {"epsilon"}
"""Before the first update there is nothing to say of these."""


def pool_panels(curves: Mapping[str, Curve]) -> list[Panel]:
    """Return the panel of the players that batched self-play trains against, none where there are none."""
    lines = {name: name.removeprefix(POOL) for name in curves if name.startswith(POOL)}
    says = "won and half of the drawn training games\nagainst each, explored moves among them; good: up"
    return [Panel("Training opponents", says, "share of games", lines)] if lines else []


def draw_panel(axes: Axes, panel: Panel, curves: Mapping[str, Curve]) -> None:
    """Draw those of its curves that there are; at least one."""
    shown = [(name, label) for name, label in panel.lines.items() if name in curves]
    for place, (name, label) in enumerate(shown):
        episodes, values = (means(column) for column in curves[name])
        own = look(1 - place)
        marker = own.marker if len(values) <= _FEW else ""
        style = "--" if place else "-"
        axes.plot(episodes, values, style, color=own.colour, lw=1.2, marker=marker, ms=3, label=label)
    entitle(axes, panel.title, panel.says)
    axes.set_ylabel(panel.axis, fontsize=8)
    axes.set_xlabel("training games", fontsize=8)
    if panel.from_zero:
        axes.set_ylim(0, 1.08 * max(max(curves[name][1]) for name, _ in shown) or 1)
    if any(label for _, label in shown):
        axes.legend(frameon=False, fontsize=8)
    axes.tick_params(labelsize=8)
