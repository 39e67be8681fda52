"""A filter that draws what an output cannot encode with characters that it can."""

from functools import cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

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


class AsciiFilter(LineFilter):
    """Replaces the characters that an encoding lacks, whatever part of the screen they are on."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return a line as wide as before."""
        return [Segment(encodable(text, self._encoding), style, control) for text, style, control in segments]


@cache
def encodable(text: str, encoding: str) -> str:
    """Return a text that the encoding has, as wide as this one."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_alike(character, encoding) for character in text)
    return text


def _alike(character: str, encoding: str) -> str:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return _ALIKE.get(character, "?" * cell_len(character))
    return character
