"""Training an agent's learner by rounds of self-play."""

import os
from abc import ABC, abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agent import checkpoint
from agent.learner import BatchLearner
from agent.learning_agent import LearningAgent
from agent.selfplay.play import Results, Rules, summed
from agent.selfplay.played import Played
from agent.selfplay.rounds import PAST_SELVES, Round, ShardsInOrder
from agent.selfplay.shares import PAST, Share

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
    ) -> None:
        """How far the learner explores is up to the agent, not to `rules`."""
        super().__init__(agent, pool, seed)
        self._rules, self._in_order = rules, in_order

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
        )


def _from_here(path: Path) -> Path:
    """Return a path from the working folder: wherever games are played, files stand as they do here."""
    try:
        return Path(os.path.relpath(path))
    except ValueError:  # on another drive of Windows
        return path.resolve()


def _name(games: int) -> str:
    return f"past-{games:08d}"
