"""Thousands of games at once: an agent against one opponent, or a caller that moves for both sides."""

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.messages import Settings, agent_is_black
from othello_lab.game.batch.games import STAY, BatchGames, Number, legal_moves, pick_each, planes, to_mask
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.notation import PASS
from othello_lab.game.players.player import Policy

Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]
"""Indices of games."""


class ManyEpisodes:
    """Many games of an agent against one opponent. The opponent moves in all games at once.

    Observations, steps and rewards are the same as in `OthelloEnvironment`. After a step, `over`, bool [n],
    says which games have ended. `illegal`, bool [n], says which games ended by an illegal move. A finished
    game does not change until `begin`. `threads` is the number of threads for the rules.
    """

    def __init__(self, config: EnvironmentConfig, games: int, threads: int = 1) -> None:
        """Raises ValueError for an invalid board size or opponent, or an opponent that is not a Policy."""
        self.config, self.settings = config, Settings(config)
        self._threads = threads
        self._games = BatchGames.start(config.size, games, threads)
        self.over: Flags = np.ones(games, np.bool_)
        self.illegal: Flags = np.zeros(games, np.bool_)
        self._agent_black: Flags = np.ones(games, np.bool_)
        self._all = np.arange(games)
        self._luck = np.zeros(games, np.uint64)
        """The seed of the opponent in each game."""
        self.next_episodes = np.zeros(games, np.int64)
        """The index of the next episode of each game. It decides the colours if `first` is "alternate"."""
        self.check_opponent()

    def __len__(self) -> int:
        return len(self.over)

    def check_opponent(self) -> None:
        """Raise ValueError if the opponent is not a Policy: it then plays only one game at a time."""
        if not isinstance(self.settings.opponent, Policy):
            raise ValueError(f"{self.settings.opponent_text!r} plays one game at a time, not many at once")

    def begin(self, rows: Rows, rng: np.random.Generator) -> None:
        """Begin the next episode of the games `rows`, and play each to the agent's first turn."""
        settings = self.settings
        black = agent_is_black(settings.first, self.next_episodes[rows], rng)
        games = many_openings(settings.start_from.board, settings.random_opening, len(rows), rng)
        luck = rng.integers(1 << 64, size=len(rows), dtype=np.uint64)
        opponent_opens = games.black_to_move != black
        if opponent_opens.any():
            games.play(self._replies(games, opponent_opens, luck))
        self._games.put(rows, games)
        self._agent_black[rows], self._luck[rows] = black, luck
        self.next_episodes[rows] += 1
        self.over[rows] = self.illegal[rows] = False

    def step(self, moves: NDArray[np.int64]) -> NDArray[np.float64]:
        """Play the agent's moves, then the opponent's replies. Return the rewards, float64 [n].

        `moves`, int64 [n], are squares or PASS. An illegal move loses the game. The move of a finished game
        is ignored.
        """
        games = self._games
        going_on = ~(self.over | games.finished)
        legal = games.are_legal(moves)
        self.illegal = going_on & ~legal
        going_on &= legal
        games.play(np.where(going_on, moves, STAY))
        games.play(self._replies(games, going_on & ~games.finished, self._luck))
        ended = ~self.over & (games.finished | self.illegal)
        self.over |= ended
        return self._rewards(np.flatnonzero(ended))

    def planes(self, rows: Rows | None = None) -> NDArray[np.int8]:
        """Return the agent's observations, int8 of 0 and 1, [rows, 4, N, N]. The default is all games."""
        rows = self._all if rows is None else rows
        positions, legal = self._of_agent(rows), self._games.legal[rows]
        size, own, opponent = positions.size, positions.own, positions.opponent
        opponent_legal = legal_moves(Positions(size, opponent, own), self._threads)
        cells = to_mask(np.stack([own, opponent, legal, opponent_legal], axis=1), size)
        return cells.view(np.int8).reshape(len(rows), 4, size, size)

    def _of_agent(self, rows: Rows) -> Positions:
        """Return the positions of some games, with the agent's discs as `own`."""
        games = self._games
        positions = games.positions.take(rows)
        # When a game has ended, the opponent may be the side to move.
        turned = np.flatnonzero(games.black_to_move[rows] != self._agent_black[rows])
        own, opponent = positions.own[turned], positions.opponent[turned]
        positions.own[turned], positions.opponent[turned] = opponent, own
        return positions

    @property
    def legal(self) -> Flags:
        """The agent's legal squares, bool [n, N*N]."""
        return to_mask(self._games.legal, self._games.size)

    @property
    def open(self) -> Flags:
        """Whether the game goes on and the agent has a legal square, bool [n]."""
        return self._games.can_move & ~self.over

    def board(self, index: int) -> Board:
        """Return the position of one game."""
        return self._games.board(index)

    def close(self) -> None:
        """Release the resources of the opponent."""
        self.settings.close_opponent()

    def _replies(self, games: BatchGames, on_turn: Flags, luck: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the opponent's moves, int64 [n]: a square or PASS where it is on turn, elsewhere STAY."""
        opponent = self.settings.opponent
        assert isinstance(opponent, Policy)  # noqa: S101  check_opponent
        moves = np.where(on_turn, PASS, STAY)
        choosing = np.flatnonzero(on_turn & games.can_move)
        if len(choosing):
            moves[choosing] = opponent.choose_many(games.positions.take(choosing), luck[choosing])
        return moves

    def _rewards(self, ended: Rows) -> NDArray[np.float64]:
        """Return the rewards, float64 [n]: those of the games that have just ended, 0 for other games."""
        win, draw, loss = self.config.rewards
        rewards = np.zeros(len(self))
        own, opponent = self._of_agent(ended).counts()
        difference = own - opponent
        rewards[ended] = (
            difference if self.config.in_discs else np.array([draw, win, loss])[np.sign(difference)]
        )
        rewards[self.illegal] = loss
        return rewards


class BothSides:
    """Many games at once. The caller moves for both sides: each step plays one move in each game.

    `black_to_move`, bool [n], is True where black is to move. `legal`, bool [n, N*N], has the legal squares
    of the side to move. `over`, bool [n], says which games have ended; they do not change until `reset`.
    Forced passes are automatic, so a side may move twice in a row. Each step makes new numpy arrays.
    `torch.from_numpy` and `jax.dlpack.from_dlpack` make tensors from them without a copy.
    """

    def __init__(
        self, games: int, size: int = 8, random_opening: int = 0, seed: int = 0, threads: int = 1
    ) -> None:
        """Begin the games, each after 0 to `random_opening` random plies. `threads` changes no game.

        Raises ValueError for an invalid size, a number of games below 1, or a negative number of plies.
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
        """Restart the games where `which`, bool [n], is True, for example `over`. The default is all games.

        Raises ValueError if `which` has another dtype or shape.
        """
        rows = np.flatnonzero(np.ones(len(self), np.bool_) if which is None else self._flags(which))
        if len(rows):
            start = Board.start(self.size)
            self._games.put(rows, many_openings(start, self._random_opening, len(rows), self._rng))
        self._look()

    def step(self, squares: ArrayLike) -> NDArray[np.int8]:
        """Play one square in each game, integers [n]. The squares of finished games are ignored.

        Returns the rewards, int8 [n], each for the side that moved: 1, 0 or -1 in a game that ended with this
        move, else 0. Raises IllegalMoveError for the first game with an illegal square; then no game moves.
        Raises ValueError for another shape or dtype.
        """
        was_black, was_over = self.black_to_move, self.over
        self._games.play(np.where(was_over, STAY, self._squares(squares)))
        self._games.play(np.where(self._games.must_pass, PASS, STAY))
        self._look()
        return np.where(was_over, 0, self.results(was_black)).astype(np.int8)

    def results(self, black: Flags) -> NDArray[np.int8]:
        """Return the results, int8 [n]: for black where `black` is True, else for white; 0 before the end."""
        winner = self._games.outcomes().winner
        return np.where(black, winner, -winner)

    @overload
    def planes(self) -> NDArray[np.float32]: ...
    @overload
    def planes(self, dtype: type[Number]) -> NDArray[Number]: ...
    def planes(self, dtype: type[Any] = np.float32) -> NDArray[Any]:
        """Return the observations of the sides to move, 0 or 1, [n, 4, N, N], as np.uint8 or np.float32."""
        return planes(self._games.positions, dtype, self._threads)

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
    """Return games that each begin with their own random opening, by the rules of `with_random_opening`."""
    opened = _plain(start, games)
    if not most or not start.legal_moves:
        return opened
    waiting = np.arange(games)
    while len(waiting):
        drawn = _plain(start, len(waiting))
        plies = rng.integers(most + 1, size=len(waiting))
        for ply in range(most):
            moves = pick_each(drawn.legal, drawn.size, rng)
            drawn.play(np.where((ply < plies) & (moves != PASS), moves, STAY))
        movable = drawn.can_move
        opened.put(waiting[movable], drawn.take(np.flatnonzero(movable)))
        waiting = waiting[~movable]
    return opened


def _plain(start: Board, games: int) -> BatchGames:
    return BatchGames(repeated(start, games), np.full(games, start.turn is Colour.BLACK))
