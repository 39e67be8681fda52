"""The small plots of a run: what the learner says of itself, and how fast it goes."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

POOL = "pool "
"""What the numbers of training opponents begin with in metrics.jsonl."""


class Panel(NamedTuple):
    """A small plot of numbers in metrics.jsonl."""

    title: str
    says: str
    """What it shows, and what is good."""
    axis: str
    lines: Mapping[str, str]
    """Names of numbers, and what to call each if there are several."""
    from_zero: bool = True

    @property
    def of_opponents(self) -> bool:
        """Whether each line is an opponent, which has a colour of its own; others are of training itself."""
        return any(name.startswith(POOL) for name in self.lines)


PANELS = (
    Panel("Loss", "error of the predicted values; good: small, no jumps", "error", {"loss": ""}),
    Panel(
        "Mean Q",
        "the return that it expects, -1 lost to 1 won; good: rises as it wins, stays below 1",
        "expected return",
        {"q_mean": ""},
        from_zero=False,
    ),
    Panel(
        "Target gap",
        "from its values to those it learns towards; good: small beside 1",
        "difference of Q",
        {"target_gap": ""},
    ),
    Panel(
        "Q of legal and illegal squares",
        "illegal squares are never learned: only the legal curve means anything",
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


def pool_panels(names: Iterable[str]) -> list[Panel]:
    """Return the panel of the players that batched self-play trains against, none where there are none.

    `names` are those of all numbers that there are.
    """
    lines = {name: name.removeprefix(POOL) for name in names if name.startswith(POOL)}
    says = "won and half of the drawn training games against each, explored moves among them; good: up"
    return [Panel("Training opponents", says, "share of games", lines)] if lines else []
