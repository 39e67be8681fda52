"""Thousands of games in which the caller moves for both sides: self-play of one's own, in any library."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.environment.settings import many_openings
from othello_lab.game.batch.games import STAY, BatchGames, Number, planes, to_mask
from othello_lab.game.board import Board, IllegalMoveError
from othello_lab.game.notation import PASS

Flags = NDArray[np.bool_]


class BothSides:
    """Games that go on together, one move in each of them a step, for whoever is to move there.

    `black_to_move`, bool [n], says who that is; `legal`, bool [n, N * N], where it may move; `over`, bool
    [n], which games have ended and stay as they are until `reset`. Forced passes are made by themselves: the
    other side may be to move twice. The arrays are numpy's, of which `torch.from_numpy` and
    `jax.dlpack.from_dlpack` make tensors without a copy; each step makes new ones.
    """

    def __init__(
        self, games: int, size: int = 8, random_opening: int = 0, seed: int = 0, threads: int = 1
    ) -> None:
        """Begin games, each after at most `random_opening` random plies; `threads` changes no game.

        Raises ValueError for a size that does not exist.
        """
        self.size, self._random_opening, self._threads = size, random_opening, threads
        self._rng = np.random.default_rng(seed)
        self._games = BatchGames.start(size, games, threads)
        self.reset()

    def __len__(self) -> int:
        return len(self._games)

    def reset(self, which: Flags | None = None) -> None:
        """Begin some games anew, bool [n], such as `over`; without it all of them."""
        rows = np.arange(len(self)) if which is None else np.flatnonzero(which)
        if len(rows):
            start = Board.start(self.size)
            self._games.put(rows, many_openings(start, self._random_opening, len(rows), self._rng))
        self._look()

    def step(self, squares: NDArray[np.integer]) -> NDArray[np.int8]:
        """Place a disc in each game, [n]; where a game is over, its square counts for nothing.

        Returns what that has brought to whoever placed it, int8 [n]: 1, 0 or -1 in a game that it has ended,
        else 0. Raises IllegalMoveError for the first game in which the square is not legal, and then moves
        nowhere; ValueError for another number of squares.
        """
        was_black, was_over = self.black_to_move, self.over
        if squares.shape == was_over.shape and (passing := ~was_over & (squares == PASS)).any():
            raise IllegalMoveError(f"game {passing.argmax()}: say a square, a pass is made by itself")
        self._games.play(np.where(was_over, STAY, squares) if squares.shape == was_over.shape else squares)
        self._games.play(np.where(self._games.must_pass, PASS, STAY))
        self._look()
        return np.where(was_over, 0, self.results(was_black)).astype(np.int8)

    def results(self, black: Flags) -> NDArray[np.int8]:
        """Return how each game ended for black, or for white, int8 [n]: 1, 0 or -1; 0 while it goes on."""
        winner = self._games.outcomes().winner
        return np.where(black, winner, -winner)

    def planes(self, dtype: type[Number]) -> NDArray[Number]:
        """Return what the side to move sees, 0 or 1, [n, 4, N, N], `dtype` being np.uint8 or np.float32.

        See `game.observation`.
        """
        return planes(self._games.positions, dtype, self._threads)

    def board(self, index: int) -> Board:
        """Return one game's position."""
        return self._games.board(index)

    def _look(self) -> None:
        games = self._games
        self.black_to_move, self.over = games.black_to_move.copy(), games.finished.copy()
        self.legal: Flags = to_mask(games.legal, self.size)
