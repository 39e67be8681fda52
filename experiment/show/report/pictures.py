"""A plot on a page: one for wide windows, and one for phones."""

from typing import Final

from matplotlib.figure import Figure

from experiment.show.report.inline_svg import inline_svg
from experiment.show.report.page import Picture

WIDE: Final = 8.6
PHONE: Final = 4.2
"""Inches: on a phone letters are nearly as large as those of the page."""


def picture(wide: Figure, phone: Figure, name: str, title: str, says: str) -> Picture:
    """Return a plot that is drawn for both; `name` differs from those of all others on a page."""
    return Picture(inline_svg(wide, name, title, says), inline_svg(phone, f"{name}-phone", title, says))
