"""Players without a plan: random, greedy, corners, and the corner-greedy opponent of the 2017 trio."""

import numpy as np
from numpy.typing import NDArray

from game.batch.history import greedy_policy, random_policy
from game.batch.policies import corner_greedy_policy, corner_or_random_policy
from game.batch.positions import Positions
from game.board import Board, Squares, corners
from game.game import Game
from game.kernels import bitboard
from game.kernels.words import from_int, to_int
from game.players.base import Player
from game.players.values import MoveValues


class RandomPlayer(Player):
    """Any legal move, uniformly."""

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a uniformly random legal move."""
        return pick(game.board.legal_moves, rng)

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a move for each position by the same rule."""
        return random_policy(positions, rng)


class GreedyPlayer(Player):
    """The move that turns over the most discs, uniformly among equals."""

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return one of the moves with the most flips."""
        return pick(most_flips(game.board), rng)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return how many discs each move turns over; `rng` is not used."""
        board = game.board
        left = [board.play(move).own.bit_count() for move in board.legal_moves]
        return MoveValues(board.opponent.bit_count() - np.array(left, float), "discs turned over")

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a move for each position by the same rule."""
        return greedy_policy(positions, rng)


class CornerGreedyPlayer(Player):
    """The opponent inside the 2017 environment.

    One uniform t is drawn. With a corner on offer: a random corner if t < 0.9, else any legal move. Without
    one: the move with the most flips (the first in row-major order) if t < 0.8, else any legal move.
    """

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a move by the rule above."""
        board, t = game.board, rng.random()
        moves = board.legal_moves
        on_offer = Squares(moves.bits & corners(board.size).bits)
        if on_offer and t < 0.9:
            return pick(on_offer, rng)
        if t < 0.8:
            return next(iter(most_flips(board)))
        return pick(moves, rng)

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a move for each position by the same rule."""
        return corner_greedy_policy(positions, rng)


class CornerOrRandomPlayer(Player):
    """A corner if there is one, else any legal move, uniformly in both cases."""

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a move by the rule above."""
        moves = game.board.legal_moves
        on_offer = Squares(moves.bits & corners(game.size).bits)
        return pick(on_offer or moves, rng)

    def choose_many(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a move for each position by the same rule."""
        return corner_or_random_policy(positions, rng)


def pick(squares: Squares, rng: np.random.Generator) -> int:
    """Return one of the squares, uniformly."""
    # random() costs a fifth of integers(); the bias, below 2**-45, is far from anything measurable.
    skip, bits = int(rng.random() * len(squares)), squares.bits
    for _ in range(skip):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def most_flips(board: Board) -> Squares:
    """Return the legal moves that turn over the most discs."""
    size = board.size
    return Squares(
        to_int(bitboard.most_flips(from_int(board.own, size), from_int(board.opponent, size), size))
    )
