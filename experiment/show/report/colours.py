"""The colours of pages as CSS: those of boards, of what squares are worth, and of plots in light and dark."""

from collections.abc import Iterable, Iterator
from typing import Final

from experiment.show.board_plots import scale_of
from experiment.show.palette import NAMED
from game.colours import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, ink, worth

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


def shades_of(values: Iterable[float]) -> list[int]:
    """Return a shade for each, the least 0 and the greatest STEPS; see `boards.scale_of`."""
    every = list(values)
    scale = scale_of(every)
    return [round(STEPS * float(scale(value))) for value in every]


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
        colour = worth(step / STEPS)
        yield f".shade-{step} {{ fill: {colour}; }}"
        yield f".board .on-shade-{step} {{ fill: {ink(colour)}; font-size: .26px; }}"


def _plots() -> Iterator[str]:
    """Yield the rules that give what is drawn in a colour that colour's shade on this page.

    They name no element around it: what is drawn again by `use` is in none (W3C, "SVG 2", section 5.6).
    """
    for part in ("fill", "stroke"):
        for name, shade in NAMED.items():
            yield f'[{part}="{shade.light}"] {{ {part}: var(--{name}); }}'
