"""AlphaZero as a learning method: games by search, and a network that learns what the searches found."""

from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.checkpoint import (
    Arrays,
    Count,
    Stored,
    Values,
    column_arrays,
    columns_of,
    generator,
    join_columns,
    typed,
)
from othello_lab.agent.learner import Seeds
from othello_lab.agent.policy import positions_of
from othello_lab.agent.policy_value.base import seen
from othello_lab.agent.policy_value.guide import GuidePolicy, NetworkGuide
from othello_lab.agent.policy_value.learner import NetworkLearner
from othello_lab.agent.policy_value.network import ResidualNetwork, log_policy
from othello_lab.agent.selfplay.games import Choices, Decisions, GameBatch, lambda_returns
from othello_lab.game import symmetry
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.kernels.bits import words_of
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.play import Turn
from othello_lab.game.players.mcts import GuidedPolicy
from othello_lab.game.players.player import Player
from othello_lab.game.search.guided import GuidedLimits, SearchResults, search_many


class Examples(NamedTuple):
    """Decisions, and what the network should say of them."""

    own: NDArray[np.uint64]
    """The discs of the side that decides, [n, words]."""
    opponent: NDArray[np.uint64]
    policies: NDArray[np.float16]
    """[n, squares]"""
    values: NDArray[np.float32]
    """[n]"""
    scores: NDArray[np.float32]
    """[n]"""

    def take(self, rows: NDArray[np.int64] | slice) -> "Examples":
        """Return some of them."""
        own, opponent, policies, values, scores = self
        return Examples(own[rows], opponent[rows], policies[rows], values[rows], scores[rows])


def none(size: int) -> Examples:
    """Return no examples on boards of a size."""
    words = np.empty((0, words_of(size)), np.uint64)
    numbers = np.empty(0, np.float32)
    return Examples(words, words, np.empty((0, size * size), np.float16), numbers, numbers)


def examples_of(played: GameBatch, bootstrap: float) -> Examples:
    """Return the examples in games that were played by search.

    The value is how the game went on, mixed with what the search said. It went on to the result of the game,
    or to what the search said of the next decision where it has proven that, or has not chosen the move.
    """
    assert played.policies is not None  # noqa: S101  they were played by search
    ends = np.where((played.next_index < 0) & played.greedy, played.results, played.values)
    values = (1 - bootstrap) * lambda_returns(replace(played, values=ends), 1.0) + bootstrap * played.values
    scores = played.scores / played.positions.size**2
    own, opponent = played.positions.own, played.positions.opponent
    return Examples(own, opponent, played.policies, values.astype(np.float32), scores.astype(np.float32))


class Losses(NamedTuple):
    """The parts of the loss of a batch."""

    policy: Tensor
    """The cross entropy with the policies that searches found."""
    value: Tensor
    """The mean squared error."""
    score: Tensor
    """Likewise, of the final score as a share of all squares."""


def losses_of(network: ResidualNetwork, shown: Tensor, wanted: Examples) -> Losses:
    """Return the losses of examples that are shown so, [n, 4 or 5, squares]."""
    outputs, illegal = network(shown), shown[:, 2] == 0  # [n, squares]
    shares = log_policy(outputs.logits, illegal).masked_fill(illegal, 0.0)
    policies, values, scores = (
        torch.from_numpy(part.astype(np.float32)).to(shown.device)
        for part in (wanted.policies, wanted.values, wanted.scores)
    )
    return Losses(
        -(policies * shares).sum(1).mean(),
        functional.mse_loss(outputs.values, values),
        functional.mse_loss(outputs.scores, scores),
    )


def turned(
    examples: Examples, symmetries: NDArray[np.int64], size: int, base: Evaluator | None = None
) -> tuple[Tensor, Examples]:
    """Return what is shown of examples, each under the symmetry of that number, and what is wanted there."""
    sources = symmetry.inverses(size)[symmetries]  # [n, squares]
    planes = seen(Positions(size, examples.own, examples.opponent), base)
    shown = torch.from_numpy(np.take_along_axis(planes, sources[:, None], axis=2))
    return shown, examples._replace(policies=np.take_along_axis(examples.policies, sources, axis=1))


def limits_of(config: AlphaZeroConfig) -> GuidedLimits:
    """Return how far the searches of a configuration go."""
    return GuidedLimits(config.simulations, config.considered, solve=config.solve)


class AlphaZeroPolicy(GuidePolicy[AlphaZeroConfig]):
    """Plays by the search of its configuration."""

    def player(self) -> Player:
        """See `Learned`."""
        return GuidedPolicy(self.guide, limits_of(self.config))


class SavedState(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    due: float
    """The fraction of an update that is still due."""
    losses: tuple[float, float, float]
    """See `Losses`."""
    draws: dict[str, Any]
    """The random state that batches and symmetries are drawn with."""


class AlphaZeroLearner(NetworkLearner[AlphaZeroConfig]):
    """Learns at the end of a game, or of many; its searches are on the processor."""

    def __init__(self, config: AlphaZeroConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        super().__init__(config, size, seeds, device)
        self._memory = none(size)
        self._due, self._losses = 0.0, (0.0, 0.0, 0.0)

    @property
    def numbers(self) -> dict[str, float]:
        """How many updates there were, the losses of the last ones, and what is remembered."""
        losses = zip(Losses._fields, self._losses, strict=True)
        parts = {f"{name}_loss": loss for name, loss in losses}
        return {"updates": self._updates, "remembered": len(self._memory.values), **parts}

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the square that a search finds; `rng` draws its noise; best play has none."""
        positions = positions_of(stack[:1], self.size)
        if self._best:
            return int(self._search(positions, None, self._best_guide).moves[0])
        luck = rng.integers(1 << 64, size=1, dtype=np.uint64)
        return int(self._search(positions, luck, self._guide).moves[0])

    def _search(self, positions: Positions, luck: SeatSeeds | None, guide: NetworkGuide) -> SearchResults:
        return search_many(guide, positions, limits_of(self.config), luck)

    def learn_from(self, game: Decisions) -> None:
        """See `NetworkLearner`; what searches find of the game's decisions is found anew."""
        found = self._search(game.positions, None, self._guide)
        choices = _choices(found)
        greedy = choices.greedy & (game.moves == found.moves)
        self.learn(GameBatch(**vars(game), values=found.values, greedy=greedy, policies=choices.policies))

    def decide(self, turn: Turn, luck: SeatSeeds) -> Choices:
        """See `BatchLearner`: by search; the noise of the search is the only exploration."""
        return _choices(self._search(turn.positions, luck, self._guide))

    def learn(self, played: GameBatch) -> None:
        """See `BatchLearner`."""
        examples = examples_of(played, self.config.bootstrap)
        self._memory = join_columns([self._memory, examples]).take(slice(-self.config.memory, None))
        self._due += self.config.epochs * len(played) / self.config.batch
        losses = [self._learn_a_batch() for _ in range(int(self._due))]
        self._due -= len(losses)
        if losses:
            policy, value, score = (float(torch.stack(part).mean()) for part in zip(*losses, strict=True))
            self._losses = policy, value, score

    def _learn_a_batch(self) -> Losses:
        rows = self._rng.integers(len(self._memory.values), size=self.config.batch)
        symmetries = self._rng.integers(symmetry.SYMMETRIES, size=self.config.batch)
        shown, wanted = turned(self._memory.take(rows), symmetries, self.size, self._base)
        losses = losses_of(self._learning.network, shown.to(self._device), wanted)
        self.update(losses.policy + losses.value + self.config.score_weight * losses.score)
        return Losses(*(part.detach() for part in losses))

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`: the networks, the optimiser and the memory."""
        draws = dict(self._rng.bit_generator.state)
        values = msgspec.to_builtins(SavedState(self._updates, self._due, self._losses, draws))
        return self.learned() | column_arrays(self._memory), values

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, SavedState)
        remembered, arrays = columns_of(stored, self._memory)
        rng = generator(stored.path, saved.draws)
        self.take_learned(stored, arrays)
        self._memory, self._rng = remembered, rng
        self._updates, self._due, self._losses = saved.updates, saved.due, saved.losses


def _choices(found: SearchResults) -> Choices:
    """Return what searches found as what is played and learned from."""
    return Choices(found.moves, found.values, ~found.solved, found.policies.astype(np.float16))
