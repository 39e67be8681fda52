"""Drawing the small plots of a run."""

from collections.abc import Mapping

from matplotlib.axes import Axes

from experiment.display.curves import Curve, means
from experiment.display.palette import entitle, look
from experiment.display.panels import Panel

_FEW = 20
"""So few points of a curve are marked each."""


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
