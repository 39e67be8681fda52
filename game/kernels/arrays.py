"""The rules for arrays [n, words]. Row i holds the discs of one side in game i, or at ply i.

`kind` is any set of squares for the board size. The type of `kind` gives the number of words in a row.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.bitboard import after
from othello_lab.game.kernels.bits import (
    Bits,
    Integer,
    Rows,
    count,
    from_row,
    nth_row,
    occupied,
    single,
    single_or_none,
    write_nth_row,
)
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.random_choices import random_square, random_word
from othello_lab.game.notation import PASS

STAY = -1000
"""A value that replaces a move in a game that must not change."""


@compiled
def legal_moves(own: Rows, opponent: Rows, kind: Bits, size: int, moves: Rows) -> None:
    """Write the legal moves of the side to move into `moves`."""
    inner, board = bitboard.masks(kind, size)
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        write_nth_row(bitboard.legal_within(mine, theirs, size, inner, board), moves, i)


@compiled
def counts(squares: Rows, kind: Bits, numbers: NDArray[np.int64]) -> None:
    """Write the number of squares of each set into `numbers`."""
    for i in range(len(squares)):
        numbers[i] = count(nth_row(kind, squares, i))


@compiled
def planes(own: Rows, opponent: Rows, kind: Bits, size: int, out: NDArray[Any]) -> None:
    """Write the four planes of each position into `out` [n, 4 * size * size], which must be all zeros."""
    for i in range(len(own)):
        bitboard.write_planes_on_words(nth_row(kind, own, i), nth_row(kind, opponent, i), size, out[i])


@compiled
def are_legal(
    moves: NDArray[np.int64], legal: Rows, kind: Bits, size: int, answers: NDArray[np.bool_]
) -> None:
    """Write whether each move is legal. STAY is always legal. PASS is legal only if `legal` is empty."""
    for i in range(len(moves)):
        choices, move = nth_row(kind, legal, i), moves[i]
        if 0 <= move < size * size:
            answers[i] = occupied(choices & single(kind, move))
        else:
            answers[i] = move == STAY or (move == PASS and not occupied(choices))


@compiled
def play(
    own: Rows,
    opponent: Rows,
    black_to_move: NDArray[np.bool_],
    moves: NDArray[np.int64],
    kind: Bits,
    size: int,
    finished: NDArray[np.bool_],
) -> None:
    """Make the legal move of every unfinished game, and exchange the sides `own` and `opponent`."""
    inner, _ = bitboard.masks(kind, size)
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        goes_on = (moves[i] != STAY) & (not finished[i])
        disc = single_or_none(kind, moves[i])
        turned = bitboard.flips_within(mine, theirs, disc, size, inner)
        write_nth_row(theirs & ~turned if goes_on else mine, own, i)
        write_nth_row(mine | turned | disc if goes_on else theirs, opponent, i)
        black_to_move[i] = black_to_move[i] ^ goes_on


@compiled
def look(own: Rows, opponent: Rows, kind: Bits, size: int, legal: Rows, finished: NDArray[np.bool_]) -> None:
    """Write the legal moves of the side to move, and whether each game is finished."""
    inner, board = bitboard.masks(kind, size)
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        moves = bitboard.legal_within(mine, theirs, size, inner, board)
        write_nth_row(moves, legal, i)
        finished[i] = bitboard.over_within(moves, mine, theirs, size, inner, board)


@compiled
def pick(squares: Rows, kind: Bits, seed: Integer, chosen: NDArray[np.int64]) -> None:
    """Write a uniformly random square of each set into `chosen`. For an empty set, write PASS."""
    for i in range(len(squares)):
        choices = nth_row(kind, squares, i)
        chosen[i] = random_square(choices, random_word(seed, i)) if occupied(choices) else PASS


@compiled
def play_out(
    own: Rows, opponent: Rows, kind: Bits, size: int, seed: Integer, discs: NDArray[np.int16]
) -> None:
    """Play random games, and write the discs of the first mover and of the other side into `discs` [n, 2]."""
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        # A game has fewer than 2**10 plies, so no two games use the same random numbers.
        discs[i, 0], discs[i, 1], _ = random_game(mine, theirs, size, seed, i << 10, False)


@compiled
def random_game(
    own: Bits, opponent: Bits, size: int, seed: Integer, counter: int, likely: bool
) -> tuple[Integer, Integer, Integer]:
    """Play random moves to the end. Return the discs of the side to move, the other discs, and the plies.

    `likely` limits the moves to `_likely`. A ply uses one random number, the first has the index `counter`.
    """
    plies, passed = 0, False
    while True:
        moves = bitboard.legal_moves(own, opponent, size)
        if occupied(moves):
            if likely:
                moves = _likely(moves, own, opponent, size)
            square = random_square(moves, random_word(seed, counter + plies))
            opponent, own = after(own, opponent, square, size)
            passed = False
        elif passed:
            mine, theirs = count(own), count(opponent)
            return (theirs, mine, plies) if plies & 1 else (mine, theirs, plies)
        else:
            own, opponent, passed = opponent, own, True
        plies += 1


@compiled
def _likely(moves: Bits, own: Bits, opponent: Bits, size: int) -> Bits:
    """Return the corners among the moves.

    If no move is a corner, return the moves that are not next to an empty corner. If all moves are next to an
    empty corner, return all moves.
    """
    corners = from_row(own, bitboard.CORNERS[size])
    if occupied(moves & corners):
        return moves & corners
    quiet = moves & ~bitboard.around(corners & ~(own | opponent), size)
    return quiet if occupied(quiet) else moves


@compiled
def replay(
    own: Bits, opponent: Bits, moves: NDArray[Any], size: int, replayed: NDArray[np.int64]
) -> tuple[Bits, Bits, Integer]:
    """Make moves, and write the moves and all forced passes into `replayed`, int64 [2 * len(moves)].

    Return (own, opponent, number of entries) at the end. If moves[i] is illegal, the last number is -1 - i.
    """
    count = 0
    for place in range(len(moves)):
        move = moves[place]
        legal = bitboard.legal_moves(own, opponent, size)
        if not occupied(legal):
            if not occupied(bitboard.legal_moves(opponent, own, size)):
                return own, opponent, -1 - place
            own, opponent = opponent, own
            replayed[count] = PASS
            count += 1
            if move == PASS:
                continue
            legal = bitboard.legal_moves(own, opponent, size)
        if not 0 <= move < size * size or not occupied(legal & single(own, move)):
            return own, opponent, -1 - place
        opponent, own = after(own, opponent, move, size)
        replayed[count] = move
        count += 1
    return own, opponent, count


@compiled
def trace(
    own: Bits, opponent: Bits, moves: NDArray[np.int64], size: int, owns: Rows, opponents: Rows
) -> None:
    """Write the discs of both sides before each legal move or pass, and after the last move.

    `owns`, for the side to move, and `opponents` are uint64 [len(moves) + 1, words].
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
