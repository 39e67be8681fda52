"""Who plays against the learner, by name."""

from collections.abc import Callable, Sequence

import numpy as np

from agent.selfplay.opponents import (
    BatchPlayer,
    CornerGreedyOpponent,
    EvaluatingOpponent,
    RandomOpponent,
    RandomWeightsOpponent,
)
from game.evaluators import make_evaluator
from game.registry import similar

Maker = Callable[[int, int, np.random.Generator], BatchPlayer]
"""Makes a player from the size of the boards, the number of games of a shard, and its generator."""


def _evaluating(text: str) -> Maker:
    return lambda size, games, rng: EvaluatingOpponent(make_evaluator(text, size))


MAKERS: dict[str, Maker] = {
    "random": lambda size, games, rng: RandomOpponent(),
    "corner-greedy": lambda size, games, rng: CornerGreedyOpponent(),
    "positional": _evaluating("positional"),
    "mobility": _evaluating("mobility"),
    "random-weights": RandomWeightsOpponent,
}
"""The players that a pool can have, besides past selves."""
STANDARD = tuple(MAKERS)


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError for a name that no player of the pool has."""
    for name in names:
        if name not in MAKERS:
            raise ValueError(f"the pool has no player {name!r}{similar(name, list(MAKERS))}")


def make_pool(names: Sequence[str], size: int, games: int, rng: np.random.Generator) -> list[BatchPlayer]:
    """Return the players of these names for a shard of so many games."""
    return [MAKERS[name](size, games, rng) for name in names]
