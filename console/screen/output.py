"""The ways to a screen: a browser's, and a filter for terminals without UTF-8."""

from functools import cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.drivers.web_driver import WebDriver
from textual.filter import LineFilter
from textual.messages import ExitApp


class BrowserDriver(WebDriver):
    """Draws for the server of a browser; the program ends with that server, however it ends."""

    def run_input_thread(self) -> None:
        """Hand on what comes from the server, and end the program when nothing more will come."""
        super().run_input_thread()
        self._app.post_message(ExitApp())


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
