"""Players that look at one move: without a plan, or by what an evaluator says of the position after it.

Without a plan are random, greedy, corners, and the corner-greedy opponent of the 2017 trio.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board, Squares
from othello_lab.game.evaluators.catalogue import EVALUATORS, SquareEvaluator, piece_weights
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.kernels import bitboard, choices
from othello_lab.game.kernels.words import from_int, to_int
from othello_lab.game.play.luck import Words, draws
from othello_lab.game.players.base import MoveValues, Player, Policy
from othello_lab.game.registry import Entry, Spec
from othello_lab.game.search import batched


class SimplePolicy(Policy):
    """A rule of `game.kernels.choices`."""

    rule: int

    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """Return a move for each position by the rule."""
        return by_rule(self.rule, positions, luck)

    def decide(self, game: Game, luck: int) -> int:
        """Return the same for one position, ten times as fast as for an array of one."""
        board, size = game.board, game.size
        own, opponent = from_int(board.own, size), from_int(board.opponent, size)
        return int(choices.choice(self.rule, own, opponent, size, np.uint64(luck), 0))


class RandomPlayer(SimplePolicy):
    """Any legal move, uniformly."""

    rule = choices.RANDOM


class GreedyPlayer(SimplePolicy):
    """The move that turns over the most discs, uniformly among equals."""

    rule = choices.GREEDY

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return how many discs each move turns over; `rng` is not used."""
        board = game.board
        left = [board.play(move).own.bit_count() for move in board.legal_moves]
        return MoveValues(board.opponent.bit_count() - np.array(left, float), "discs turned over")


class CornerGreedyPlayer(SimplePolicy):
    """The opponent inside the 2017 environment.

    One uniform t is drawn. With a corner on offer: a random corner if t < 0.9, else any legal move. Without
    one: the move with the most flips (the first in row-major order) if t < 0.8, else any legal move.
    """

    rule = choices.CORNER_GREEDY


class CornerOrRandomPlayer(SimplePolicy):
    """A corner if there is one, else any legal move, uniformly in both cases."""

    rule = choices.CORNER_OR_RANDOM


def by_rule(rule: int, positions: Positions, luck: Words, first: int = 0) -> NDArray[np.int64]:
    """Return a move for each position by a rule of `game.kernels.choices`, whose draws begin at `first`."""
    chosen = np.empty(len(luck), np.int64)
    size, like = positions.size, from_int(0, positions.size)
    choices.choose(rule, positions.own, positions.opponent, like, size, luck, first, chosen)
    return chosen


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


def best_of(
    values: NDArray[np.floating], positions: Positions, draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return a move of each position that has the largest of its moves' values, uniformly among equals.

    values: [moves], no NaN, those of the first position by ascending square, then those of the second; draws:
    from 0 to 1, [n]. Every position has a move.
    """
    chosen = np.empty(len(positions), np.int64)
    numbers, like = values.astype(np.float64, copy=False), from_int(0, positions.size)
    choices.best(numbers, positions.own, positions.opponent, like, positions.size, draws, chosen)
    return chosen


def first_best(values: NDArray[np.floating], positions: Positions) -> NDArray[np.int64]:
    """Return the lowest square of those with the largest value in each position; `values` as in `best_of`."""
    return best_of(values, positions, np.zeros(len(positions)))


class OnePlyPlayer(Policy):
    """Plays the move with the best position behind it, uniformly among equals."""

    def __init__(self, evaluator: Evaluator, results: bool) -> None:
        """With `results` a finished game counts by who won, above any evaluation; else as any position."""
        self._evaluator = evaluator
        self._results = results

    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """Return one of the best moves of each position."""
        return best_of(self._judge(positions), positions, draws(luck, positions, 0))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return what it chooses by; `rng` is not used."""
        return MoveValues(self._judge(Positions.of([game.board])), self._evaluator.unit)

    def _judge(self, positions: Positions) -> NDArray[np.float64]:
        """Return what each legal move is worth, float64 [moves], in the order of `batched.children`."""
        after = batched.children(positions)
        # The opponent is to move there: what is good for it is bad for us.
        if self._results:
            return -batched.values(after, 0, self._evaluator)[0]
        return -self._evaluator.values(after)


def _piece_values(spec: Spec, size: int) -> Player:
    """Return the 4/2/1 player, who counts its own discs only."""
    return OnePlyPlayer(SquareEvaluator(piece_weights(size), last_mover=True), results=False)


def _plain(player: Callable[[], Player], line: str) -> Entry[Player]:
    return Entry(lambda spec, size: player(), line)


def _entry(evaluator: str, results: bool) -> Entry[Player]:
    """Return the player of one ply that goes with an evaluator."""
    found = EVALUATORS.entries[evaluator]

    def make(spec: Spec, size: int) -> Player:
        return OnePlyPlayer(found.make(spec, size), results)

    return Entry(make, f"one ply: {found.line}", found.argument, found.options, found.files)


ENTRIES: dict[str, Entry[Player]] = {
    "random": _plain(RandomPlayer, "any legal move"),
    "greedy": _plain(GreedyPlayer, "the move that turns over the most discs"),
    "corner-greedy": _plain(CornerGreedyPlayer, "corners first, else most discs, with some random moves"),
    "corner-or-random": _plain(CornerOrRandomPlayer, "a corner if there is one, else any legal move"),
    "positional": _entry("positional", results=True),
    "mobility": _entry("mobility", results=True),
    "weights": _entry("weights", results=False),
    "piece-values": Entry(_piece_values, "one ply: own discs, a corner 4, an edge 2, any other 1"),
}
