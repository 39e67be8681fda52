"""A report as a page of HTML: one file, from which no request leaves."""

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

from experiment.show.report.colours import style_of_colours
from experiment.show.tables import Column, Table
from game.printable import printable

_SIGNS: Final = re.compile(r"([,:=/_])(?=\w|\[)")
_TEMPLATES: Final = Path(__file__).parent / "templates"


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


@dataclass(frozen=True)
class Page:
    """A report. All of its texts may hold anything: they are escaped."""

    title: str
    subtitle: str
    facts: Sequence[Fact]
    sections: Sequence[Section]
    games: Sequence[dict[str, Any]] = ()
    """Games to step through; see `viewed.viewed_game`."""
    games_say: Sequence[str] = ()


def html_of(page: Page) -> str:
    """Return a page as the text of one HTML file."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"breakable": _breakable, "look": _look}
    style, script = style_of_pages(), board_script() + _part("viewer.js")
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


def style_of_pages() -> str:
    """Return the CSS of every page with tables and boards."""
    return style_of_colours() + _part("style.css")


def board_script() -> str:
    """Return what draws a board on a page: JavaScript that makes `drawing`."""
    return _part("board.js")


def _part(name: str) -> str:
    return (_TEMPLATES / name).read_text("utf-8")


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
