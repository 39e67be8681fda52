"""A game that somebody watches: its position, with what is pointed out, and who plays.

`board_plots` draws it with matplotlib, `terminal_boards` as text, `report/templates/board.js` in a browser.
"""

from dataclasses import dataclass, field

from game import Board
from game.drawing import Marks


@dataclass(frozen=True)
class Shown:
    """A position of a game that somebody watches."""

    board: Board
    black: str
    """Who plays black; white likewise."""
    white: str
    says: str
    """Whose turn it is, or how the game ended."""
    marks: Marks = field(default_factory=Marks)
    """The last move, what it turned over, and what the player to move says of squares, if it does."""
    moves: str = ""
    """All of them so far."""
    unit: str = ""
    """What the values are."""
