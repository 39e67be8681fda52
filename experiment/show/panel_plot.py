"""Drawing the small plots of a run."""

from collections.abc import Mapping

from matplotlib.axes import Axes

from experiment.show.curves import Curve, means
from experiment.show.names import wrapped
from experiment.show.palette import look, of_training
from experiment.show.panels import Panel
from experiment.show.titles import entitle

_FEW = 20
"""So few points of a curve are marked each."""


def draw_panel(axes: Axes, panel: Panel, curves: Mapping[str, Curve]) -> None:
    """Draw those of its curves that there are; at least one."""
    shown = [(name, label) for name, label in panel.lines.items() if name in curves]
    for place, (name, label) in enumerate(shown):
        episodes, values = (means(column) for column in curves[name])
        own = look(place) if panel.of_opponents else of_training(place)
        marker = own.marker if len(values) <= _FEW else ""
        (line,) = axes.plot(
            episodes, values, own.dashes, color=own.colour, lw=1.2, label=wrapped(label, most=2)
        )
        line.set(marker=marker, markersize=3)
    entitle(axes, panel.title, panel.says)
    axes.set_ylabel(panel.axis, fontsize=8)
    axes.set_xlabel("training games", fontsize=8)
    if panel.from_zero:
        axes.set_ylim(0, 1.08 * max(max(curves[name][1]) for name, _ in shown) or 1)
    if any(label for _, label in shown):
        axes.legend(frameon=False, fontsize=7.5, loc="upper left", bbox_to_anchor=(1, 1.05), handlelength=1.6)
    axes.tick_params(labelsize=8)
