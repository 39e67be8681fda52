"""A round of self-play: shards of games that depend on nothing but what stands here and their numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from agent import checkpoint, learners
from agent.checkpoint import Arrays
from agent.learner import BatchLearner, Seeds
from agent.selfplay.play import Finished, Rules, Shard
from agent.selfplay.pool import PastSelf, make_pool
from agent.selfplay.shares import Share
from game.players.base import Policy
from game.registry import parse

SHARD = 512
"""Games of a shard, at most. Smaller ones would be slower, for each turn is a few calls of numpy."""
PAST_SELVES = 4
"""This many play in the pool at most."""


@dataclass(frozen=True)
class Round:
    """All that the shards of one round depend on, besides their numbers; made to be sent to processes."""

    method: str
    config: Any
    """The method's dataclass."""
    rules: Rules
    pool: tuple[Share, ...]
    past: tuple[Path, ...]
    """Checkpoints of past selves."""
    seed: int
    done: int
    """The games before this round: it goes on with their numbers."""
    games: int
    weights: Arrays

    @property
    def shards(self) -> int:
        """How many shards there are: as few as can be."""
        return -(-self.games // SHARD)

    def play(self, shards: Iterable[int]) -> Iterator[Finished]:
        """Play shards by their numbers, all with the same weights."""
        learner = _learner(self.method, self.config, self.rules.size)
        learner.take_weights(self.weights)
        past = [_past_self(path, _written(path), self.rules.size) for path in self.past]
        for shard in shards:
            yield self._play(shard, learner, past)

    def _play(self, shard: int, learner: BatchLearner, past: list[Policy]) -> Finished:
        numbers = self.done + np.array_split(np.arange(self.games), self.shards)[shard]
        pool = list(make_pool(self.pool, past, self.rules.size))
        return Shard(self.rules, numbers, learner.move_values, pool, self.seed).play()


ShardsInOrder = Callable[
    [Callable[[Iterable[int]], Iterator[Finished]], int, Sequence[Path]], Iterable[Finished]
]
"""Does this many shards of a work that reads some files, anywhere; returns their results in order."""


def for_batches(text: str) -> str:
    """Return the text of a learner with what its method adds for many games at once."""
    spec = parse(text)
    more = learners.find(spec.name).batched
    return f"{text},{more}" if more and more.partition("=")[0] not in spec.options else text


def check_batches(text: str, size: int) -> None:
    """Raise ValueError if the learner that a text names does not learn from many games at once."""
    spec = parse(text)
    method = learners.find(spec.name)
    learner = _learner(method.name, method.configure(spec.options, size, None), size)
    if not all(hasattr(learner, needed) for needed in ("move_values", "learn", "weights", "take_weights")):
        raise ValueError(f"{method.name} learns from one game at a time only: train it by othello run")


@lru_cache(1)
def _learner(method: str, config: Any, size: int) -> BatchLearner:  # noqa: ANN401  any method's dataclass
    """Return a learner whose weights are to be set: making one takes longer than that."""
    none = np.random.SeedSequence(0)
    made: BatchLearner = learners.find(method).load()(config, size, Seeds(none, none))
    return made


def _written(path: Path) -> int:
    """Return when a file was written; 0 if it is not there, which whoever reads it says."""
    return path.stat().st_mtime_ns if path.exists() else 0


@lru_cache(PAST_SELVES)
def _past_self(path: Path, written: int, size: int) -> Policy:
    """Return the policy of a checkpoint as a player; `written` tells one file of that name from another."""
    stored = checkpoint.load(path)
    method = learners.find(stored.kind)
    none = np.random.SeedSequence(0)
    saved = method.read(stored, size)
    learner = method.load()(saved.config, size, Seeds(none, none))
    learner.take_policy(saved)
    return PastSelf(learner.move_values)
