"""The learner of AlphaZero. A search chooses the moves, and the network learns the results of searches."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.checkpoint import SavedState
from othello_lab.agent.learner import Seeds
from othello_lab.agent.network_learner import join_columns
from othello_lab.agent.policy import positions_of
from othello_lab.agent.policy_value.network import (
    GuideLearner,
    GuidePolicy,
    NetworkGuide,
    ResidualNetwork,
    log_policy,
    network_inputs,
)
from othello_lab.agent.selfplay.games import Choices, Decisions, GameBatch, lambda_returns
from othello_lab.game import symmetry
from othello_lab.game.batch import Positions
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.play import Turn
from othello_lab.game.players.mcts import GuidedPolicy
from othello_lab.game.players.player import Player
from othello_lab.game.search.gumbel import GuidedLimits, SearchResults, search_many

_NUMBERS = ("policy_loss", "value_loss", "score_loss")  # The names of `Losses` in the log.


class Examples(NamedTuple):
    """Positions from games, with the targets of the network."""

    own: NDArray[np.uint64]  # The discs of the side to move as bits, [n, words].
    opponent: NDArray[np.uint64]
    policies: NDArray[np.float16]  # The move probabilities of the searches, [n, squares].
    values: NDArray[np.float32]  # The target results, from -1 to 1, [n].
    scores: NDArray[np.float32]  # The final disc differences, divided by the number of squares, [n].

    def take(self, rows: NDArray[np.int64] | slice) -> "Examples":
        """Return the examples in `rows`."""
        own, opponent, policies, values, scores = self
        return Examples(own[rows], opponent[rows], policies[rows], values[rows], scores[rows])

    def transformed(
        self, symmetries: NDArray[np.int64], size: int, base: Evaluator | None = None
    ) -> tuple[Tensor, "Examples"]:
        """Return the inputs of the network, and the examples, each under a board symmetry, [n]."""
        sources = symmetry.inverses(size)[symmetries]  # [n, squares]
        planes = network_inputs(Positions(size, self.own, self.opponent), base)
        inputs = torch.from_numpy(np.take_along_axis(planes, sources[:, None], axis=2))
        return inputs, self._replace(policies=np.take_along_axis(self.policies, sources, axis=1))


def no_examples(size: int) -> Examples:
    """Return empty arrays of examples for a board size."""
    words, numbers = np.empty((0, words_of(size)), np.uint64), np.empty(0, np.float32)
    return Examples(words, words, np.empty((0, size * size), np.float16), numbers, numbers)


def examples_of(batch: GameBatch, bootstrap: float) -> Examples:
    """Return the examples of games in which searches chose the moves.

    The target of the value is a weighted mean of the search's value and the result. If a later decision has a
    proven value or is not the search's move, its value replaces the result.
    """
    assert batch.policies is not None  # noqa: S101  a search has played the games
    ends = np.where((batch.next_index < 0) & batch.on_policy, batch.results, batch.values)
    values = (1 - bootstrap) * lambda_returns(replace(batch, values=ends), 1.0) + bootstrap * batch.values
    scores = batch.scores / batch.positions.size**2
    own, opponent = batch.positions.own, batch.positions.opponent
    return Examples(own, opponent, batch.policies, values.astype(np.float32), scores.astype(np.float32))


class Losses(NamedTuple):
    """The three losses of a batch."""

    policy: Tensor  # The cross-entropy between the policies of the searches and of the network.
    value: Tensor  # The mean squared error of the value.
    score: Tensor  # The mean squared error of the final score, which is divided by the number of squares.


def losses_of(network: ResidualNetwork, inputs: Tensor, targets: Examples) -> Losses:
    """Return the losses of a batch. `inputs` is [n, 4 or 5, squares]."""
    outputs, illegal = network(inputs), inputs[:, 2] == 0  # [n, squares]
    logs = log_policy(outputs.logits, illegal).masked_fill(illegal, 0.0)
    policies, values, scores = (
        torch.from_numpy(part.astype(np.float32)).to(inputs.device)
        for part in (targets.policies, targets.values, targets.scores)
    )
    return Losses(
        -(policies * logs).sum(1).mean(),
        functional.mse_loss(outputs.values, values),
        functional.mse_loss(outputs.scores, scores),
    )


def limits_of(config: AlphaZeroConfig) -> GuidedLimits:
    """Return the limits of the searches from the options."""
    return GuidedLimits(config.simulations, config.considered, solve=config.solve)


class AlphaZeroPolicy(GuidePolicy[AlphaZeroConfig]):
    """A trained network. Its player searches before each move."""

    def player(self) -> Player:
        """Return a player that searches before each move."""
        return GuidedPolicy(self.guide, limits_of(self.config))


class _Saved(SavedState):
    due: float  # The finished fraction of the next update, from 0 to 1.


class AlphaZeroLearner(GuideLearner[AlphaZeroConfig]):
    """Learns from examples in a replay memory. The searches run on the CPU."""

    def __init__(self, config: AlphaZeroConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        super().__init__(config, size, seeds, device)
        self.saved = _Saved(0, dict.fromkeys(_NUMBERS, 0.0), {}, 0.0)
        self.decisions = no_examples(size)

    @property
    def numbers(self) -> dict[str, float]:
        """The numbers of updates and of remembered examples, and the mean losses of the last updates."""
        remembered = len(self.decisions.values)
        return {"updates": self.saved.updates, "remembered": remembered, **self.saved.numbers}

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the square that a search chooses, with noise from `rng` while exploring is on."""
        positions = positions_of(stack[:1], self.size)
        if self._best:
            return int(self._search(positions, None, self.best_guide).moves[0])
        luck = rng.integers(1 << 64, size=1, dtype=np.uint64)
        return int(self._search(positions, luck, self.guide).moves[0])

    def _search(self, positions: Positions, luck: SeatSeeds | None, guide: NetworkGuide) -> SearchResults:
        return search_many(guide, positions, limits_of(self.config), luck)

    def learn_from(self, game: Decisions) -> None:
        """Learn from one game. First search each of the positions again, without noise."""
        moves, values, on_policy, policies = _choices(self._search(game.positions, None, self.guide))
        on_policy = on_policy & (game.moves == moves)
        self.learn(GameBatch(**vars(game), values=values, on_policy=on_policy, policies=policies))

    def decide(self, turn: Turn, luck: SeatSeeds) -> Choices:
        """Choose moves by search. The noise of the search is the only exploration."""
        return _choices(self._search(turn.positions, luck, self.guide))

    def learn(self, batch: GameBatch) -> None:
        """Add the examples of the games to the memory, then make all due updates."""
        examples = examples_of(batch, self.config.bootstrap)
        self.decisions = join_columns([self.decisions, examples]).take(slice(-self.config.memory, None))
        self.saved.due += self.config.epochs * len(batch) / self.config.batch
        losses = [self._learn_batch() for _ in range(int(self.saved.due))]
        self.saved.due -= len(losses)
        if losses:
            means = [float(torch.stack(part).mean()) for part in zip(*losses, strict=True)]
            self.saved.numbers = dict(zip(_NUMBERS, means, strict=True))

    def _learn_batch(self) -> Losses:
        rows = self._rng.integers(len(self.decisions.values), size=self.config.batch)
        symmetries = self._rng.integers(symmetry.SYMMETRIES, size=self.config.batch)
        inputs, targets = self.decisions.take(rows).transformed(symmetries, self.size, self.base)
        losses = losses_of(self.network, inputs.to(self.device), targets)
        self.update(losses.policy + losses.value + self.config.score_weight * losses.score)
        return Losses(*(part.detach() for part in losses))


def _choices(searched: SearchResults) -> Choices:
    policies = searched.policies.astype(np.float16)
    return Choices(searched.moves, searched.values, ~searched.solved, policies)
