"""Training in rounds of self-play. In each round, the learner plays many games and then learns.

A round is divided into shards. The games of a shard depend only on the round and the shard's number.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, CheckpointError, config_of
from othello_lab.agent.learner import BatchLearner, Seeds, find_method
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.selfplay.games import GameBatch
from othello_lab.agent.selfplay.play import (
    Decide,
    GameSettings,
    PlayedGames,
    SelfPlayGames,
    by_values,
    summed,
)
from othello_lab.agent.selfplay.pool import PAST, PastSelf, make_pool
from othello_lab.game.players.player import Policy
from othello_lab.game.registry import parse

SHARD = 512  # Maximum number of games in a shard. Each turn has an overhead, so small shards are slow.
PAST_SELVES = 4  # Maximum number of past policies in the pool.
FIRST_PAST = 20_000  # The policy is saved after this many games, then at each doubling of the number.
# Runs a job for several shards, in any process, and returns the results in order.
ShardsInOrder = Callable[[Callable[[Iterable[int]], Iterator[Any]], int], Iterable[Any]]


def for_batches(text: str) -> str:
    """Return the text of a learner, with `Method.batched` added unless the text sets this option."""
    spec = parse(text)
    more = find_method(spec.name).batched
    return f"{text},{more}" if more and more.partition("=")[0] not in spec.options else text


def check_batches(text: str, size: int) -> None:
    """Raise ValueError if a learner cannot learn from many games at once."""
    spec = parse(text)
    method = find_method(spec.name)
    learner = new_learner(method.name, method.configure(spec.options, size, None), size)
    if not all(hasattr(learner, name) for name in ("move_values", "learn", "weights", "take_weights")):
        raise ValueError(f"{text} learns from one game at a time only: train it by othello run")


@lru_cache(1)
def new_learner(method: str, config: Any, size: int) -> BatchLearner:  # noqa: ANN401  of any method
    """Return a cached learner, because construction takes time. The caller must set its weights."""
    seed = np.random.SeedSequence(0)
    learner: BatchLearner = find_method(method).load(config)(config, size, Seeds(seed, seed))
    return learner


@dataclass(frozen=True)
class SelfPlayRound:
    """The data with which a process can play any shard of a round."""

    method: str
    config: Any  # The configuration of the method.
    settings: GameSettings
    pool: Mapping[str, float]
    past: tuple[Path, ...]  # The checkpoints of past policies.
    seed: int
    done: int  # The number of games before this round.
    games: int
    weights: Arrays

    @property
    def shards(self) -> int:
        """The number of shards in this round."""
        return -(-self.games // SHARD)

    def play(self, shards: Iterable[int]) -> Iterator[PlayedGames]:
        """Play the shards with these numbers. All games use the same weights."""
        size = self.settings.size
        learner = new_learner(self.method, self.config, size)
        learner.take_weights(self.weights)
        form: Any = type(self.config)
        past = [_past_self(path, path.exists() and path.stat().st_mtime_ns, form, size) for path in self.past]
        pool = list(make_pool(self.pool, past, size))
        decide: Decide | None = getattr(learner, "decide", None)
        decide = decide or by_values(learner.move_values, self.settings.epsilon)
        for shard in shards:
            numbers = self.done + np.array_split(np.arange(self.games), self.shards)[shard]
            yield SelfPlayGames(self.settings, numbers, decide, pool, self.seed).play()


@lru_cache(PAST_SELVES)
def _past_self(path: Path, modified: int, form: Any, size: int) -> Policy:  # noqa: ANN401  a class
    """Return the policy of a checkpoint as a player. `modified` makes the cache reload a changed file."""
    stored = checkpoint.load(path)
    method = find_method(stored.kind)
    seed = np.random.SeedSequence(0)
    learner = method.load(form)(config_of(stored, size, form), size, Seeds(seed, seed))
    learner.take_policy(method.open(stored, size))
    return PastSelf(learner.move_values)


class SelfPlay:
    """Rounds of self-play. An agent's learner learns after each round."""

    def __init__(
        self,
        agent: LearningAgent,
        settings: GameSettings,
        pool: Mapping[str, float],
        seed: int,
        in_order: ShardsInOrder,
    ) -> None:
        self._agent, self._settings, self._pool, self._seed = agent, settings, pool, seed
        self._in_order = in_order

    def plan_for(self, games: int) -> None:
        """Set the schedules for a run of `games` games, which may be an estimate."""
        self._agent.plan_for(games)

    def play(self, done: int, games: int) -> PlayedGames:
        """Play `games` games after `done` games, learn, and save a due past policy. Raises OSError."""
        agent, learner = self._agent, self._agent.learner  # a loaded checkpoint replaces the learner
        before, now = self._past(done), self._past(done + games)
        past = tuple(checkpoint.path_of(agent.directory, _name(number)) for number in before[-PAST_SELVES:])
        settings, weights = replace(self._settings, epsilon=agent.epsilon), learner.weights()
        this_round = SelfPlayRound(
            agent.method.name, agent.config, settings, self._pool, past, self._seed, done, games, weights
        )
        finished: list[PlayedGames] = list(self._in_order(this_round.play, this_round.shards))
        batch = GameBatch.joined([shard.batch for shard in finished])
        learner.learn(batch)
        agent.games += games
        agent.steps += len(batch)
        for number in now[len(before) :]:
            if agent.directory:
                agent.directory.parent.stat()  # raises OSError if the run folder was removed
            try:
                agent.save_policy(_name(number))
            except CheckpointError as error:
                raise OSError(str(error)) from None
        return PlayedGames(batch, summed(shard.results for shard in finished))

    def _past(self, done: int) -> list[int]:
        """Return the numbers of games, at most `done`, after which the policy was saved."""
        count = (done // FIRST_PAST).bit_length() if PAST in self._pool else 0
        return [FIRST_PAST << doubled for doubled in range(count)]


def _name(games: int) -> str:
    return f"past-{games:08d}"
