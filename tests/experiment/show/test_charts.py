from itertools import pairwise
from pathlib import Path

import pytest

from othello_lab.experiment.show.charts import NAMED, Shade, bar_bounds, bar_width
from othello_lab.experiment.show.wording import wrapped
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, WHITE, channels, ink

ROOT = Path(__file__).parents[3]
DARK_PAGE = "#161a18"


def light(colour: str) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    shares = [channel / 255 for channel in channels(colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((light(one), light(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("shade", NAMED.values())
def test_a_colour_is_seen_on_pages_in_the_dark(shade: Shade) -> None:
    assert contrast(shade.dark, DARK_PAGE) > 4.5


@pytest.mark.parametrize("colour", ["#00224e", "#fee838", "#7d7c78"])
def test_writing_is_seen_on_every_colour(colour: str) -> None:
    assert contrast(colour, ink(colour)) > 4.5


def test_discs_and_marks_are_seen_on_the_cloth() -> None:
    assert min(contrast(colour, CLOTH) for colour in (BLACK, WHITE, LEGAL)) > 3


@pytest.mark.parametrize("squares", [16, 36, 64, 100, 256])
@pytest.mark.parametrize("bars", [24, 65])
def test_0_lies_in_the_middle_of_a_bar_and_each_has_as_many_even_numbers(squares: int, bars: int) -> None:
    width = bar_width(2 * squares + 1, bars)
    bounds = bar_bounds(squares, width)
    assert bounds[0] < -squares
    assert bounds[-1] > squares
    assert 0 in (bounds[1:] + bounds[:-1]) / 2
    held = [sum(low < n < high for n in range(-1000, 1000, 2)) for low, high in pairwise(bounds)]
    assert held == [width // 2] * len(held)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("training: won or drawn, last 1,000 games", ["training: won or drawn, last 1,000 games"]),
        ("one-" * 11, ["one-" * 10, "one-"]),
        ("x" * 200, ["x" * 40, "x" * 19 + "…" + "x" * 20, "x" * 40]),
    ],
)
def test_a_long_name_has_several_lines(name: str, lines: list[str]) -> None:
    assert wrapped(name).split("\n") == lines
