"""Thousands of games in which the caller moves for both sides: self-play of one's own, in any library."""

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.environment.many import many_openings
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

        Raises ValueError for a size that does not exist, no games, and fewer than 0 plies.
        """
        if games < 1:
            raise ValueError(f"play at least one game, not {games}")
        if random_opening < 0:
            raise ValueError(f"random_opening must be 0 or more plies, not {random_opening}")
        self.size, self._random_opening, self._threads = size, random_opening, threads
        self._rng = np.random.default_rng(seed)
        self._games = BatchGames.start(size, games, threads)
        self.reset()

    def __len__(self) -> int:
        return len(self._games)

    def reset(self, which: ArrayLike | None = None) -> None:
        """Begin some games anew, bool [n], such as `over`; without it all of them.

        Raises ValueError for flags of another type or number.
        """
        rows = np.flatnonzero(np.ones(len(self), np.bool_) if which is None else self._flags(which))
        if len(rows):
            start = Board.start(self.size)
            self._games.put(rows, many_openings(start, self._random_opening, len(rows), self._rng))
        self._look()

    def step(self, squares: ArrayLike) -> NDArray[np.int8]:
        """Place a disc in each game, integers [n]; where a game is over, its square counts for nothing.

        Returns what that has brought to whoever placed it, int8 [n]: 1, 0 or -1 in a game that it has ended,
        else 0. Raises IllegalMoveError for the first game in which the square is not legal, and then moves
        nowhere; ValueError for another number of squares, and for what is no integer.
        """
        was_black, was_over = self.black_to_move, self.over
        self._games.play(np.where(was_over, STAY, self._squares(squares)))
        self._games.play(np.where(self._games.must_pass, PASS, STAY))
        self._look()
        return np.where(was_over, 0, self.results(was_black)).astype(np.int8)

    def results(self, black: Flags) -> NDArray[np.int8]:
        """Return how each game ended for black, or for white, int8 [n]: 1, 0 or -1; 0 while it goes on."""
        winner = self._games.outcomes().winner
        return np.where(black, winner, -winner)

    @overload
    def planes(self) -> NDArray[np.float32]: ...
    @overload
    def planes(self, dtype: type[Number]) -> NDArray[Number]: ...
    def planes(self, dtype: type[Any] = np.float32) -> NDArray[Any]:
        """Return what the side to move sees, 0 or 1, [n, 4, N, N], `dtype` being np.uint8 or np.float32.

        See `game.observation`.
        """
        return planes(self._games.positions, dtype, self._threads)

    def board(self, index: int) -> Board:
        """Return one game's position."""
        return self._games.board(index)

    def _flags(self, which: ArrayLike) -> Flags:
        flags = np.asarray(which)
        if flags.dtype != np.bool_ or flags.shape != (len(self),):
            raise ValueError(f"say bool [{len(self)}], a flag a game, not {flags.dtype} {list(flags.shape)}")
        return flags

    def _squares(self, given: ArrayLike) -> NDArray[np.int64]:
        squares = np.asarray(given)
        if squares.shape != self.over.shape:
            shape = list(squares.shape)
            raise ValueError(f"{len(self)} games take one move each, but the moves have shape {shape}")
        if not np.issubdtype(squares.dtype, np.integer):
            raise ValueError(f"a square is an integer from 0 to {self.size**2 - 1}, not {squares.dtype}")
        # Below 0 are PASS and STAY, of which BatchGames has its own view.
        if (none := ~self.over & (squares < 0)).any():
            game = int(none.argmax())
            raise IllegalMoveError(f"game {game}: {squares[game]} is no square; a pass is made by itself")
        return squares.astype(np.int64)

    def _look(self) -> None:
        games = self._games
        self.black_to_move, self.over = games.black_to_move.copy(), games.finished.copy()
        self.legal: Flags = to_mask(games.legal, self.size)
