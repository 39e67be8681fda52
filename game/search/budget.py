"""The budget of a game: what a move may take of the time that is left for all of them."""

from dataclasses import replace

from othello_lab.game.board import Board
from othello_lab.game.search.limits import Limits, solvable
from othello_lab.game.solver.solver import empties

RESERVE = 3
"""Shares of the time that are kept for the moves after which the game is solved."""
MOST = 3.0
"""How many times its share a move takes at most, while better moves are found."""
# Seconds that are left on the clock for whatever happens between the two programs.
_LAG = 0.1
# Of what is left no move takes more than this part.
_PART = 0.5


def limited(limits: Limits, left: float, moves: int, board: Board) -> Limits:
    """Return the limits of a move where `left` seconds are left for the next `moves` of the side to move.

    0 is for all moves of the game: as many shares as it makes until the rest can be solved, and RESERVE.
    """
    usable = max(0.0, left - _LAG)
    share = usable / _shares(left, moves, board)
    most = min(MOST * share, usable if moves == 1 else _PART * usable)
    own = limits.seconds
    if own is not None:
        share, most = min(share, own), min(most, own)
    return replace(limits, seconds=most, aim=share)


def _shares(left: float, moves: int, board: Board) -> float:
    own = max(0, empties(board) - solvable(left, board.size)) / 2 + RESERVE
    return min(own, moves) if moves else own
