"""The start of a game as text: `standard`, the moves from there, or a position."""

from game.board import Board, check_size
from game.cells import is_cells
from game.game import Game
from game.notation import NotationError, brief, names_a_square

STANDARD = "standard"
"""The standard start; an empty text and `start` mean it too."""
_SHORTEST = 16
"""Characters of a position, on 4x4: `b1` is a move."""


def parse_start(text: str, size: int) -> Game:
    """Read `standard`, a transcript (`d3c5...`) from the standard start of `size`, or a position.

    The one reader, wherever a game or a position is typed. A position (N*N cells and the side to move) says
    its own size, see `Board.parse`. Raises ValueError for anything else.
    """
    check_size(size)
    if text.strip().lower() in ("", "start", STANDARD):
        return Game(Board.start(size))
    if len(text) >= _SHORTEST and (is_cells(text) or not names_a_square(text)):
        return Game(Board.parse(text))
    if names_a_square(text):
        return Game.from_transcript(text, size)
    raise NotationError(
        f"{brief(text)!r} is neither a position nor a list of moves: write moves like f5d6c3, or N*N cells "
        f"of X, O and - row by row and then X or O to move, or {STANDARD}"
    )


def format_start(board: Board) -> str:
    """Return a start as text that `parse_start` reads."""
    return STANDARD if board == Board.start(board.size) else str(board)
