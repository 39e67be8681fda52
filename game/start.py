"""Where a game starts, as text: `standard`, the moves from there, or a position."""

from game.board import Board, check_size
from game.game import Game

STANDARD = "standard"
"""The standard start; an empty text and `start` mean it too."""


def parse_start(text: str, size: int) -> Game:
    """Read `standard`, a transcript (`d3c5...`) from the standard start of `size`, or a position.

    A position (N*N cells and the side to move) says its own size, see `Board.parse`. Raises ValueError for
    anything else.
    """
    check_size(size)
    if text.strip().lower() in ("", "start", STANDARD):
        return Game(Board.start(size))
    if any(character.isdigit() for character in text):
        return Game.from_transcript(text, size)
    return Game(Board.parse(text))


def format_start(board: Board) -> str:
    """Return a start as text that `parse_start` reads."""
    return STANDARD if board == Board.start(board.size) else str(board)
