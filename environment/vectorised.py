"""Thousands of games at once. The caller moves for both sides."""

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.game.batch import STAY, BatchGames, Number, pick_each, planes, to_mask
from othello_lab.game.board import Board, IllegalMoveError
from othello_lab.game.notation import PASS

Flags = NDArray[np.bool_]


class BothSides:
    """Many games at once. The caller moves for both sides. Forced passes are automatic.

    `black_to_move`, bool [n], is True where black is to move. `legal`, bool [n, N*N], marks the legal squares
    of the side to move. `over`, bool [n], marks the games that have ended. Each step makes new arrays, which
    `torch.from_numpy` and `jax.dlpack.from_dlpack` turn into tensors without a copy.
    """

    def __init__(self, games: int, size: int = 8, random_opening: int = 0, seed: int = 0) -> None:
        """Begin games with 0 to `random_opening` random plies. Raises ValueError for a wrong argument."""
        if games < 1:
            raise ValueError(f"play at least one game, not {games}")
        if random_opening < 0:
            raise ValueError(f"random_opening must be 0 or more plies, not {random_opening}")
        self.size, self._random_opening = size, random_opening
        self._rng = np.random.default_rng(seed)
        self._games = BatchGames.start(Board.start(size), games)
        self.reset()

    def __len__(self) -> int:
        return len(self._games)

    def reset(self, which: ArrayLike | None = None) -> None:
        """Restart games where `which` is True. Default: all. Raises ValueError if `which` is not bool [n]."""
        rows = np.flatnonzero(np.ones(len(self), np.bool_) if which is None else self._flags(which))
        if len(rows):
            start = Board.start(self.size)
            self._games.put(rows, many_openings(start, self._random_opening, len(rows), self._rng))
        self._look()

    def step(self, squares: ArrayLike) -> NDArray[np.int8]:
        """Play one square in each game, integers [n]. The squares of finished games are ignored.

        Returns the rewards of the sides that moved, int8 [n]: 1 for a win, -1 for a loss, else 0. Raises,
        without a change, IllegalMoveError for an illegal square and ValueError for a wrong shape or dtype.
        """
        was_black, was_over = self.black_to_move, self.over
        self._games.play(np.where(was_over, STAY, self._squares(squares)))
        self._games.play(np.where(self._games.must_pass, PASS, STAY))
        self._look()
        return np.where(was_over, 0, self.results(was_black)).astype(np.int8)

    def results(self, black: Flags) -> NDArray[np.int8]:
        """Return results, int8 [n]: 1, 0 or -1, for black where `black`, bool [n], is True, else white."""
        winner = np.sign(self._games.final_scores()).astype(np.int8)
        return np.where(black, winner, -winner)

    @overload
    def planes(self) -> NDArray[np.float32]: ...
    @overload
    def planes(self, dtype: type[Number]) -> NDArray[Number]: ...
    def planes(self, dtype: type[Any] = np.float32) -> NDArray[Any]:
        """Return the observations of the sides to move, 0 or 1, [n, 4, N, N]. `dtype` may be np.uint8."""
        return planes(self._games.positions, dtype)

    def board(self, index: int) -> Board:
        """Return the position of one game."""
        return self._games.board(index)

    def _flags(self, which: ArrayLike) -> Flags:
        flags = np.asarray(which)
        if flags.dtype != np.bool_ or flags.shape != (len(self),):
            raise ValueError(f"expected bool [{len(self)}], not {flags.dtype} {list(flags.shape)}")
        return flags

    def _squares(self, moves: ArrayLike) -> NDArray[np.int64]:
        squares = np.asarray(moves)
        if squares.shape != self.over.shape:
            shape = list(squares.shape)
            raise ValueError(f"expected {len(self)} squares, one a game, but the moves have shape {shape}")
        if not np.issubdtype(squares.dtype, np.integer):
            raise ValueError(f"a square is an integer from 0 to {self.size**2 - 1}, not {squares.dtype}")
        # BatchGames uses negative numbers for PASS and STAY.
        if (negative := ~self.over & (squares < 0)).any():
            game = int(negative.argmax())
            raise IllegalMoveError(f"game {game}: {squares[game]} is no square; passes are automatic")
        return squares.astype(np.int64)

    def _look(self) -> None:
        games = self._games
        self.black_to_move, self.over = games.black_to_move.copy(), games.finished.copy()
        self.legal: Flags = to_mask(games.legal, self.size)


def many_openings(start: Board, most: int, games: int, rng: np.random.Generator) -> BatchGames:
    """Return `games` copies of `start`, each with its own random opening of 0 to `most` plies."""
    opened = BatchGames.start(start, games)
    if not most or not start.legal_moves:
        return opened
    waiting = np.arange(games)
    while len(waiting):
        drawn = BatchGames.start(start, len(waiting))
        plies = rng.integers(most + 1, size=len(waiting))
        for ply in range(most):
            moves = pick_each(drawn.legal, drawn.size, rng)
            drawn.play(np.where((ply < plies) & (moves != PASS), moves, STAY))
        movable = drawn.can_move
        opened.put(waiting[movable], drawn.take(np.flatnonzero(movable)))
        waiting = waiting[~movable]
    return opened
