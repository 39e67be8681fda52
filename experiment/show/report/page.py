"""A report as a page of HTML: one file, from which no request leaves."""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from othello_lab.experiment.show.board_pictures import scale_of
from othello_lab.experiment.show.report.inline_svg import Picture
from othello_lab.experiment.show.report.style import STEPS, TEMPLATES, part, style_of_pages
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.game.notation import printable

_SIGNS: Final = re.compile(r"([,:=/_])(?=\w|\[)")


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
