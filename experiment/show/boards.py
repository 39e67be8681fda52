"""Boards: a position and what is pointed out on it is described once, for pictures, pages and terminals.

`board_plots` draws it with matplotlib, `terminal_boards` as text, `report/templates/board.js` in a browser.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from game import Board, Game, Squares
from game.drawing import turned


@dataclass(frozen=True)
class Marks:
    """What is pointed out on a board."""

    last: int | None = None
    """The last move: a dot on its disc."""
    turned: Squares = field(default_factory=lambda: Squares(0))
    """The discs that it turned over: a ring on each."""
    legal: bool = False
    """Whether to show where the side to move may move: a small ring on each square."""
    values: Mapping[int, float] = field(default_factory=dict)
    """What squares are worth, more is better: a colour and a number on each."""
    chosen: int | None = None
    """A square with a frame: the move that is made from here."""

    @staticmethod
    def of(game: Game, legal: bool = False) -> "Marks":
        """Return the marks of what the last move of a game did, if there was one."""
        if not game.moves:
            return Marks(legal=legal)
        return Marks(game.moves[-1], turned(game.boards[-2], game.board), legal)


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
