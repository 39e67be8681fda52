"""The ways to a screen: a browser's, and a filter for terminals without UTF-8."""

import codecs

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
