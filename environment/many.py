"""Episodes by the thousand: the rules of `OthelloEnvironment` over arrays of games."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.settings import Settings, agent_is_black
from othello_lab.game.batch.games import STAY, BatchGames, legal_moves, pick_each, to_mask
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.board import Board, Colour
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
        """The opponent's in each game; see `game.play.luck`."""
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
