"""Players that follow a simple rule, such as `greedy` and `corner-greedy`. The rules are in `choice`."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Squares
from othello_lab.game.catalogue import Entry
from othello_lab.game.game import Game
from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.bits import (
    ONE_WORD,
    Bits,
    Integer,
    Rows,
    count,
    from_int,
    from_row,
    lowest,
    nth_row,
    occupied,
    single,
    without_lowest,
)
from othello_lab.game.kernels.jit import compiled, compiled_for
from othello_lab.game.luck import SeatSeeds, random_square, random_word, seat_seed_from, turn_word, uniform
from othello_lab.game.players.player import MoveValues, Player, Policy

if TYPE_CHECKING:
    from othello_lab.game.batch import Positions

_LINES = {  # One-line descriptions of the rules by name.
    "random": "a random legal move",
    "greedy": "the move that turns over the most discs",
    "corner-greedy": "a corner if there is one, else the most discs; some random moves",
    "corner-or-random": "a random corner if there is one, else a random move",
}
_RANDOM, _GREEDY, _CORNER_GREEDY, _CORNER_OR_RANDOM = range(len(_LINES))


@compiled
def _most_flips(own: Bits, opponent: Bits, size: int) -> Bits:
    """Return the legal moves that turn over the most discs."""
    moves = bitboard.legal_moves(own, opponent, size)
    best, best_count = moves & ~moves, 0
    while occupied(moves):
        square = lowest(moves)
        turned = count(bitboard.flips(own, opponent, square, size))
        if turned > best_count:
            best, best_count = single(own, square), turned
        elif turned == best_count:
            best = best | single(own, square)
        moves = without_lowest(moves)
    return best


def choice(rule: int, own: Bits, opponent: Bits, size: int, luck: Integer, first: int) -> Integer:
    """Return the square that a rule chooses. `first` is the index of the first draw."""
    word = turn_word(own, opponent, luck)
    draw = random_word(word, first)
    if rule == _GREEDY:
        return random_square(_most_flips(own, opponent, size), draw)
    moves = bitboard.legal_moves(own, opponent, size)
    if rule == _RANDOM:
        return random_square(moves, draw)
    on_offer = moves & from_row(own, bitboard.CORNERS[size])
    if rule == _CORNER_OR_RANDOM:
        return random_square(on_offer if occupied(on_offer) else moves, draw)
    t = uniform(random_word(word, first + 1))  # corner-greedy, the opponent of the 2017 environment
    if occupied(on_offer) and t < 0.9:
        return random_square(on_offer, draw)
    if not occupied(on_offer) and t < 0.8:
        return lowest(_most_flips(own, opponent, size))
    return random_square(moves, draw)


_choice_on_words = compiled(choice)
_choice_on_integers = compiled_for(choice, "(int64, uint64, uint64, int64, uint64, int64)")


@compiled
def _choose(
    rule: int,
    own: Rows,
    opponent: Rows,
    kind: Bits,
    size: int,
    luck: NDArray[np.uint64],
    first: int,
    chosen: NDArray[np.int64],
) -> None:
    for i in range(len(luck)):
        chosen[i] = _choice_on_words(
            rule, nth_row(kind, own, i), nth_row(kind, opponent, i), size, luck[i], first
        )


class SimplePolicy(Policy):
    """A policy that follows a rule, such as `SimplePolicy("greedy")`."""

    def __init__(self, rule: str) -> None:
        self._rule = [*_LINES].index(rule)

    def choose_many(self, positions: "Positions", luck: SeatSeeds, first: int = 0) -> NDArray[np.int64]:
        """Return the move of the rule for each position, int64 [n]. `first` is the first draw's index."""
        chosen = np.empty(len(luck), np.int64)
        _choose(self._rule, *positions.for_kernels, luck, first, chosen)
        return chosen

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the move for one position, ten times as fast as `choose_many`."""
        board, luck = game.board, seat_seed_from(rng)
        own, opponent, size = board.own, board.opponent, board.size
        if size <= ONE_WORD:
            return int(_choice_on_integers()(self._rule, own, opponent, size, luck, 0))
        words = from_int(own, size), from_int(opponent, size)
        return int(_choice_on_words(self._rule, *words, size, np.uint64(luck), 0))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the number of discs that each move turns over for `greedy`, else None."""
        if self._rule != _GREEDY:
            return None
        board = game.board
        left = [board.play(move).own.bit_count() for move in board.legal_moves]
        return MoveValues(board.opponent.bit_count() - np.array(left, float), "discs turned over")


RANDOM, GREEDY, CORNER_GREEDY, CORNER_OR_RANDOM = (
    Entry[Player](lambda spec, size: SimplePolicy(spec.name), line) for line in _LINES.values()
)
random_moves = SimplePolicy("random").choose_many


@compiled
def _best(
    values: NDArray[np.float64],
    own: Rows,
    opponent: Rows,
    kind: Bits,
    size: int,
    draws: NDArray[np.float64],
    chosen: NDArray[np.int64],
) -> None:
    """Write the result of `best_of` into `chosen`."""
    first = 0
    for i in range(len(chosen)):
        moves = bitboard.legal_moves(nth_row(kind, own, i), nth_row(kind, opponent, i), size)
        own_values = values[first : first + count(moves)]
        highest, equals = -np.inf, 0
        for value in own_values:
            if value > highest:
                highest, equals = value, 0
            equals += value == highest
        left = int(draws[i] * equals)
        for value in own_values:
            if equals == 0 or (value == highest and left == 0):  # equals is 0 where all values are NaN
                break
            left -= value == highest
            moves = without_lowest(moves)
        chosen[i] = lowest(moves)
        first += len(own_values)


def best_of(
    values: NDArray[np.floating], positions: "Positions", draws: NDArray[np.float64] | None = None
) -> NDArray[np.int64]:
    """Return a move with the maximum of `values`, [moves by position and square], per position, int64 [n].

    `draws`, [n] in [0, 1), break ties. Without `draws`, the lowest square of a tie is chosen.
    """
    chosen = np.empty(len(positions), np.int64)
    draws = np.zeros(len(positions)) if draws is None else draws
    _best(values.astype(np.float64, copy=False), *positions.for_kernels, draws, chosen)
    return chosen


def pick(squares: Squares, rng: np.random.Generator) -> int:
    """Return a uniformly random square of the set."""
    # random() takes a fifth of the time of integers(). The bias is below 2**-45, too small to measure.
    skip, bits = int(rng.random() * len(squares)), squares.bits
    for _ in range(skip):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1
