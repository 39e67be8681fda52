"""Random games: from any positions to their ends, and what came of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.batch.games import in_parts, repeated
from game.batch.positions import Positions
from game.board import Board
from game.kernels import arrays
from game.kernels.words import from_int


@dataclass(frozen=True)
class Playouts:
    """What came of random games. Every array is int16 [n, 2]: first the side to move at the start (black, in
    games from the standard start), then the other.
    """

    discs: NDArray[np.int16]
    """At the end."""
    placements: NDArray[np.int16]
    passes: NDArray[np.int16]
    choices: NDArray[np.int16]
    """Legal moves, summed over the placements."""
    forced: NDArray[np.int16]
    """Placements with one legal move."""

    @property
    def disc_diff(self) -> NDArray[np.int16]:
        """The first side's discs minus the other's, int16 [n]."""
        return self.discs[:, 0] - self.discs[:, 1]


def play_out(positions: Positions, seed: int, threads: int = 1) -> Playouts:
    """Play a game of uniformly random legal moves from each position. The seed decides the games, whatever
    the number of threads; more positions begin with the same games.
    """
    results = np.zeros((len(positions), 2, 5), np.int16)
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    like = from_int(0, positions.size)

    def work(part: slice) -> None:
        own, opponent = positions.own[part], positions.opponent[part]
        arrays.play_out(own, opponent, like, positions.size, key, part.start, results[part])

    in_parts(work, len(positions), threads)
    return Playouts(*(results[:, :, column].copy() for column in range(5)))


def random_games(size: int, games: int, seed: int, threads: int = 1) -> Playouts:
    """Play random games from the standard start; raise ValueError for a size that does not exist."""
    return play_out(repeated(Board.start(size), games), seed, threads)
