"""Policies of many games at once, beside the random and the greedy one of `history.py`."""

import numpy as np
from numpy.typing import NDArray

from game.batch.games import any_of, legal_moves, to_mask
from game.batch.history import pick
from game.batch.positions import Positions
from game.board import Board, Colour, corners
from game.kernels import arrays
from game.kernels.words import from_int


def corner_greedy_policy(positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
    """Pick as the opponent of the 2017 trio: see `game.players.simple.CornerGreedyPlayer`."""
    size, legal = positions.size, legal_moves(positions)
    on_offer = _corners_of(legal, size)
    t, some = rng.random(len(legal)), any_of(on_offer)
    moves = pick(legal, size, rng)
    flips = np.empty_like(legal)
    arrays.most_flips(positions.own, positions.opponent, from_int(0, size), size, flips)
    # The lowest square is the first in row-major order.
    moves = np.where(~some & (t < 0.8), to_mask(flips, size).argmax(axis=1), moves)
    chosen: NDArray[np.int64] = np.where(some & (t < 0.9), pick(on_offer, size, rng), moves)
    return chosen


def corner_or_random_policy(positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
    """Pick any corner that can be taken, else any legal move, uniformly in both cases."""
    legal = legal_moves(positions)
    on_offer = _corners_of(legal, positions.size)
    return pick(np.where(any_of(on_offer)[:, None], on_offer, legal), positions.size, rng)


def _corners_of(squares: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Return the corners among sets of squares, uint64 [n, words]."""
    found: NDArray[np.uint64] = squares & Positions.of([Board(size, corners(size).bits, 0, Colour.BLACK)]).own
    return found


def best_of(
    values: NDArray[np.floating], positions: Positions, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a move of each position that has the largest of its moves' values, uniformly among equals.

    values: [moves], those of the first position by ascending square, then those of the second.
    """
    owner, squares, first = _moves_of(positions)
    best = np.maximum.reduceat(values, first)
    # Of equals the one with the largest random number.
    draws = np.where(values == best[owner], rng.random(len(values)), -1.0)
    chosen = draws == np.maximum.reduceat(draws, first)[owner]
    moves: NDArray[np.int64] = squares[chosen]
    return moves


def first_best(values: NDArray[np.floating], positions: Positions) -> NDArray[np.int64]:
    """Return the lowest square of those with the largest value in each position; `values` as in `best_of`."""
    owner, squares, first = _moves_of(positions)
    best = np.flatnonzero(values == np.maximum.reduceat(values, first)[owner])
    chosen: NDArray[np.int64] = squares[best[np.searchsorted(owner[best], np.arange(len(positions)))]]
    return chosen


def _moves_of(positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return whose each legal move is and its square, [moves]; where those of each position begin, [n]."""
    owner, squares = np.nonzero(to_mask(legal_moves(positions), positions.size))
    return owner, squares, np.searchsorted(owner, np.arange(len(positions)))
