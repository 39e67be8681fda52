"""Training an agent's learner by rounds of self-play."""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agent import checkpoint
from agent.learner import BatchLearner
from agent.learning_agent import LearningAgent
from agent.selfplay.play import Results, Rules
from agent.selfplay.played import Played
from agent.selfplay.rounds import PAST_SELVES, Round, ShardsInOrder
from agent.selfplay.shares import PAST, Share

FIRST_PAST = 20_000
"""After this many games, twice as many, and so on, there is a past self: few, and different ones."""


class Summary(NamedTuple):
    """What came of a round."""

    results: Results
    decisions: int


class SelfPlay:
    """Plays rounds of games with the learner of an agent and has it learn from them.

    All that is needed to go on is in the agent's checkpoint and in those of past selves beside it.
    """

    def __init__(
        self,
        agent: LearningAgent[Any, Any],
        rules: Rules,
        pool: tuple[Share, ...],
        seed: int,
        in_order: ShardsInOrder,
    ) -> None:
        """How far the learner explores is up to the agent, not to `rules`."""
        self._agent, self._rules, self._pool, self._seed = agent, rules, pool, seed
        self._in_order = in_order
        self._has_past = any(share.name == PAST for share in pool)

    @property
    def _learner(self) -> BatchLearner:
        learner: BatchLearner = self._agent.learner  # another after a load
        return learner

    @property
    def decisions(self) -> int:
        """How many the agent has learned from, in all its games."""
        return self._agent.steps

    def play(self, done: int, games: int) -> Summary:
        """Play this many games after those that are done, and learn from them."""
        plan = self._round(done, games)
        finished = list(self._in_order(plan.play, plan.shards, plan.past))
        played = Played.joined([shard.played for shard in finished])
        self._learner.learn(played)
        self._agent.games += games
        self._agent.steps += len(played)
        self._keep_past_self(done, done + games)
        return Summary(_sum(shard.results for shard in finished), len(played))

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

    def _keep_past_self(self, before: int, done: int) -> None:
        for number in self._past(done)[len(self._past(before)) :]:
            self._agent.save_policy(_name(number))

    def _past(self, done: int) -> list[int]:
        """After how many games there has been a past self, up to those that are done."""
        count = (done // FIRST_PAST).bit_length() if self._has_past else 0
        return [FIRST_PAST << doubled for doubled in range(count)]

    def _past_self(self, number: int) -> Path:
        return _from_here(checkpoint.path_of(self._agent.directory, _name(number)))

    def plan_for(self, games: int) -> None:
        """Have schedules that follow the length of the run go by this estimate of it."""
        self._agent.plan_for(games)


def _from_here(path: Path) -> Path:
    """Return a path from the working folder: wherever games are played, files stand as they do here."""
    try:
        return Path(os.path.relpath(path))
    except ValueError:  # on another drive of Windows
        return path.resolve()


def _name(games: int) -> str:
    return f"past-{games:08d}"


def _sum(parts: Iterable[Results]) -> Results:
    """Return the results of all parts together."""
    counts: dict[tuple[str, str], Counter[int]] = {}
    for results in parts:
        for seat, three in results.items():
            counts.setdefault(seat, Counter()).update(dict(enumerate(three)))
    return {seat: (own[0], own[1], own[2]) for seat, own in counts.items()}
