"""A round of self-play: all that its shards depend on, and how one is played, by whichever process."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays
from othello_lab.agent.learner import BatchLearner, Seeds, find_method
from othello_lab.agent.selfplay.play import Decide, Finished, Rules, Shard, by_values
from othello_lab.agent.selfplay.pool import PastSelf, Share, make_pool
from othello_lab.game.players.player import Policy

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
        """The number of shards, as few as possible."""
        return -(-self.games // SHARD)

    def play(self, shards: Iterable[int]) -> Iterator[Finished]:
        """Play shards by their numbers, all with the same weights."""
        learner = learner_of(self.method, self.config, self.rules.size)
        learner.take_weights(self.weights)
        past = [_past_self(path, _written(path), self.rules.size) for path in self.past]
        for shard in shards:
            yield self._play(shard, learner, past)

    def _play(self, shard: int, learner: BatchLearner, past: list[Policy]) -> Finished:
        numbers = self.done + np.array_split(np.arange(self.games), self.shards)[shard]
        pool = list(make_pool(self.pool, past, self.rules.size))
        own: Decide | None = getattr(learner, "decide", None)
        decide = own or by_values(learner.move_values, self.rules.epsilon)
        return Shard(self.rules, numbers, decide, pool, self.seed).play()


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
