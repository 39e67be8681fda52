"""The colours of plots, on white, on a dark page and in a terminal: one meaning a colour.

What training itself tells is black and grey. What is measured or compared has the colours of `look`, in their
order. Those of boards are in `game.colours`.
"""

from collections.abc import Sized
from typing import Final, NamedTuple


class Shade(NamedTuple):
    """One colour, as it is seen everywhere."""

    light: str
    """On white, and in pictures."""
    dark: str
    """On a dark page."""
    terminal: str
    """One of a terminal's own, which suit its background; "" is that of its writing."""


BLACK, GREY, SOFT = "#000000", "#757575", "#555555"
"""Writing and edges, marks to compare with, and small print; each is the light one of a shade below."""
GREYS: Final = ("#303030", "#8c8c8c", "#dddddd", "#f4f4f4")
"""Of parts of a whole, where the colours beside them mean other things, and of squares without a number."""
WRITING: Final = (Shade(BLACK, "#e9edea", ""), Shade(SOFT, "#aab5af", "dim"))
TRAINING: Final = (Shade(BLACK, "#e9edea", ""), Shade(GREY, "#a8a8a8", "dim"))
SERIES: Final = (
    Shade("#0072b2", "#4ba3e3", "bright_blue"),
    Shade("#d55e00", "#f08a4b", "bright_red"),
    Shade("#009e73", "#2fc79a", "green"),
    Shade("#cc79a7", "#dd9cc2", "magenta"),
    Shade("#e69f00", "#e6b84d", "yellow"),
    Shade("#56b4e9", "#a5d8f5", "cyan"),
)
"""Of Okabe and Ito, "Color universal design", 2008; their yellow is too pale for a line."""
NAMED: Final = {
    f"{kind}-{place}": shade
    for kind, shades in (("writing", WRITING), ("training", TRAINING), ("series", SERIES))
    for place, shade in enumerate(shades)
}
"""All of them, such as `series-0`."""
DASHES: Final = ("-", "--", ":", "-.")
_MARKERS: Final = "os^DvPX*"
"""When the colours are used up, they come again with other markers and dashes."""


class Look(NamedTuple):
    """Of one curve."""

    shade: str
    """One of NAMED, or a colour of GREYS."""
    marker: str
    dashes: str
    hollow: bool = False
    """Whether markers and bars are white within."""

    @property
    def colour(self) -> str:
        """The colour in pictures."""
        return NAMED[self.shade].light if self.shade in NAMED else self.shade

    @property
    def face(self) -> str:
        """The colour of what is filled."""
        return "white" if self.hollow else self.colour


def look(place: int) -> Look:
    """Return the look of a curve by its place among the curves; the first 24 differ in all they have."""
    return Look(
        f"series-{place % len(SERIES)}",
        _MARKERS[place % len(_MARKERS)],
        DASHES[place // len(SERIES) % len(DASHES)],
    )


def of_training(place: int) -> Look:
    """Return the look of a curve that training itself tells, by its place among these."""
    return Look(f"training-{min(place, 1)}", _MARKERS[place % len(_MARKERS)], DASHES[place % len(DASHES)])


def has_bands(curves: Sized) -> bool:
    """Tell whether there is one of each colour at most: bands around more curves are a fog."""
    return len(curves) <= len(SERIES)
