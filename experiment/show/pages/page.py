"""Write a report as one self-contained HTML file, and define the style of pages with boards."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from othello_lab.experiment.show.charts import NAMED
from othello_lab.experiment.show.tables import Table
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, ink, value_colour
from othello_lab.game.notation import printable
from othello_lab.game.values import is_certain, value_text

_WEB: Final = Path(__file__).parent / "web"
_SIGNS: Final = re.compile(r"([,:=/_])(?=\w|\[)")
_SHADES: Final = 20  # index of the lightest shade of values; the index of the darkest shade is 0
_LEAST_RANGE: Final = 0.1  # minimum value range of the shades, as a share of the largest absolute value
_BOARD: Final = {
    "cloth": CLOTH,
    "grid": LINES,
    "black-disc": BLACK,
    "white-disc": WHITE,
    "legal": LEGAL,
    "mark": MARK,
}


class Picture(NamedTuple):
    """A plot. A wide plot fills a row of the page, and scrolls horizontally on a phone."""

    url: str  # The data URL of an SVG file.
    says: str  # The alternative text for screen readers.
    wide: bool


class Fact(NamedTuple):
    """A key figure at the top of the page."""

    name: str
    value: str
    says: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a page, with a heading."""

    title: str
    says: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True)
class Page:
    """A report. `html_of` escapes all texts."""

    title: str
    subtitle: str
    facts: Sequence[Fact]
    sections: Sequence[Section]
    games: Sequence[dict[str, Any]] = ()  # The games for the viewer, from `viewed_games`.
    games_say: Sequence[str] = ()


def html_of(page: Page) -> str:
    """Render a page as the text of an HTML file."""
    environment = Environment(
        loader=FileSystemLoader(_WEB), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters |= {"breakable": _breakable, "hashed": _hashed}
    scripts = ["board.js", "graph.js", "viewer.js"] if page.games else []
    style, script = style_of_pages(), "".join(map(web_file, scripts))
    html = environment.get_template("page.html").render(
        page=page,
        style=Markup(style),  # noqa: S704  our own
        script=Markup(script),  # noqa: S704  our own
        maker=f"othello-lab {version('othello-lab')}",
    )
    return printable(html)


def _breakable(text: str) -> Markup:
    """Return a text as HTML. A line may break after a sign such as `,` or `:`."""
    return Markup(_SIGNS.sub(r"\1<wbr>", str(escape(text))))  # noqa: S704  escaped


def _hashed(text: str) -> str:
    """Return a content-security-policy source that allows this text (W3C, level 3, section 2.3.1)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def web_file(name: str) -> str:
    """Return the text of a file in the folder web/."""
    return (_WEB / name).read_text("utf-8")


def style_of_pages() -> str:
    """Return the CSS of pages with boards, for the light and the dark colour scheme."""
    light = {name: shade.light for name, shade in NAMED.items()}
    dark = {name: shade.dark for name, shade in NAMED.items()}
    rules = [
        _variables({**_BOARD, **light}),
        f"@media (prefers-color-scheme: dark) {{ {_variables(dark)} }}",
        *(f".{name} {{ --curve: var(--{name}); }}" for name in NAMED),
    ]
    for step in range(_SHADES + 1):
        colour = value_colour(step / _SHADES)
        rules.append(f".shade-{step} {{ fill: {colour}; }}")
        rules.append(f".board .on-shade-{step} {{ fill: {ink(colour)}; font-size: .26px; }}")
    return "\n".join([*rules, web_file("style.css")])


def _variables(colours: dict[str, str]) -> str:
    return ":root { " + " ".join(f"--{name}: {colour};" for name, colour in colours.items()) + " }"


def shaded(values: Sequence[float]) -> list[tuple[str, int]]:
    """Return the text and shade index of each value for board.js. A certain win or loss has an end shade."""
    unsure = [value for value in values if not is_certain(value)] or [0.0]
    low, high = min(unsure), max(unsure)
    reach = max(high - low, _LEAST_RANGE * max(-low, high), 1e-9)
    begin = (low + high) / 2 - reach / 2
    shares = ((value - begin) / reach for value in values)
    shades = [round(_SHADES * min(1.0, max(0.0, share))) for share in shares]
    return list(zip(map(value_text, values), shades, strict=True))
