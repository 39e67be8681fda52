"""The pool of opponents: who plays against the learner, and in which share of the games."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from agent.selfplay.opponents import Opponent, as_opponent, random_weights
from agent.selfplay.shares import PAST, Share, read_shares
from game.evaluators import make_evaluator
from game.players.one_ply import OnePlyPlayer
from game.players.simple import CornerGreedyPlayer, RandomPlayer
from game.registry import RegistryError

Maker = Callable[[int, int, np.random.Generator], Opponent]
"""Makes a player from the size of the boards, the number of games of a shard, and its generator."""

MAKERS: dict[str, Maker] = {
    "random": lambda size, games, rng: as_opponent(RandomPlayer()),
    "corner-greedy": lambda size, games, rng: as_opponent(CornerGreedyPlayer()),
    "random-weights": random_weights,
}
"""The players that a pool can have besides evaluators, which look one ply ahead, and past selves."""


class Rival(NamedTuple):
    """A player of the pool."""

    name: str
    games: float
    """See Share."""
    choose: Opponent


def read_pool(text: str, size: int) -> tuple[Share, ...]:
    """Return the pool that a text such as `random=0.1,positional=0.2,past=0.1` names, on boards of a size.

    Raises ValueError.
    """
    shares = read_shares(text)
    for share in shares:
        _check(share.name, size)
    return shares


def _check(name: str, size: int) -> None:
    """Raise ValueError for what is no player of the pool."""
    if name in {*MAKERS, PAST}:
        return
    try:
        make_evaluator(name, size)
    except RegistryError as error:
        known = ", ".join([*MAKERS, PAST])
        raise ValueError(f"the pool has {known} and evaluators, but not {name!r}: {error}") from None


def make_pool(
    shares: Sequence[Share], past: Sequence[Opponent], size: int, games: int, rng: np.random.Generator
) -> Iterator[Rival]:
    """Yield the players of a pool for a shard of this many games; past selves divide their share."""
    for name, share in shares:
        if name == PAST:
            yield from (Rival(name, share / len(past), player) for player in past)
        else:
            yield Rival(name, share, _make(name, size, games, rng))


def _make(name: str, size: int, games: int, rng: np.random.Generator) -> Opponent:
    if name in MAKERS:
        return MAKERS[name](size, games, rng)
    return as_opponent(OnePlyPlayer(make_evaluator(name, size), results=True))
