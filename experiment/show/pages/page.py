"""Write a report as one HTML file without external files, and the style of all pages with boards."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from othello_lab.experiment.show.charts import NAMED
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, ink, value_colour
from othello_lab.game.notation import printable
from othello_lab.game.values import is_certain, value_text

_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_WEB: Final = Path(__file__).parent / "web"
_SIGNS: Final = re.compile(r"([,:=/_])(?=\w|\[)")
_SHADES: Final = 20  # the number of the lightest shade of values; the darkest is 0
# The smallest range of the shades, as a share of the largest value, so that similar values look similar.
_LEAST_RANGE: Final = 0.1
_BOARD: Final = {
    "cloth": CLOTH,
    "grid": LINES,
    "black-disc": BLACK,
    "white-disc": WHITE,
    "legal": LEGAL,
    "mark": MARK,
}


class Picture(NamedTuple):
    """A plot as SVG, with a narrow version for phones if the plot is wide."""

    svg: Markup
    phone: Markup | None = None


class Fact(NamedTuple):
    """A number at the top of the page."""

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
    slider: dict[str, Any] | None = None
    """The data for slider.js, with the keys `size` and `slides`. A slide has `label` and `boards`."""


@dataclass(frozen=True)
class Page:
    """A report. The texts may contain any characters, because the page escapes them."""

    title: str
    subtitle: str
    facts: Sequence[Fact]
    sections: Sequence[Section]
    games: Sequence[dict[str, Any]] = ()
    """The games for the viewer, from `viewed_game`."""
    games_say: Sequence[str] = ()


def html_of(page: Page) -> str:
    """Return the text of the HTML file of a page."""
    environment = Environment(
        loader=FileSystemLoader(_WEB),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"breakable": _breakable, "look": _look}
    scripts = ["graph.js", "viewer.js"] * bool(page.games)
    scripts += ["slider.js"] * any(section.slider for section in page.sections)
    style, script = style_of_pages(), "".join(map(web_file, ["board.js", *scripts]))
    html = environment.get_template("page.html").render(
        page=page,
        style=Markup(style),  # noqa: S704  our own
        script=Markup(script),  # noqa: S704  our own
        policy=_policy(style, script),
        maker=f"othello-lab {version('othello-lab')}",
    )
    return printable(html)


def _look(column: Column[Any]) -> str:
    return " ".join(["number"] * column.number + ["wide"] * column.wide)


def _breakable(text: str) -> Markup:
    """Return a text as HTML. A line may end after a sign such as `,` or `:`."""
    return Markup(_SIGNS.sub(r"\1<wbr>", str(escape(text))))  # noqa: S704  escaped


def _policy(style: str, script: str) -> str:
    """Return a content security policy (W3C, level 3, section 2.3.1) for only this style and script."""
    return (
        f"default-src 'none'; style-src {_hashed(style)}; script-src {_hashed(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def inline_svg(svg: bytes, name: str, title: str, says: str) -> Markup:
    """Return an SVG of matplotlib as an element of a page. The `name` must be unique in the page."""
    # The page's policy forbids `style` attributes. An attribute for each entry has the same meaning (W3C,
    # "SVG 2", section 6.6).
    root = ElementTree.fromstring(svg)  # noqa: S314  our own
    for part in root.findall(f"{_SVG}metadata") + root.findall(f"{_SVG}defs")[:1]:
        if part.tag == f"{_SVG}metadata" or part.find(f"{_SVG}style") is not None:
            root.remove(part)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)  # names have no namespace in HTML
        attributes = element.attrib
        if "id" in attributes:
            attributes["id"] = f"{name}-{attributes['id']}"
        if target := attributes.pop(_HREF, ""):
            attributes["href"] = target.replace("#", f"#{name}-", 1)
        if "clip-path" in attributes:
            attributes["clip-path"] = attributes["clip-path"].replace("url(#", f"url(#{name}-")
        for entry in attributes.pop("style", "").split(";"):
            key, _, value = entry.partition(":")
            if value and key.strip() != "font-family":  # the page sets the font
                attributes[key.strip()] = value.strip()
    for place, (tag, text) in enumerate((("title", title), ("desc", says))):
        head = Element(tag, {"id": f"{name}-{tag}"})
        head.text = text
        root.insert(place, head)
    root.attrib |= {
        "role": "img",
        "aria-labelledby": f"{name}-title",
        "aria-describedby": f"{name}-desc",
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
    }
    return Markup(ElementTree.tostring(root, "unicode"))  # noqa: S704  serialised, so escaped


def web_file(name: str) -> str:
    """Return the text of a file in the folder web/."""
    return (_WEB / name).read_text("utf-8")


def style_of_pages() -> str:
    """Return the CSS of every page with boards, for light and dark pages."""
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
    # The colours of plots change on a dark page. The selectors do not name a parent element, because they
    # must also match the copies of `use`. These copies have no such parent (W3C, "SVG 2", section 5.6).
    for part in ("fill", "stroke"):
        rules += [f'[{part}="{colour}"] {{ {part}: var(--{name}); }}' for name, colour in light.items()]
    return "\n".join([*rules, web_file("style.css")])


def _variables(colours: dict[str, str]) -> str:
    return ":root { " + " ".join(f"--{name}: {colour};" for name, colour in colours.items()) + " }"


def shades_of(values: Sequence[float]) -> list[int]:
    """Return the number of the shade of each value.

    Certain results, such as a won game, have the first or the last shade.
    """
    unsure = [value for value in values if not is_certain(value)] or [0.0]
    low, high = min(unsure), max(unsure)
    reach = max(high - low, _LEAST_RANGE * max(-low, high), 1e-9)
    begin = (low + high) / 2 - reach / 2
    return [round(_SHADES * min(1.0, max(0.0, (value - begin) / reach))) for value in values]


def shaded(values: Sequence[float]) -> list[tuple[str, int]]:
    """Return the text and the shade of each value, as board.js needs them."""
    return list(zip(map(value_text, values), shades_of(values), strict=True))
