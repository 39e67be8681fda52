"""Training by rounds of self-play: games are played in shards, here or in other processes, then learned.

A shard depends on nothing but its round and its number.
"""

from collections.abc import Callable, Iterable, Iterator
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
from othello_lab.agent.selfplay.pool import PAST, PastSelf, Share, make_pool
from othello_lab.game.players.player import Policy
from othello_lab.game.registry import parse

SHARD = 512
"""Maximum number of games in a shard. Smaller ones are slower: a turn of a shard is a few calls of numpy."""
PAST_SELVES = 4
"""Maximum number of past policies in the pool."""
FIRST_PAST = 20_000
"""After so many games, twice as many and so on, the policy is kept: few of them, and different ones."""
ShardsInOrder = Callable[[Callable[[Iterable[int]], Iterator[Any]], int], Iterable[Any]]
"""Does a number of shards of a piece of work, in any process; returns their results in order."""


def for_batches(text: str) -> str:
    """Return the text of a learner with the options that its method adds for self-play."""
    spec = parse(text)
    more = find_method(spec.name).batched
    return f"{text},{more}" if more and more.partition("=")[0] not in spec.options else text


def check_batches(text: str, size: int) -> None:
    """Raise ValueError if a learner does not learn from self-play."""
    spec = parse(text)
    method = find_method(spec.name)
    learner = new_learner(method.name, method.configure(spec.options, size, None), size)
    if not all(hasattr(learner, name) for name in ("move_values", "learn", "weights", "take_weights")):
        raise ValueError(f"{text} learns from one game at a time only: train it by othello run")


@lru_cache(1)
def new_learner(
    method: str,
    config: Any,  # noqa: ANN401  any method's dataclass
    size: int,
) -> BatchLearner:
    """Return a learner whose weights the caller sets; cached, because making one takes longer than that."""
    seed = np.random.SeedSequence(0)
    learner: BatchLearner = find_method(method).load(config)(config, size, Seeds(seed, seed))
    return learner


@dataclass(frozen=True)
class SelfPlayRound:
    """The data that the shards of a round depend on, besides their numbers; sent to other processes."""

    method: str
    config: Any
    """The method's dataclass."""
    settings: GameSettings
    pool: tuple[Share, ...]
    past: tuple[Path, ...]
    """Checkpoints of past policies."""
    seed: int
    done: int
    """The number of games before this round."""
    games: int
    weights: Arrays

    @property
    def shards(self) -> int:
        """The number of shards, as few as possible."""
        return -(-self.games // SHARD)

    def play(self, shards: Iterable[int]) -> Iterator[PlayedGames]:
        """Play shards by their numbers, all with the same weights."""
        size = self.settings.size
        learner = new_learner(self.method, self.config, size)
        learner.take_weights(self.weights)
        form: Any = type(self.config)
        past = [_past_self(path, _modified(path), form, size) for path in self.past]
        pool = list(make_pool(self.pool, past, size))
        decide: Decide | None = getattr(learner, "decide", None)
        decide = decide or by_values(learner.move_values, self.settings.epsilon)
        for shard in shards:
            numbers = self.done + np.array_split(np.arange(self.games), self.shards)[shard]
            yield SelfPlayGames(self.settings, numbers, decide, pool, self.seed).play()


def _modified(path: Path) -> int:
    """Return the modification time of a file; 0 for a missing file, which `checkpoint.load` reports."""
    return path.stat().st_mtime_ns if path.exists() else 0


@lru_cache(PAST_SELVES)
def _past_self(path: Path, modified: int, form: Any, size: int) -> Policy:  # noqa: ANN401  a class
    """Return the policy of a checkpoint, whose configuration has this class, as a player.

    `modified` distinguishes files of the same name.
    """
    stored = checkpoint.load(path)
    method = find_method(stored.kind)
    seed = np.random.SeedSequence(0)
    learner = method.load(form)(config_of(stored, size, form), size, Seeds(seed, seed))
    learner.take_policy(method.read(stored, size))
    return PastSelf(learner.move_values)


class SelfPlay:
    """Rounds of games played in shards; the learner of an agent learns after each round.

    The agent's checkpoint and those of the past policies next to it hold all that a resumed run needs.
    """

    def __init__(
        self,
        agent: LearningAgent,
        settings: GameSettings,
        pool: tuple[Share, ...],
        seed: int,
        in_order: ShardsInOrder,
    ) -> None:
        """The agent's epsilon replaces that of `settings`."""
        self._agent, self._settings, self._pool, self._seed = agent, settings, pool, seed
        self._in_order = in_order
        self._has_past = any(share.name == PAST for share in pool)

    @property
    def decisions(self) -> int:
        """The number of decisions in all games that the agent has learned from."""
        return self._agent.steps

    def plan_for(self, games: int) -> None:
        """Set schedules that depend on the length of the run to this number of games, an estimate."""
        self._agent.plan_for(games)

    def play(self, done: int, games: int) -> PlayedGames:
        """Play `games` games after the `done` games before them, and learn from them.

        Keeps the past policies that are due; raises OSError if one cannot be written, such as on a full disk
        or in a run folder that was removed.
        """
        this_round = self._round(done, games)
        finished: list[PlayedGames] = list(self._in_order(this_round.play, this_round.shards))
        batch = GameBatch.joined([shard.batch for shard in finished])
        self._learner.learn(batch)
        self._agent.games += games
        self._agent.steps += len(batch)
        for number in self._past(done + games)[len(self._past(done)) :]:
            self._keep(number)
        return PlayedGames(batch, summed(shard.results for shard in finished))

    @property
    def _learner(self) -> BatchLearner:
        learner: BatchLearner = self._agent.learner  # loading a checkpoint replaces it
        return learner

    def _round(self, done: int, games: int) -> SelfPlayRound:
        return SelfPlayRound(
            self._agent.method.name,
            self._agent.config,
            replace(self._settings, epsilon=self._agent.epsilon),
            self._pool,
            tuple(
                checkpoint.path_of(self._agent.directory, _name(number))
                for number in self._past(done)[-PAST_SELVES:]
            ),
            self._seed,
            done,
            games,
            self._learner.weights(),
        )

    def _past(self, done: int) -> list[int]:
        """Return the numbers of games after which a past policy was kept, up to `done`."""
        count = (done // FIRST_PAST).bit_length() if self._has_past else 0
        return [FIRST_PAST << doubled for doubled in range(count)]

    def _keep(self, number: int) -> None:
        if self._agent.directory:
            self._agent.directory.parent.stat()  # raises OSError: a removed run folder is not created again
        try:
            self._agent.save_policy(_name(number))
        except CheckpointError as error:
            raise OSError(str(error)) from None


def _name(games: int) -> str:
    return f"past-{games:08d}"
