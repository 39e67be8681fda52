"""Histories: whole games between two policies, kept as arrays over (turn, game)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game.batch.games import BatchGames, count_squares, legal_moves, to_mask
from game.batch.positions import Positions
from game.board import Board, Colour
from game.game import Game
from game.kernels import arrays
from game.kernels.words import from_int
from game.notation import PASS

BatchPolicy = Callable[[Positions, np.random.Generator], NDArray[np.int64]]
"""Picks a legal square for each of many positions, all of which have one: int64 [n]."""


@dataclass(frozen=True)
class History:
    """Games of one size, turn by turn. A game that is over stays as it is, with PASS for its moves."""

    size: int
    own: NDArray[np.uint64]
    """The discs of the side to move before each turn and after the last, [turns + 1, games, words]."""
    opponent: NDArray[np.uint64]
    black_to_move: NDArray[np.bool_]
    """[turns + 1, games]"""
    moves: NDArray[np.int64]
    """A square or PASS, [turns, games]."""
    finished: NDArray[np.bool_]
    """Whether the game was over before each turn and after the last, [turns + 1, games]."""

    def positions(self, turn: int) -> Positions:
        """Return all games before a turn (-1: at the end), from the view of the side to move."""
        return Positions(self.size, self.own[turn], self.opponent[turn])

    def boards(self) -> NDArray[np.int8]:
        """Return all boards, int8 [turns + 1, games, size, size]: 1 black, -1 white, 0 empty."""
        difference = to_mask(self.own, self.size).astype(np.int8) - to_mask(self.opponent, self.size)
        sign = np.where(self.black_to_move, 1, -1).astype(np.int8)
        return (difference * sign[..., None]).reshape(*sign.shape, self.size, self.size)

    def choices(self) -> NDArray[np.int64]:
        """Count the legal moves before each turn, int64 [turns, games]."""
        turns = range(len(self.moves))
        counts = [count_squares(legal_moves(self.positions(turn)), self.size) for turn in turns]
        return np.array(counts, np.int64).reshape(self.moves.shape)

    def game(self, index: int) -> Game:
        """Replay one game."""
        start = self.positions(0).board(index)
        if not self.black_to_move[0, index]:
            start = Board(start.size, start.white, start.black, Colour.WHITE)
        game = Game(start)
        for move in self.moves[~self.finished[:-1, index], index]:
            game.play(move)
        return game


def play_games(
    games: BatchGames, black: BatchPolicy, white: BatchPolicy, rng: np.random.Generator
) -> History:
    """Play games to their ends and return all that happened; forced passes are put in."""
    frames, plays = [_frame(games)], []
    while not games.finished.all():
        moves = np.full(len(games), PASS, np.int64)
        can_move = games.can_move
        for policy, to_move in ((black, games.black_to_move), (white, ~games.black_to_move)):
            asked = np.flatnonzero(to_move & can_move)
            if len(asked):
                moves[asked] = policy(games.positions.take(asked), rng)
        games.play(moves)
        frames.append(_frame(games))
        plays.append(moves)
    own, opponent, black_to_move, finished = (np.stack(column) for column in zip(*frames, strict=True))
    kept = np.array(plays, np.int64).reshape(-1, len(games))
    return History(games.size, own, opponent, black_to_move, kept, finished)


def _frame(games: BatchGames) -> tuple[NDArray[np.generic], ...]:
    positions = games.positions
    return positions.own.copy(), positions.opponent.copy(), games.black_to_move.copy(), games.finished.copy()


def random_policy(positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
    """Pick any legal move, uniformly."""
    return pick(legal_moves(positions), positions.size, rng)


def greedy_policy(positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
    """Pick one of the moves that turn over the most discs, uniformly."""
    best = np.empty_like(positions.own)
    arrays.most_flips(positions.own, positions.opponent, from_int(0, positions.size), positions.size, best)
    return pick(best, positions.size, rng)


def pick(squares: NDArray[np.uint64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return any square of each set, uint64 [n, words], uniformly, as int64 [n]; PASS for an empty one."""
    chosen = np.empty(len(squares), np.int64)
    arrays.pick(squares, from_int(0, size), rng.integers(2**64, dtype=np.uint64), chosen)
    return chosen
