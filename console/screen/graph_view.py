"""The evaluation of a game on the screen, as lines of characters; a click goes to a move."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

from othello_lab.console.reviewing import MARGIN, ROWS, graph_lines, plies_a_column
from othello_lab.game.review import Point

_TALL = 34
"""Rows of a screen that has room for a graph of full height."""
_LOW = 22
"""Rows of one that has room for a low one."""


class GraphView(Static):
    """The graph of a game, with the move marked that is looked at."""

    DEFAULT_CSS = "GraphView { height: auto; margin-bottom: 1; display: none; }"

    @dataclass
    class Chosen(Message):
        """A move was clicked: the number of moves before it, about."""

        ply: int

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._plies = 1

    def show(self, points: Sequence[Point], ply: int, width: int) -> None:
        """Draw points in discs, this many characters wide; none where the screen is too small."""
        rows = ROWS if self.screen.size.height >= _TALL else ROWS // 2
        columns = width - MARGIN
        self.display = bool(points) and self.screen.size.height >= _LOW and columns > 0
        if self.display:
            self._plies = plies_a_column(points, columns)
            lines = graph_lines(points, self._plies, rows)
            self.update(Text("\n").join(self._line(line, ply) for line in lines))

    def _line(self, line: str, ply: int) -> Text:
        at = MARGIN + ply // self._plies
        text = Text(line.ljust(at + 1))
        text.stylize("reverse", at, at + 1)
        return text

    def on_click(self, event: events.Click) -> None:
        """Tell which move was clicked."""
        if event.x >= MARGIN:
            self.post_message(self.Chosen((event.x - MARGIN) * self._plies))
