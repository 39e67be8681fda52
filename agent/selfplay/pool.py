"""The pool of opponents in self-play, parsed from a text."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.policy import MoveJudge
from othello_lab.game.batch import Positions, count_squares, draws, legal_moves, to_mask
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.luck import SeatSeeds, uniforms
from othello_lab.game.players.minimax import OnePlyPlayer
from othello_lab.game.players.player import Policy
from othello_lab.game.players.simple import SimplePolicy, best_of
from othello_lab.game.registry import RegistryError
from othello_lab.game.search.textbook import children

PAST = "past"  # The name for past policies of the learner in a pool.
NONE = "none"  # The text for an empty pool.
# The default pool.
STANDARD = "random=0.05,corner-greedy=0.2,positional=0.1,mobility=0.1,random-weights=0.1,past=0.05"


class Opponent(NamedTuple):
    """A player of the pool."""

    name: str
    share: float  # The share of games against this player, from 0 to 1.
    policy: Policy


class PastSelf(Policy):
    """A past policy of the learner as a player, which chooses at random among equal moves."""

    def __init__(self, move_values: MoveJudge) -> None:
        self._move_values = move_values

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return a move with the highest value in each position, int64 [n]."""
        return best_of(self._move_values(positions), positions, draws(luck, positions, 0))


class RandomWeights(Policy):
    """A player that looks one ply ahead with random square weights, which are different in each game."""

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return the move with the best weighted disc difference in each position, int64 [n]."""
        weights, after = draw_weights(positions.size, luck), children(positions)
        choices = count_squares(legal_moves(positions), positions.size)
        difference = to_mask(after.opponent, after.size).astype(np.float32) - to_mask(after.own, after.size)
        values = np.einsum("ij,ij->i", difference, np.repeat(weights, choices, axis=0))
        return best_of(values, positions, draws(luck, positions, 0))


def draw_weights(size: int, luck: SeatSeeds) -> NDArray[np.float32]:
    """Return random weights of squares for each game, float32 [n, squares].

    Corners have weights from 60 to 120. The edge squares next to corners have -45 to 5, and the diagonal
    neighbours of corners have -60 to 0. Other edge squares have -5 to 25, and inner squares have -5 to 5. The
    weights are symmetric except for some noise.
    """
    half, games = size // 2, len(luck)
    lowest, highest = np.full((half, half), -5.0), np.full((half, half), 5.0)
    highest[0, :] = 25
    for square, (low, high) in {(0, 1): (-45, 5), (1, 1): (-60, 0), (0, 0): (60, 120)}.items():
        lowest[square], highest[square] = low, high
    drawn = uniforms(luck, half * half + size * size)
    matrix = lowest + (highest - lowest) * drawn[:, : half * half].reshape(games, half, half)
    quarter = np.where(np.triu(np.ones((half, half), bool)), matrix, matrix.transpose(0, 2, 1))
    top = np.concatenate([quarter, quarter[:, :, ::-1]], axis=2)
    whole = np.concatenate([top, top[:, ::-1]], axis=1).reshape(games, size * size)
    noisy: NDArray[np.float32] = (whole + 4 * drawn[:, half * half :] - 2).astype(np.float32)
    return noisy


# A pool may also name `past` and evaluators, which look one ply ahead.
PLAYERS: dict[str, Callable[[], Policy]] = {
    "random": partial(SimplePolicy, "random"),
    "corner-greedy": partial(SimplePolicy, "corner-greedy"),
    "random-weights": RandomWeights,
}


def read_pool(text: str, size: int) -> dict[str, float]:
    """Return the players' shares of games in a pool such as `random=0.1,past=0.1`. Raises ValueError."""
    pool: dict[str, float] = {}
    for part in text.split(",") if text != NONE else ():
        name, _, games = part.strip().rpartition("=")
        try:
            share = float(games)
        except ValueError:
            share = math.nan
        if not (name and 0 < share < 1):
            raise ValueError(f"{part[:80]!r} is no player with a share, such as random=0.1")
        pool[name] = pool.get(name, 0.0) + share
    if (total := sum(pool.values())) >= 1:
        raise ValueError(f"the shares of the pool come to {total:g}, expected less than 1")
    known = [*PLAYERS, PAST]
    for name in [name for name in pool if name not in known]:
        try:
            make_evaluator(name, size)
        except RegistryError as error:
            players = ", ".join(known)
            raise ValueError(f"the pool has {players} and evaluators, but not {name!r}: {error}") from None
    return pool


def make_pool(pool: Mapping[str, float], past: Sequence[Policy], size: int) -> Iterator[Opponent]:
    """Yield the players of a pool. The past policies divide the share of `past`."""
    for name, share in pool.items():
        if name == PAST:
            yield from (Opponent(PAST, share / len(past), policy) for policy in past)
        elif name in PLAYERS:
            yield Opponent(name, share, PLAYERS[name]())
        else:
            yield Opponent(name, share, OnePlyPlayer(make_evaluator(name, size), results=True))
