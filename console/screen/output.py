"""Other places for the screen than a terminal with UTF-8: a terminal without it, a picture."""

import codecs
import re
from itertools import count

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from othello_lab.console.screen.squares import BLOCKS, points

_ALIKE = {
    **dict.fromkeys("─━═╌╍▔▁▂▃", "-"),
    **dict.fromkeys("│┃║▏▕▎▍▌▐", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛", "+"),
    **dict.fromkeys("█▄▀▅▆▇", "#"),
    "▼": "v",
    "▲": "^",
    "…": ".",
    "•": "*",
    "●": "*",
}
_ERRORS = "othello.alike"
"""What Python calls the way to encode with `_alike`."""


class AsciiFilter(LineFilter):
    """Replaces the characters that an encoding lacks, whatever part of the screen they are on."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return a line as wide as before."""
        return [Segment(self._encodable(text), style, control) for text, style, control in segments]

    def _encodable(self, text: str) -> str:
        return text.encode(self._encoding, _ERRORS).decode(self._encoding)


def _alike(error: UnicodeError) -> tuple[str, int]:
    """Return characters that any encoding has, as wide as those that one lacks, and where to go on."""
    assert isinstance(error, UnicodeEncodeError)  # noqa: S101  nothing is decoded that was not encoded here
    missing = error.object[error.start : error.end]
    return "".join(_ALIKE.get(character, "?" * cell_len(character)) for character in missing), error.end


codecs.register_error(_ERRORS, _alike)

_WIDTH, _HEIGHT = 12.2, 24.4
"""Of a character in the picture that textual draws, in its own units."""
_BASELINE = 20.0
_FACES = re.compile(r"@font-face \{.*?\}", re.DOTALL)
_BLOCKS = re.compile(
    rf'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([{"".join(BLOCKS[1:])}]+)</text>'
)


def drawn_alike(picture: str) -> str:
    """Return a picture that needs no font from elsewhere, with the block characters as rectangles.

    Fonts differ in how such characters meet their neighbours.
    """
    return _BLOCKS.sub(_as_rectangles, _FACES.sub("", picture)).replace("Fira Code, monospace", "monospace")


def _as_rectangles(text: re.Match[str]) -> str:
    style, left, top, blocks = text[1], float(text[2]), float(text[3]) - _BASELINE + 1.5, text[4]
    rectangles = []
    for x, block in zip(count(left, _WIDTH), blocks, strict=False):
        for right, down in points(block):
            place = f'x="{x + right * _WIDTH / 2:.2f}" y="{top + down * _HEIGHT / 2:.2f}"'
            extent = f'width="{_WIDTH / 2 + 0.1:.2f}" height="{_HEIGHT / 2 + 0.1:.2f}"'
            rectangles.append(f'<rect class="{style}" {place} {extent} shape-rendering="crispEdges"/>')
    return "".join(rectangles)
