"""Colours: in one place, each the same everywhere, and seen."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from othello_lab.experiment.show.charts import NAMED, Shade, look
from othello_lab.experiment.show.report.style import style_of_colours
from othello_lab.game.colours import BLACK, CLOTH, LEGAL, WHITE, channels

ROOT = Path(__file__).parents[3]
PLACES = {Path("game/colours.py"), Path("experiment/show/charts.py")}
DARK_PAGE = "#161a18"


def light(colour: str) -> float:
    """Return the relative luminance, WCAG 2.2."""
    shares = [channel / 255 for channel in channels(colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((light(one), light(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_no_picture_has_a_colour_of_its_own() -> None:
    files = [path for name in ("experiment", "game") for path in (ROOT / name).rglob("*.py")]
    own = [path for path in files if re.search(r'"#[0-9a-fA-F]{6}"', path.read_text("utf-8"))]
    assert {path.relative_to(ROOT) for path in own} == PLACES


def test_pages_have_the_colours_of_pictures() -> None:
    style = style_of_colours()
    for name, shade in NAMED.items():
        assert f"--{name}: {shade.light};" in style
        assert f"--{name}: {shade.dark};" in style
        assert f'[stroke="{shade.light}"] {{ stroke: var(--{name}); }}' in style
    assert f"--cloth: {CLOTH};" in style


@pytest.mark.parametrize("shade", NAMED.values())
def test_a_colour_is_seen_on_pages_in_the_dark(shade: Shade) -> None:
    assert contrast(shade.dark, DARK_PAGE) > 4.5


def test_discs_and_marks_are_seen_on_the_cloth() -> None:
    assert min(contrast(colour, CLOTH) for colour in (BLACK, WHITE, LEGAL)) > 3


def test_24_curves_differ() -> None:
    looks = [look(place) for place in range(24)]
    assert all(one != other for one, other in combinations(looks, 2))
