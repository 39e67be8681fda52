"""Numbers in words, as reports and messages have them."""

from collections.abc import Sequence

_SPACE = "\u00a0"
"""One at which no line is broken."""


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a percentage."""
    return f"{100 * share:.1f}{_SPACE}%"


def between(low: float, high: float) -> str:
    """Return an interval of shares as percentages."""
    return f"{100 * low:.1f} to {100 * high:.1f}{_SPACE}%"


def share(value: float, digits: int = 2) -> str:
    """Return a share, such as .95 or 1.00."""
    return f"{value:.{digits}f}".removeprefix("0")


def begun_from(openings: Sequence[str]) -> str:
    """Return where games began, which are transcripts: `20 openings`, or `the standard start`."""
    return plural(len(openings), "opening") if any(openings) else "the standard start"


def plural(count: int, what: str) -> str:
    """Return a count with what is counted: `1 game`, `2 games`."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def ordinal(number: int) -> str:
    """Return a place, such as `1st`, `2nd`, `11th`."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if 10 < number % 100 < 14 else ends.get(number % 10, 'th')}"
