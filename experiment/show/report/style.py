"""The style of every page with boards, plots and tables, and what draws a board there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from othello_lab.experiment.show.charts import NAMED
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, ink, value_colour

TEMPLATES: Final = Path(__file__).parent / "templates"
STEPS: Final = 20
"""Shades are 0, the darkest, for the least, to STEPS."""
_BOARD: Final = {
    "cloth": CLOTH,
    "grid": LINES,
    "black-disc": BLACK,
    "white-disc": WHITE,
    "legal": LEGAL,
    "mark": MARK,
}


def style_of_pages() -> str:
    """Return the CSS of every page with tables and boards."""
    return style_of_colours() + part("style.css")


def part(name: str) -> str:
    """Return the text of a template: board.js makes `drawing`, which draws boards, graph.js makes `graph`."""
    return (TEMPLATES / name).read_text("utf-8")


def style_of_colours() -> str:
    """Return the CSS: variables, the shades of squares, and plots that follow the page into the dark."""
    light = {name: shade.light for name, shade in NAMED.items()}
    dark = {name: shade.dark for name, shade in NAMED.items()}
    return "\n".join(
        [
            _variables({**_BOARD, **light}),
            f"@media (prefers-color-scheme: dark) {{ {_variables(dark)} }}",
            *(f".{name} {{ --curve: var(--{name}); }}" for name in NAMED),
            *_squares(),
            *_plots(),
            "",
        ]
    )


def _variables(colours: dict[str, str]) -> str:
    return ":root { " + " ".join(f"--{name}: {colour};" for name, colour in colours.items()) + " }"


def _squares() -> Iterator[str]:
    """Yield the rules of squares in a shade, and of what is written on them."""
    for step in range(STEPS + 1):
        colour = value_colour(step / STEPS)
        yield f".shade-{step} {{ fill: {colour}; }}"
        yield f".board .on-shade-{step} {{ fill: {ink(colour)}; font-size: .26px; }}"


def _plots() -> Iterator[str]:
    """Yield the rules that give what is drawn in a colour that colour's shade on this page.

    They name no element around it: what is drawn again by `use` is in none (W3C, "SVG 2", section 5.6).
    """
    for part in ("fill", "stroke"):
        for name, shade in NAMED.items():
            yield f'[{part}="{shade.light}"] {{ {part}: var(--{name}); }}'
