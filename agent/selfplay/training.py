"""Training an agent's learner by rounds of self-play, whose games are played in shards.

A shard depends on nothing but its round and its number.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import CheckpointError
from othello_lab.agent.learner import BatchLearner, PartsLearner, find_method
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.selfplay.play import Finished, Rules, Summary, joined
from othello_lab.agent.selfplay.played import Played
from othello_lab.agent.selfplay.pool import PAST, Share
from othello_lab.agent.selfplay.round import PAST_SELVES, Part, Round, learner_of
from othello_lab.game.registry import parse

ShardsInOrder = Callable[[Callable[[Iterable[int]], Iterator[Any]], int, Sequence[Path]], Iterable[Any]]
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
    """Raise ValueError if the learner that a text names does not learn so from many games at once."""
    spec = parse(text)
    method = find_method(spec.name)
    config = method.configure(spec.options, size, None)
    method.check_batched(spec.options, config)
    learner = learner_of(method.name, config, size)
    if not all(hasattr(learner, needed) for needed in ("move_values", "learn", "weights", "take_weights")):
        raise ValueError(f"{method.name} learns from one game at a time only: train it by othello run")


FIRST_PAST = 20_000
"""After this many games, twice as many, and so on, there is a past self: few, and different ones."""


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
        """Count a round after the games that were done before it, and keep past selves that are due.

        Raises OSError if they cannot be written: on a full disk, or where the run's folder has gone.
        """
        games = sum(sum(three) for three in summary.results.values())
        self._agent.games += games
        self._agent.steps += summary.decisions
        for number in self._past(done + games)[len(self._past(done)) :]:
            self._keep(number)
        return summary

    def _keep(self, number: int) -> None:
        if self._agent.directory:
            self._agent.directory.parent.stat()  # a run's folder that somebody has removed is not made again
        try:
            self._agent.save_policy(_name(number))
        except CheckpointError as error:
            raise OSError(str(error)) from None

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
        learn = self._learn_in_parts if plan.parts > 1 else self._learn
        return self._count(done, joined(learn(plan)))

    def _learn(self, plan: Round) -> list[Summary]:
        finished: list[Finished] = list(self._in_order(plan.play, plan.shards, plan.past))
        self._learner.learn(Played.joined([shard.played for shard in finished]))
        return [shard.summary for shard in finished]

    def _learn_in_parts(self, plan: Round) -> list[Summary]:
        summaries: list[Summary] = []

        def differences() -> Iterator[Any]:
            parts: Iterable[Part] = self._in_order(plan.learn, plan.shards, plan.past)
            for part in parts:
                summaries.append(part.summary)
                yield part.difference

        learner: PartsLearner = self._agent.learner
        learner.join(differences())
        return summaries

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
            getattr(self._agent.config, "parts", 1),
        )


def _from_here(path: Path) -> Path:
    """Return a path from the working folder: wherever games are played, files stand as they do here."""
    try:
        return Path(os.path.relpath(path))
    except ValueError:  # on another drive of Windows
        return path.resolve()


def _name(games: int) -> str:
    return f"past-{games:08d}"
