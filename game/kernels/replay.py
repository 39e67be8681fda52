"""Moves one after another, as the rules have them: whether they are legal, and where they lead."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.kernels.bitboard import after, legal_moves
from game.kernels.jit import compiled
from game.kernels.words import Integer, Words, occupied, single, write_nth_row
from game.notation import PASS

Rows = NDArray[np.uint64]


@compiled
def replay(
    own: Words, opponent: Words, moves: NDArray[Any], size: int, made: NDArray[np.int64]
) -> tuple[Words, Words, Integer]:
    """Make moves, and write them into `made`, int64 [2 * len(moves)], with the forced passes between them.

    Returns the discs of the side to move and of the other at the end, and how many moves were made; in place
    of that number -1 - i where moves[i] is illegal.
    """
    count = 0
    for place in range(len(moves)):
        move = moves[place]
        legal = legal_moves(own, opponent, size)
        if not occupied(legal):
            if not occupied(legal_moves(opponent, own, size)):
                return own, opponent, -1 - place
            own, opponent = opponent, own
            made[count] = PASS
            count += 1
            if move == PASS:
                continue
            legal = legal_moves(own, opponent, size)
        if not 0 <= move < size * size or not occupied(legal & single(own, move)):
            return own, opponent, -1 - place
        opponent, own = after(own, opponent, move, size)
        made[count] = move
        count += 1
    return own, opponent, count


@compiled
def trace(
    own: Words, opponent: Words, moves: NDArray[np.int64], size: int, owns: Rows, opponents: Rows
) -> None:
    """Write the discs of the side to move and of the other before each legal move or pass, and at the end.

    `owns` and `opponents` are uint64 [len(moves) + 1, words].
    """
    for ply in range(len(moves)):
        write_nth_row(own, owns, ply)
        write_nth_row(opponent, opponents, ply)
        if moves[ply] == PASS:
            own, opponent = opponent, own
        else:
            opponent, own = after(own, opponent, moves[ply], size)
    write_nth_row(own, owns, len(moves))
    write_nth_row(opponent, opponents, len(moves))
