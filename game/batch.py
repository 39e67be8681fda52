"""Many games at once, without a Python step per move."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game import words
from game.bitboard import after, legal_moves
from game.board import Board
from game.compiled import compiled
from game.randomness import random_square, random_word
from game.words import Words, count, occupied


@dataclass(frozen=True)
class RandomGames:
    """What came of games between two random players; every array is int64 [games]."""

    black: NDArray[np.int64]
    white: NDArray[np.int64]
    placements: NDArray[np.int64]
    passes: NDArray[np.int64]


def random_games(size: int, games: int, seed: int) -> RandomGames:
    """Play games of uniformly random legal moves from the standard start; the same seed, the same games."""
    start = Board.start(size)
    results = np.zeros((games, 4), np.int64)
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    _play_all(words.from_int(start.black, size), words.from_int(start.white, size), size, key, results)
    return RandomGames(*(results[:, column].copy() for column in range(4)))


@compiled
def _play_all(black: Words, white: Words, size: int, seed: int, results: NDArray[np.int64]) -> None:
    for game in range(len(results)):
        # A game has fewer than 2**10 plies, so each has its own stretch of the generator's numbers.
        _play_out(black, white, size, seed, game << 10, results[game])


@compiled
def _play_out(
    own: Words, opponent: Words, size: int, seed: int, counter: int, result: NDArray[np.int64]
) -> None:
    """Play one game to its end; result becomes black discs, white discs, placements, passes."""
    black_to_move, passed = True, False
    while True:
        moves = legal_moves(own, opponent, size)
        if occupied(moves):
            own, opponent = after(own, opponent, random_square(moves, random_word(seed, counter)), size)
            counter += 1
            result[2] += 1
            result[3] += passed
            passed = False
        elif passed:
            break
        else:
            passed = True
        own, opponent = opponent, own
        black_to_move = not black_to_move
    result[0] = count(own) if black_to_move else count(opponent)
    result[1] = count(opponent) if black_to_move else count(own)
