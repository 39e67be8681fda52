"""Thousands of games at once: against one opponent, or with moves for both sides by the caller."""

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.settings import Settings, agent_is_black
from othello_lab.game.batch.games import STAY, BatchGames, Number, legal_moves, pick_each, planes, to_mask
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.notation import PASS
from othello_lab.game.players.player import Policy

Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]
"""Numbers of games."""


class ManyEpisodes:
    """Games of an agent against one opponent, which answers all of them at once.

    What an agent sees, what a step is and what it is worth are those of `OthelloEnvironment`. `over` and
    `illegal`, bool [n], say after a step which games have ended, and which by an illegal move; games that
    are over stay as they are until `begin`. `threads` is as in BatchGames.
    """

    def __init__(self, config: EnvironmentConfig, games: int, threads: int = 1) -> None:
        """Raises ValueError as `Settings` does, and for an opponent that plays one game at a time."""
        self.config, self.settings = config, Settings(config)
        self._threads = threads
        self._games = BatchGames.start(config.size, games, threads)
        self.over: Flags = np.ones(games, np.bool_)
        self.illegal: Flags = np.zeros(games, np.bool_)
        self._agent_black: Flags = np.ones(games, np.bool_)
        self._all = np.arange(games)
        self._luck = np.zeros(games, np.uint64)
        """The opponent's in each game; see `game.luck`."""
        self.number = np.zeros(games, np.int64)
        """Of the episode that each game begins next: `first="alternate"` goes by it."""
        self.check_opponent()

    def __len__(self) -> int:
        return len(self.over)

    def check_opponent(self) -> None:
        """Raise ValueError for an opponent that plays one game at a time."""
        if not isinstance(self.settings.opponent, Policy):
            raise ValueError(f"{self.settings.opponent_text!r} plays one game at a time, not many at once")

    def begin(self, rows: Rows, rng: np.random.Generator) -> None:
        """Begin the next episode of some games, up to the agent's first turn."""
        settings = self.settings
        black = agent_is_black(settings.first, self.number[rows], rng)
        games = many_openings(settings.start_from.board, settings.random_opening, len(rows), rng)
        luck = rng.integers(1 << 64, size=len(rows), dtype=np.uint64)
        theirs = games.black_to_move != black
        if theirs.any():
            games.play(self._replies(games, theirs, luck))
        self._games.put(rows, games)
        self._agent_black[rows], self._luck[rows] = black, luck
        self.number[rows] += 1
        self.over[rows] = self.illegal[rows] = False

    def step(self, moves: NDArray[np.int64]) -> NDArray[np.float64]:
        """Play the agent's moves, squares or PASS, and the opponent's answers; return the rewards, [n].

        What is illegal loses. Where the game is over, the move counts for nothing.
        """
        games = self._games
        asked = ~(self.over | games.finished)
        legal = games.are_legal(moves)
        self.illegal = asked & ~legal
        asked &= legal
        games.play(np.where(asked, moves, STAY))
        games.play(self._replies(games, asked & ~games.finished, self._luck))
        ended = ~self.over & (games.finished | self.illegal)
        self.over |= ended
        return self._rewards(np.flatnonzero(ended))

    def planes(self, rows: Rows | None = None) -> NDArray[np.int8]:
        """Return what the agent sees of some games, of all by default: 0 or 1, [rows, 4, N, N].

        See `game.observation`.
        """
        rows = self._all if rows is None else rows
        seen, legal = self._of_agent(rows), self._games.legal[rows]
        theirs = legal_moves(Positions(seen.size, seen.opponent, seen.own), self._threads)
        cells = to_mask(np.stack([seen.own, seen.opponent, legal, theirs], axis=1), seen.size)
        return cells.view(np.int8).reshape(len(rows), 4, seen.size, seen.size)

    def _of_agent(self, rows: Rows) -> Positions:
        """Return some positions from the agent's view."""
        games = self._games
        seen = games.positions.take(rows)
        # Those of games that ended with the agent's move.
        turned = np.flatnonzero(games.black_to_move[rows] != self._agent_black[rows])
        own, opponent = seen.own[turned], seen.opponent[turned]
        seen.own[turned], seen.opponent[turned] = opponent, own
        return seen

    @property
    def legal(self) -> Flags:
        """The squares that the agent may take, [n, N * N]."""
        return to_mask(self._games.legal, self._games.size)

    @property
    def open(self) -> Flags:
        """Where the agent may take a square, and the game goes on, [n]."""
        return self._games.can_move & ~self.over

    def board(self, index: int) -> Board:
        """Return one game's position."""
        return self._games.board(index)

    def close(self) -> None:
        """Have the opponent release what it holds."""
        self.settings.close_opponent()

    def _replies(self, games: BatchGames, asked: Flags, luck: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the opponent's move or forced pass where it is asked, else STAY."""
        opponent = self.settings.opponent
        assert isinstance(opponent, Policy)  # noqa: S101  check_opponent has seen it
        moves = np.where(asked, PASS, STAY)
        choosing = np.flatnonzero(asked & games.can_move)
        if len(choosing):
            moves[choosing] = opponent.choose_many(games.positions.take(choosing), luck[choosing])
        return moves

    def _rewards(self, ended: Rows) -> NDArray[np.float64]:
        """Return the rewards of games that have just ended, 0 for the others, [n]."""
        win, draw, loss = self.config.rewards
        rewards = np.zeros(len(self))
        seen = self._of_agent(ended)
        own, opponent = seen.counts()
        by = own - opponent
        rewards[ended] = by if self.config.in_discs else np.array([draw, win, loss])[np.sign(by)]
        rewards[self.illegal] = loss
        return rewards


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


def many_openings(start: Board, most: int, games: int, rng: np.random.Generator) -> BatchGames:
    """Begin games as `with_random_opening` does, each with an opening of its own."""
    begun = _plain(start, games)
    if not most or not start.legal_moves:
        return begun
    waiting = np.arange(games)
    while len(waiting):
        drawn = _plain(start, len(waiting))
        plies = rng.integers(most + 1, size=len(waiting))
        for ply in range(most):
            moves = pick_each(drawn.legal, drawn.size, rng)
            drawn.play(np.where((ply < plies) & (moves != PASS), moves, STAY))
        movable = drawn.can_move
        begun.put(waiting[movable], drawn.take(np.flatnonzero(movable)))
        waiting = waiting[~movable]
    return begun


def _plain(start: Board, games: int) -> BatchGames:
    return BatchGames(repeated(start, games), np.full(games, start.turn is Colour.BLACK))
