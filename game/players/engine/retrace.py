"""The way from the standard start to a position that came without its moves."""

from game.board import Board, Squares
from game.game import Game
from game.notation import PASS

MOST_POSITIONS = 50_000
"""How many positions are looked at, a second or two: enough for positions of the first 14 plies."""


def retrace(board: Board) -> list[int] | None:
    """Return moves, passes included, that lead from the standard start to `board`.

    The colours may come out exchanged: who has black is of no interest to the side to move. None if there is
    no such line, or if it was not found among the first MOST_POSITIONS positions.
    """
    game = Game(Board.start(board.size))
    discs = board.black | board.white
    seen: set[Board] = set()

    def search() -> bool:
        here = game.board
        if here in seen or len(seen) >= MOST_POSITIONS:
            return False
        seen.add(here)
        if here.own == board.own and here.opponent == board.opponent:
            return True
        # A disc never leaves the board, so only squares that are taken in the end can be on the way.
        moves = [PASS] if here.must_pass else list(Squares(here.legal_moves.bits & discs))
        for move in moves:
            game.play(move)
            if search():
                return True
            game.undo()
        return False

    return game.moves if search() else None
