"""The newest numbers of a run's learner, in words."""

from collections.abc import Mapping

from experiment.show.curves import POOL, Curve

_KNOWN: Mapping[str, tuple[str, str]] = {
    "epsilon": ("epsilon", "{:.2f}"),
    "q_mean": ("mean Q", "{:+.2f}"),
    "loss": ("loss", "{:.2g}"),
    "games_per_second": ("games a second", "{:,.0f}"),
    "steps_per_second": ("decisions a second", "{:,.0f}"),
    "updates_per_second": ("updates a second", "{:,.0f}"),
    "updates": ("updates", "{:,.0f}"),
    "steps": ("decisions", "{:,.0f}"),
}
"""Names in metrics.jsonl, the most important first: what to call them, and how to write them."""
_SHOWN_ELSEWHERE = {"time", "seconds", "episode", "win_rate", "score", "black", "white", "drawn"}


def newest(curves: Mapping[str, Curve]) -> dict[str, str]:
    """Return what each number is called, and the number; what has no line here goes by its own name."""
    last = {name: values[-1] for name, (_, values) in curves.items()}
    known = {label: form.format(last[name]) for name, (label, form) in _KNOWN.items() if name in last}
    others = [name for name in last.keys() - _KNOWN.keys() - _SHOWN_ELSEWHERE if not name.startswith(POOL)]
    return known | {name.replace("_", " "): _plain(last[name]) for name in sorted(others)}


def _plain(value: float) -> str:
    """Write a number with four digits, a large one as a whole number: 15,240, never 1.524e+04."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
