"""A picture as SVG within a page: a title for those who do not see it, and no style of its own."""

import re
from typing import Final, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup
from matplotlib.figure import Figure

from othello_lab.experiment.show.plots import as_svg

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


def picture(wide: Figure, phone: Figure, name: str, title: str, says: str) -> Picture:
    """Return a plot that is drawn for both; `name` differs from those of all others on a page."""
    return Picture(inline_svg(wide, name, title, says), inline_svg(phone, f"{name}-phone", title, says))


def inline_svg(figure: Figure, name: str, title: str, says: str) -> Markup:
    """Return a picture as an element of a page; `name` differs from those of all others there.

    The page allows no style but its own, so what stands in `style` becomes attributes, which mean the same:
    W3C, "SVG 2", section 6.6.
    """
    root = ElementTree.fromstring(as_svg(figure))  # noqa: S314  our own
    for part in ("metadata", "defs"):
        _drop_first(root, part)
    for element in root.iter():
        _rename(element, name)
        _spread_style(element)
        element.tag = element.tag.removeprefix(_SVG)  # within HTML names have no namespace
    _set_head(root, name, title, says)
    return Markup(ElementTree.tostring(root, "unicode"))  # noqa: S704  serialised, so escaped


def _drop_first(root: Element, part: str) -> None:
    """Drop what matplotlib writes first: who made it, and a style for all elements."""
    found = root.find(_SVG + part)
    if found is not None and (part == "metadata" or found.find(f"{_SVG}style") is not None):
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
    for part in element.attrib.pop("style", "").split(";"):
        key, _, value = part.partition(":")
        if value and key.strip() != "font-family":  # which is the page's
            element.set(key.strip(), value.strip())


def _set_head(root: Element, name: str, title: str, says: str) -> None:
    for place, (part, text) in enumerate((("title", title), ("desc", says))):
        head = Element(part, {"id": f"{name}-{part}"})
        head.text = text
        root.insert(place, head)
    root.attrib |= {
        "role": "img",
        "aria-labelledby": f"{name}-title",
        "aria-describedby": f"{name}-desc",
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
    }
