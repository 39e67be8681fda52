"""Training an agent's learner by rounds of self-play, whose games are played in shards.

A shard depends on nothing but its round and its number.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays
from othello_lab.agent.learner import BatchLearner, Seeds, find_method
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.selfplay.play import Deciding, Finished, Results, Rules, Shard, by_values, summed
from othello_lab.agent.selfplay.played import Played
from othello_lab.agent.selfplay.pool import PAST, PastSelf, Share, make_pool
from othello_lab.game.players.base import Policy
from othello_lab.game.registry import parse

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
    device: str = "cpu"
    """Where learners compute."""

    @property
    def shards(self) -> int:
        """How many shards there are: as few as can be."""
        return -(-self.games // SHARD)

    def play(self, shards: Iterable[int]) -> Iterator[Finished]:
        """Play shards by their numbers, all with the same weights."""
        learner = _learner(self.method, self.config, self.rules.size, self.device)
        learner.take_weights(self.weights)
        past = [_past_self(path, _written(path), self.rules.size) for path in self.past]
        for shard in shards:
            yield self._play(shard, learner, past)

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


ShardsInOrder = Callable[
    [Callable[[Iterable[int]], Iterator[Finished]], int, Sequence[Path]], Iterable[Finished]
]
"""Does this many shards of a work that reads some files, anywhere; returns their results in order."""


def for_batches(text: str) -> str:
    """Return the text of a learner with what its method adds for many games at once."""
    spec = parse(text)
    more = find_method(spec.name).batched
    return f"{text},{more}" if more and more.partition("=")[0] not in spec.options else text


def plays_on_device(text: str) -> bool:
    """Tell whether a learner's games are played on its device; raise ValueError if it computes on none."""
    method = find_method(parse(text).name)
    if not method.devices:
        raise ValueError(f"{method.name} computes on the processor: leave --device out")
    return method.games_on_devices


def check_batches(text: str, size: int) -> None:
    """Raise ValueError if the learner that a text names does not learn from many games at once."""
    spec = parse(text)
    method = find_method(spec.name)
    learner = _learner(method.name, method.configure(spec.options, size, None), size)
    if not all(hasattr(learner, needed) for needed in ("move_values", "learn", "weights", "take_weights")):
        raise ValueError(f"{method.name} learns from one game at a time only: train it by othello run")


@lru_cache(1)
def _learner(
    method: str,
    config: Any,  # noqa: ANN401  any method's dataclass
    size: int,
    device: str = "cpu",
) -> BatchLearner:
    """Return a learner whose weights are to be set: making one takes longer than that."""
    none = np.random.SeedSequence(0)
    made: BatchLearner = find_method(method).load(device)(config, size, Seeds(none, none))
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


FIRST_PAST = 20_000
"""After this many games, twice as many, and so on, there is a past self: few, and different ones."""


class Summary(NamedTuple):
    """What came of a round."""

    results: Results
    decisions: int


class Training(ABC):
    """An agent's learner in training by rounds of games, wherever they are played.

    All that is needed to go on is in the agent's checkpoint and in those of past selves beside it.
    """

    def __init__(self, agent: LearningAgent[Any, Any], pool: tuple[Share, ...], seed: int) -> None:
        self._agent, self._pool, self._seed = agent, pool, seed
        self._has_past = any(share.name == PAST for share in pool)

    @abstractmethod
    def play(self, done: int, games: int) -> Summary:
        """Play this many games after those that are done, and learn from them."""

    @property
    def decisions(self) -> int:
        """How many the agent has learned from, in all its games."""
        return self._agent.steps

    def plan_for(self, games: int) -> None:
        """Have schedules that follow the length of the run go by this estimate of it."""
        self._agent.plan_for(games)

    def profile(self) -> str:
        """Say where the time went, if that is known."""
        return ""

    def _count(self, done: int, summary: Summary) -> Summary:
        """Count a round after the games that were done before it, and keep past selves that are due."""
        games = sum(sum(three) for three in summary.results.values())
        self._agent.games += games
        self._agent.steps += summary.decisions
        for number in self._past(done + games)[len(self._past(done)) :]:
            self._agent.save_policy(_name(number))
        return summary

    def _past(self, done: int) -> list[int]:
        """After how many games there has been a past self, up to those that are done."""
        count = (done // FIRST_PAST).bit_length() if self._has_past else 0
        return [FIRST_PAST << doubled for doubled in range(count)]

    def _past_self(self, number: int) -> Path:
        return _from_here(checkpoint.path_of(self._agent.directory, _name(number)))


class SelfPlay(Training):
    """Rounds whose games compiled code plays, in shards, before the learner learns from all of them."""

    def __init__(
        self,
        agent: LearningAgent[Any, Any],
        rules: Rules,
        pool: tuple[Share, ...],
        seed: int,
        in_order: ShardsInOrder,
        device: str = "cpu",
    ) -> None:
        """How far the learner explores is up to the agent, not to `rules`; `device`: where it computes."""
        super().__init__(agent, pool, seed)
        self._rules, self._in_order, self._device = rules, in_order, device

    @property
    def _learner(self) -> BatchLearner:
        learner: BatchLearner = self._agent.learner  # another after a load
        return learner

    def play(self, done: int, games: int) -> Summary:
        """See `Training`."""
        plan = self._round(done, games)
        finished = list(self._in_order(plan.play, plan.shards, plan.past))
        played = Played.joined([shard.played for shard in finished])
        self._learner.learn(played)
        return self._count(done, Summary(summed(shard.results for shard in finished), len(played)))

    def _round(self, done: int, games: int) -> Round:
        return Round(
            self._agent.method.name,
            self._agent.config,
            replace(self._rules, epsilon=self._agent.epsilon),
            self._pool,
            tuple(self._past_self(number) for number in self._past(done)[-PAST_SELVES:]),
            self._seed,
            done,
            games,
            self._learner.weights(),
            self._device,
        )


def _from_here(path: Path) -> Path:
    """Return a path from the working folder: wherever games are played, files stand as they do here."""
    try:
        return Path(os.path.relpath(path))
    except ValueError:  # on another drive of Windows
        return path.resolve()


def _name(games: int) -> str:
    return f"past-{games:08d}"
