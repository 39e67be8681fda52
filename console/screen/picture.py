"""The picture that a board shows: a position, marks on it, and what its moves are worth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from console.advice import Advice
from console.drawing import Marks
from console.screen.squares import Look, Mark
from game import Board, Game
from game.drawing import Cell, cells_of


@dataclass(frozen=True)
class Worth:
    """What is written on a legal square."""

    text: str
    share: float
    """0 for the worst move to 1 for the best."""
    is_best: bool


@dataclass(frozen=True)
class Picture:
    """A position and what is pointed out on it."""

    board: Board
    marks: Marks
    worth: Mapping[int, Worth]
    """By legal square; empty where nothing is to be shown."""

    @classmethod
    def of(cls, game: Game, legal: bool, advice: Advice | None) -> "Picture":
        """Return the position of a game with its last move; `legal` says whether legal moves are marked."""
        return cls(game.board, Marks.of(game, legal), _worth(advice) if advice else {})

    def looks(self, cursor: int | None) -> list[Look]:
        """Return what each square shows, row by row from a1."""
        cells = cells_of(self.board, self.marks.legal)
        return [self._look(square, cell, square == cursor) for square, cell in enumerate(cells)]

    def _look(self, square: int, cell: Cell, cursor: bool) -> Look:
        odd = bool((square + square // self.board.size) % 2)
        look = Look(cell, self._mark(square), cursor=cursor, odd=odd)
        worth = self.worth.get(square)
        if worth is None:
            return look
        return replace(look, text=worth.text, share=worth.share, is_best=worth.is_best)

    def _mark(self, square: int) -> Mark:
        if square == self.marks.last:
            return Mark.LAST
        return Mark.TURNED if square in self.marks.turned else Mark.NONE


def _worth(advice: Advice) -> dict[int, Worth]:
    best = advice.best
    # Short: 44% for 44 %.
    return {
        move.move: Worth(move.text.replace(" ", ""), move.shade, move.move in best) for move in advice.moves
    }
