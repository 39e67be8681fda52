"""A round of self-play: all that its shards depend on, and how one is played, by whichever process."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays
from othello_lab.agent.learner import BatchLearner, PartsLearner, Seeds, find_method
from othello_lab.agent.selfplay.play import Deciding, Finished, Rules, Shard, Summary, by_values
from othello_lab.agent.selfplay.pool import PastSelf, Share, make_pool
from othello_lab.game.players.base import Policy

SHARD = 512
"""Games of a shard, at most. Smaller ones would be slower, for each turn is a few calls of numpy."""
PAST_SELVES = 4
"""This many play in the pool at most."""


class Part(NamedTuple):
    """What came of a shard whose worker has learned from its games."""

    difference: Any
    """See `BatchLearner.learn_apart`."""
    summary: Summary


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
    parts: int = 1
    """Where there are more, each part is a shard, whose worker learns from its games."""

    @property
    def shards(self) -> int:
        """How many shards there are: as few as can be, or one a part."""
        return min(self.parts, self.games) if self.parts > 1 else -(-self.games // SHARD)

    def play(self, shards: Iterable[int]) -> Iterator[Finished]:
        """Play shards by their numbers, all with the same weights."""
        learner = self._learner
        learner.take_weights(self.weights)
        past = [_past_self(path, _written(path), self.rules.size) for path in self.past]
        for shard in shards:
            yield self._play(shard, learner, past)

    def learn(self, shards: Iterable[int]) -> Iterator[Part]:
        """Play shards and learn from each by itself, all with the same weights."""
        learner: PartsLearner = self._learner
        for finished in self.play(shards):
            yield Part(learner.learn_apart(finished.played), finished.summary)

    @property
    def _learner(self) -> Any:  # noqa: ANN401  a BatchLearner or PartsLearner
        return learner_of(self.method, self.config, self.rules.size)

    def _play(self, shard: int, learner: BatchLearner, past: list[Policy]) -> Finished:
        numbers = self.done + np.array_split(np.arange(self.games), self.shards)[shard]
        pool = list(make_pool(self.pool, past, self.rules.size))
        deciding = _deciding(learner, len(numbers), self.rules.epsilon)
        found = Shard(self.rules, numbers, deciding.decide, pool, self.seed).play()
        return found._replace(played=replace(found.played, lesson=deciding.lesson()))


def _deciding(learner: BatchLearner, games: int, epsilon: float) -> Deciding:
    """Return how a learner plays this many games, exploring so far."""
    own: Callable[[int, float], Deciding] | None = getattr(learner, "deciding", None)
    return own(games, epsilon) if own else Deciding(by_values(learner.move_values, epsilon))


@lru_cache(1)
def learner_of(
    method: str,
    config: Any,  # noqa: ANN401  any method's dataclass
    size: int,
) -> BatchLearner:
    """Return a learner whose weights are to be set: making one takes longer than that."""
    none = np.random.SeedSequence(0)
    made: BatchLearner = find_method(method).load()(config, size, Seeds(none, none))
    return made


def _written(path: Path) -> int:
    """Return when a file was written; 0 if it is not there, which whoever reads it says."""
    return path.stat().st_mtime_ns if path.exists() else 0


@lru_cache(PAST_SELVES)
def _past_self(path: Path, written: int, size: int) -> Policy:
    """Return the policy of a checkpoint as a player; `written` tells one file of that name from another."""
    stored = checkpoint.load(path)
    method = find_method(stored.kind)
    none = np.random.SeedSequence(0)
    saved = method.read(stored, size)
    learner = method.load()(saved.config, size, Seeds(none, none))
    learner.take_policy(saved)
    return PastSelf(learner.move_values)
