"""Training an agent's learner by rounds of self-play, whose games are played in shards.

A shard depends on nothing but its round and its number.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import CheckpointError
from othello_lab.agent.learner import BatchLearner, find_method
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.selfplay.play import Finished, Rules, Summary, joined
from othello_lab.agent.selfplay.played import Played
from othello_lab.agent.selfplay.pool import PAST, Share
from othello_lab.agent.selfplay.round import PAST_SELVES, Round, learner_of
from othello_lab.game.registry import parse

ShardsInOrder = Callable[[Callable[[Iterable[int]], Iterator[Any]], int], Iterable[Any]]
"""Does this many shards of a work that reads some files, anywhere; returns their results in order."""


def for_batches(text: str) -> str:
    """Return the text of a learner with what its method adds for many games at once."""
    spec = parse(text)
    more = find_method(spec.name).batched
    return f"{text},{more}" if more and more.partition("=")[0] not in spec.options else text


def check_batches(text: str, size: int) -> None:
    """Raise ValueError if a learner does not learn from many games at once, or has options unused there."""
    spec = parse(text)
    method = find_method(spec.name)
    if unused := sorted(spec.options.keys() & method.unused_in_selfplay):
        raise ValueError(f"self-play does not use {', '.join(unused)} of {method.name}: leave it out")
    config = method.configure(spec.options, size, None)
    if (frames := getattr(config, "frames", 1)) > 1:
        raise ValueError(f"frames is {frames}, expected 1: self-play shows positions without their history")
    learner = learner_of(method.name, config, size)
    if not all(hasattr(learner, needed) for needed in ("move_values", "learn", "weights", "take_weights")):
        raise ValueError(f"{method.name} learns from one game at a time only: train it by othello run")


FIRST_PAST = 20_000
"""After this many games, twice as many, and so on, there is a past self: few, and different ones."""


class SelfPlay:
    """Rounds of games played in shards; the learner of an agent learns after each round.

    The agent's checkpoint and those of the past selves beside it hold all that a resumed run needs.
    """

    def __init__(
        self,
        agent: LearningAgent[Any, Any],
        rules: Rules,
        pool: tuple[Share, ...],
        seed: int,
        in_order: ShardsInOrder,
    ) -> None:
        """The agent, not `rules`, says how far the learner explores."""
        self._agent, self._rules, self._pool, self._seed = agent, rules, pool, seed
        self._in_order = in_order
        self._has_past = any(share.name == PAST for share in pool)

    @property
    def decisions(self) -> int:
        """The number of decisions in all games that the agent has learned from."""
        return self._agent.steps

    def plan_for(self, games: int) -> None:
        """Set schedules that follow the length of the run to this number of games, an estimate."""
        self._agent.plan_for(games)

    def play(self, done: int, games: int) -> Summary:
        """Play `games` games after the `done` games before them, and learn from them.

        Keep the past selves that are due; raise OSError if one cannot be written, such as on a full disk or
        in a run folder that was removed.
        """
        plan = self._round(done, games)
        finished: list[Finished] = list(self._in_order(plan.play, plan.shards))
        self._learner.learn(Played.joined([shard.played for shard in finished]))
        summary = joined([shard.summary for shard in finished])
        self._agent.games += games
        self._agent.steps += summary.decisions
        for number in self._past(done + games)[len(self._past(done)) :]:
            self._keep(number)
        return summary

    @property
    def _learner(self) -> BatchLearner:
        learner: BatchLearner = self._agent.learner  # another after a load
        return learner

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

    def _past(self, done: int) -> list[int]:
        """Return the numbers of games after which a past self was kept, up to `done`."""
        count = (done // FIRST_PAST).bit_length() if self._has_past else 0
        return [FIRST_PAST << doubled for doubled in range(count)]

    def _past_self(self, number: int) -> Path:
        return checkpoint.path_of(self._agent.directory, _name(number))

    def _keep(self, number: int) -> None:
        if self._agent.directory:
            self._agent.directory.parent.stat()  # raises OSError: a removed run folder is not made again
        try:
            self._agent.save_policy(_name(number))
        except CheckpointError as error:
            raise OSError(str(error)) from None


def _name(games: int) -> str:
    return f"past-{games:08d}"
