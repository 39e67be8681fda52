"""Players that follow a simple rule, such as `random`, `greedy` and `corner-greedy`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Squares
from othello_lab.game.game import Game
from othello_lab.game.kernels import random_choices
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.luck import SeatSeeds, seat_seed_from
from othello_lab.game.players.player import Player, Policy
from othello_lab.game.registry import Entry
from othello_lab.game.values import MoveValues

if TYPE_CHECKING:
    from othello_lab.game.batch import Positions


class SimplePolicy(Policy):
    """A policy that follows a rule in `game.kernels.random_choices`."""

    rule: int

    def choose_many(self, positions: "Positions", luck: SeatSeeds) -> NDArray[np.int64]:
        """Return the move of the rule for each position, int64 [n]."""
        return by_rule(self.rule, positions, luck)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the move for one position, ten times as fast as `choose_many`."""
        board = game.board
        return random_choices.choice_of(self.rule, board.own, board.opponent, board.size, seat_seed_from(rng))


class RandomPlayer(SimplePolicy):
    """A player that plays uniformly random legal moves."""

    rule = random_choices.RANDOM


class GreedyPlayer(SimplePolicy):
    """A player that turns over the most discs, and chooses uniformly at random among equal moves."""

    rule = random_choices.GREEDY

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the number of discs that each move turns over. `rng` is not used."""
        board = game.board
        left = [board.play(move).own.bit_count() for move in board.legal_moves]
        return MoveValues(board.opponent.bit_count() - np.array(left, float), "discs turned over")


class CornerGreedyPlayer(SimplePolicy):
    """The built-in opponent of the 2017 environment.

    A legal corner is played with probability 0.9. Without a legal corner, the player turns over the most
    discs with probability 0.8, and takes the lowest square among equal moves. All other moves are random.
    """

    rule = random_choices.CORNER_GREEDY


class CornerOrRandomPlayer(SimplePolicy):
    """A player that plays a random legal corner, or a random legal move if no corner is legal."""

    rule = random_choices.CORNER_OR_RANDOM


def by_rule(rule: int, positions: "Positions", luck: SeatSeeds, first: int = 0) -> NDArray[np.int64]:
    """Return the move of a rule for each position, int64 [n]. `first` is the index of the first draw."""
    chosen = np.empty(len(luck), np.int64)
    size, kind = positions.size, from_int(0, positions.size)
    random_choices.choose(rule, positions.own, positions.opponent, kind, size, luck, first, chosen)
    return chosen


def best_of(
    values: NDArray[np.floating], positions: "Positions", draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return a move with the largest value for each position, int64 [n].

    `values`, [moves], has the values of each position by ascending square, without NaN. `draws`, [n], are
    numbers from 0 to below 1 that choose among equal moves. Every position has a legal move.
    """
    chosen = np.empty(len(positions), np.int64)
    numbers, kind = values.astype(np.float64, copy=False), from_int(0, positions.size)
    random_choices.best(numbers, positions.own, positions.opponent, kind, positions.size, draws, chosen)
    return chosen


def first_best(values: NDArray[np.floating], positions: "Positions") -> NDArray[np.int64]:
    """Return the lowest square with the largest value for each position. `best_of` describes `values`."""
    return best_of(values, positions, np.zeros(len(positions)))


def pick(squares: Squares, rng: np.random.Generator) -> int:
    """Return a uniformly random square of the set."""
    # random() takes a fifth of the time of integers(). The bias is below 2**-45, too small to measure.
    skip, bits = int(rng.random() * len(squares)), squares.bits
    for _ in range(skip):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def _entry(player: Callable[[], Player], line: str) -> Entry[Player]:
    return Entry(lambda spec, size: player(), line)


RANDOM = _entry(RandomPlayer, "a random legal move")
GREEDY = _entry(GreedyPlayer, "the move that turns over the most discs")
CORNER_GREEDY = _entry(CornerGreedyPlayer, "a corner if there is one, else the most discs; some random moves")
CORNER_OR_RANDOM = _entry(CornerOrRandomPlayer, "a random corner if there is one, else a random move")
