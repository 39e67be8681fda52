"""Moves in the order in which they are tried: how good each looks without a search."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels.bitboard import BOARD, CORNERS, after, legal_moves
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.words import (
    Integer,
    Words,
    count,
    from_row,
    lowest,
    occupied,
    single,
    without_lowest,
)
from othello_lab.game.solver.squares import around, odd_quadrants

VARIETY = 8
"""What a thread adds to the look of a move is less than this."""


@compiled
def list_moves(own: Words, opponent: Words, hint: int, size: int, moves: NDArray[np.int32]) -> Integer:
    """Write the legal moves and how good they look into `moves` [n, 2], and return how many there are.

    Few replies for the opponent are good ("fastest first"), above all few corners, and few empty squares
    beside the mover's discs, which are replies to come. `hint` comes first.
    """
    rest = legal_moves(own, opponent, size)
    corners = from_row(own, CORNERS[size])
    empties = from_row(own, BOARD[size]) & ~(own | opponent)
    odd = odd_quadrants(empties, size)
    found = 0
    while occupied(rest):
        square = lowest(rest)
        rest = without_lowest(rest)
        disc = single(own, square)
        mine, theirs = after(own, opponent, square, size)
        replies = legal_moves(theirs, mine, size)
        look = -3 * (count(replies) + count(replies & corners)) - count(around(mine, size) & empties)
        if occupied(disc & corners):
            look += 2
        if occupied(disc & odd):
            look += 1
        moves[found, 0] = 1 << 20 if square == hint else look
        moves[found, 1] = square
        found += 1
    return found


@compiled
def list_by_replies(own: Words, opponent: Words, odd: Words, size: int, moves: NDArray[np.int32]) -> Integer:
    """Do what `list_moves` does, by the replies and the odd quarters alone."""
    rest, corners = legal_moves(own, opponent, size), from_row(own, CORNERS[size])
    found = 0
    while occupied(rest):
        square = lowest(rest)
        rest = without_lowest(rest)
        mine, theirs = after(own, opponent, square, size)
        replies = legal_moves(theirs, mine, size)
        look = -2 * (count(replies) + count(replies & corners))
        moves[found, 0] = look + 1 if occupied(single(own, square) & odd) else look
        moves[found, 1] = square
        found += 1
    return found


@compiled
def vary(moves: NDArray[np.int32], salt: int) -> None:
    """Add a little to how good the moves look, another for each salt; nothing for 0."""
    if salt:
        for index in range(len(moves)):
            moves[index, 0] += (moves[index, 1] * salt >> 3) % VARIETY


@compiled
def take_best(moves: NDArray[np.int32], start: int, end: int) -> Integer:
    """Exchange the best-looking of moves[start:end] and that at `start`, and return its square."""
    best = start
    for index in range(start + 1, end):
        if moves[index, 0] > moves[best, 0]:
            best = index
    look, square = moves[best, 0], moves[best, 1]
    moves[best, 0], moves[best, 1] = moves[start, 0], moves[start, 1]
    moves[start, 0], moves[start, 1] = look, square
    return square
