"""Numbers in words, as reports and messages have them."""

_SPACE = "\u00a0"
"""One at which no line is broken."""


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a percentage."""
    return f"{100 * share:.1f}{_SPACE}%"


def between(low: float, high: float) -> str:
    """Return an interval of shares as percentages."""
    return f"{100 * low:.1f} to {100 * high:.1f}{_SPACE}%"


def score_text(low: float, high: float) -> str:
    """Return an interval of scores, 0 to 1."""
    return f"{low:.3f} to {high:.3f}"


def plural(count: int, what: str) -> str:
    """Return a count with what is counted: `1 game`, `2 games`."""
    return f"{count:,} {what}{'s' * (count != 1)}"
