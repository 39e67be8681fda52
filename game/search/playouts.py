"""Playouts: random games of likely moves from a position to the end, compiled."""

import numpy as np

from othello_lab.game.kernels.bitboard import CORNERS, legal_moves
from othello_lab.game.kernels.choices import random_square, random_word
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.words import Integer, Words, count, from_row, occupied
from othello_lab.game.search.tree import moved
from othello_lab.game.solver.squares import around


@compiled
def play_out(own: Words, opponent: Words, size: int, seed: Integer, drawn: int) -> tuple[float, Integer]:
    """Play random likely moves to the end; return the result for the side to move, and the number of plies.

    All random numbers come from the seed, counted from `drawn`: one a ply at most.
    """
    sign, passed, plies = 1.0, False, 0
    while True:
        moves = legal_moves(own, opponent, size)
        if occupied(moves):
            square = random_square(likely(moves, own, opponent, size), random_word(seed, drawn + plies))
            own, opponent = moved(own, opponent, square, size)
            passed = False
        elif passed:
            return sign * np.sign(count(own) - count(opponent)), plies
        else:
            own, opponent, passed = opponent, own, True
        plies += 1
        sign = -sign


@compiled
def likely(moves: Words, own: Words, opponent: Words, size: int) -> Words:
    """Return the corners among the moves if there are any, else those that are not beside an empty corner.

    All of them where none is left.
    """
    corners = from_row(own, CORNERS[size])
    if occupied(moves & corners):
        return moves & corners
    quiet = moves & ~around(corners & ~(own | opponent), size)
    return quiet if occupied(quiet) else moves
