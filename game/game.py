"""Game: a start, the moves so far, and every board on the way."""

from operator import index
from typing import SupportsIndex

from game import notation
from game.board import Board, IllegalMoveError
from game.notation import PASS


class Game:
    """One game as it grows. `game.board` is the position now, `game.boards[i]` the one before move i."""

    def __init__(self, start: Board) -> None:
        self.boards = [start]
        self.moves: list[int] = []

    @classmethod
    def from_transcript(cls, text: str, size: int = 8) -> "Game":
        """Replay a transcript such as `f5d6c3` from the standard start; forced passes may be left out.

        Raises NotationError for text that is no list of moves, IllegalMoveError for a move not legal there.
        """
        game = cls(Board.start(size))
        for number, move in enumerate(notation.parse_moves(text, size), 1):
            if move != PASS:
                game.pass_if_forced()
            try:
                game.play(move)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"move {number} of {notation.brief(text)!r}: {error}") from None
        return game

    @property
    def board(self) -> Board:
        """The position now."""
        return self.boards[-1]

    @property
    def size(self) -> int:
        """The length of a side of the board."""
        return self.boards[0].size

    def play(self, move: SupportsIndex) -> Board:
        """Make a move (a square or PASS) and return the position after it; raise IllegalMoveError."""
        self.boards.append(self.board.play(move))
        self.moves.append(index(move))
        return self.board

    def pass_if_forced(self) -> bool:
        """Pass for a side that must, and tell whether that was so."""
        if not self.board.must_pass:
            return False
        self.play(PASS)
        return True

    def undo(self) -> int:
        """Take back the last move and return it; raise IndexError at the start."""
        move = self.moves.pop()
        self.boards.pop()
        return move

    def until(self, ply: int | None = None) -> "Game":
        """Return the game of the first `ply` moves, by default of all; it grows on its own."""
        copy = Game(self.boards[0])
        copy.moves[:] = self.moves[:ply]
        copy.boards[:] = self.boards[: len(copy.moves) + 1]
        return copy

    def transcript(self) -> str:
        """Return the moves as text, `f5d6c3...`; passes are not written."""
        return notation.format_squares(self.moves, self.size)
