"""A report as a page of HTML: one file, from which no request leaves, with its plots as SVG."""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from matplotlib.figure import Figure

from othello_lab.experiment.show.board_pictures import scale_of
from othello_lab.experiment.show.plots import as_svg
from othello_lab.experiment.show.report.style import STEPS, TEMPLATES, part, style_of_pages
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.game.notation import printable

_SIGNS: Final = re.compile(r"([,:=/_])(?=\w|\[)")
_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_REFERENCE: Final = re.compile(r"url\(#")
WIDE: Final = 8.6
PHONE: Final = 4.2
"""Inches: on a phone letters are nearly as large as those of the page."""


class Picture(NamedTuple):
    """A plot."""

    svg: Markup
    phone: Markup | None = None
    """What stands in its place in a narrow window; None for a small one, that is narrow enough everywhere."""


class Fact(NamedTuple):
    """A number that the page begins with."""

    name: str
    value: str
    says: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading."""

    title: str
    says: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()


class Slide(NamedTuple):
    """Boards side by side, for one place of a slider."""

    label: str
    boards: Sequence[dict[str, Any]]
    """Each with `title` and `says`, `squares` and for each of these in `values` its text and its shade."""


class Slider(NamedTuple):
    """Boards that a slider leads through; it needs JavaScript of the page."""

    title: str
    says: str
    size: int
    """Of the boards."""
    slides: Sequence[Slide]

    @property
    def data(self) -> dict[str, Any]:
        """What the page draws."""
        return {"size": self.size, "slides": [slide._asdict() for slide in self.slides]}


@dataclass(frozen=True)
class Page:
    """A report. All of its texts may hold anything: they are escaped."""

    title: str
    subtitle: str
    facts: Sequence[Fact]
    sections: Sequence[Section]
    games: Sequence[dict[str, Any]] = ()
    """Games to step through; see `games.viewed_game`."""
    games_say: Sequence[str] = ()
    sliders: Sequence[Slider] = ()


def html_of(page: Page) -> str:
    """Return a page as the text of one HTML file."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"breakable": _breakable, "look": _look}
    parts = ["graph.js", "viewer.js"] * bool(page.games) + ["slider.js"] * bool(page.sliders)
    style, script = style_of_pages(), "".join(map(part, ["board.js", *parts]))
    html = environment.get_template("page.html").render(
        page=page,
        style=Markup(style),  # noqa: S704  our own
        script=Markup(script),  # noqa: S704  our own
        policy=_policy(style, script),
        made=f"othello-lab {version('othello-lab')}",
    )
    return printable(html)


def _look(column: Column[Any]) -> str:
    """Return the classes of the cells in a column."""
    return " ".join(["number"] * column.number + ["wide"] * column.wide)


def _breakable(text: str) -> Markup:
    """Return a text that may be broken behind the signs that names of players have."""
    return Markup(_SIGNS.sub(r"\1<wbr>", str(escape(text))))  # noqa: S704  escaped


def _policy(style: str, script: str) -> str:
    """Return what the page may do: use its own style and script, and nothing from anywhere.

    W3C, "Content Security Policy Level 3", sections 2.3.1 and 6.1.
    """
    return (
        f"default-src 'none'; style-src {_hashed(style)}; script-src {_hashed(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def shades_of(values: Iterable[float]) -> list[int]:
    """Return a shade for each, the least 0 and the greatest STEPS; see `scale_of`."""
    every = list(values)
    scale = scale_of(every)
    return [round(STEPS * float(scale(value))) for value in every]


def picture(wide: Figure, phone: Figure, name: str, title: str, says: str) -> Picture:
    """Return a plot that is drawn for both; `name` differs from those of all others on a page."""
    return Picture(inline_svg(wide, name, title, says), inline_svg(phone, f"{name}-phone", title, says))


def inline_svg(figure: Figure, name: str, title: str, says: str) -> Markup:
    """Return a picture as an element of a page; `name` differs from those of all others there.

    The page allows no style but its own, so what stands in `style` becomes attributes, which mean the same:
    W3C, "SVG 2", section 6.6.
    """
    root = ElementTree.fromstring(as_svg(figure))  # noqa: S314  our own
    for tag in ("metadata", "defs"):
        _drop_first(root, tag)
    for element in root.iter():
        _rename(element, name)
        _spread_style(element)
        element.tag = element.tag.removeprefix(_SVG)  # within HTML names have no namespace
    _set_head(root, name, title, says)
    return Markup(ElementTree.tostring(root, "unicode"))  # noqa: S704  serialised, so escaped


def _drop_first(root: Element, tag: str) -> None:
    """Drop what matplotlib writes first: who made it, and a style for all elements."""
    found = root.find(_SVG + tag)
    if found is not None and (tag == "metadata" or found.find(f"{_SVG}style") is not None):
        root.remove(found)


def _rename(element: Element, name: str) -> None:
    """Put the name before what the element is called and before what it refers to."""
    if "id" in element.attrib:
        element.set("id", f"{name}-{element.get('id')}")
    if target := element.attrib.pop(_HREF, ""):
        element.set("href", f"#{name}-{target[1:]}" if target.startswith("#") else target)
    if "clip-path" in element.attrib:
        element.set("clip-path", _REFERENCE.sub(f"url(#{name}-", element.attrib["clip-path"]))


def _spread_style(element: Element) -> None:
    for entry in element.attrib.pop("style", "").split(";"):
        key, _, value = entry.partition(":")
        if value and key.strip() != "font-family":  # which is the page's
            element.set(key.strip(), value.strip())


def _set_head(root: Element, name: str, title: str, says: str) -> None:
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
