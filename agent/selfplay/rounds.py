"""Rounds of self-play: shards of games played with the learner as it is, from which it then learns."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from agent.checkpoint import Arrays
from agent.learner import BatchLearner
from agent.selfplay.opponents import BatchPlayer, PastSelf
from agent.selfplay.play import Rules, Shard
from agent.selfplay.played import Played
from agent.selfplay.pool import STANDARD, make_pool


@dataclass(frozen=True)
class Settings:
    """How self-play is organised: with the same seed the same games, on any number of processes."""

    rules: Rules
    shards: int = 2
    """Of a round: all are played with the same weights, and learned from in their order."""
    games: int = 512
    """Of a shard, at once."""
    pool: tuple[str, ...] = STANDARD
    """Opponents by name, see `pool.MAKERS`."""
    past_selves: int = 4
    """The newest past selves that play in the pool too; 0: none."""
    past_every: int = 100
    """Rounds between them."""


@dataclass(frozen=True)
class Round:
    """All that the shards of one round depend on, besides their numbers."""

    settings: Settings
    seed: int
    number: int
    weights: Arrays
    past: tuple[Arrays, ...]

    def play(self, shards: Iterable[int], make: Callable[[], BatchLearner]) -> Iterator[Played]:
        """Play shards by their numbers, with learners that `make` makes: all as one with these weights."""
        learner, *past = (_with_weights(make(), arrays) for arrays in (self.weights, *self.past))
        selves: list[BatchPlayer] = [PastSelf(self_.move_values) for self_ in past]
        for shard in shards:
            yield self._play(shard, learner, selves)

    def _play(self, shard: int, learner: BatchLearner, selves: list[BatchPlayer]) -> Played:
        rules, games = self.settings.rules, self.settings.games
        seeds = np.random.SeedSequence(self.seed, spawn_key=(self.number, shard))
        draws, players = (np.random.default_rng(child) for child in seeds.spawn(2))
        pool = make_pool(self.settings.pool, rules.size, games, players) + selves
        return Shard(rules, games, learner.move_values, pool, draws).play()


def _with_weights(learner: BatchLearner, arrays: Arrays) -> BatchLearner:
    learner.take_weights(arrays)
    return learner


@dataclass
class Past:
    """The past selves of a run, the oldest first."""

    settings: Settings
    selves: list[Arrays] = field(default_factory=list)

    def after(self, rounds: int, learner: BatchLearner) -> None:
        """Keep the learner as it is, if so many rounds say that it is time."""
        if self.settings.past_selves and rounds % self.settings.past_every == 0:
            self.selves = [*self.selves, learner.weights()][-self.settings.past_selves :]
