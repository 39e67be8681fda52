"""AlphaZero as a learning method: games by search, and a network that learns what the searches found."""

from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.alphazero.learning import Losses, losses_of, turned
from othello_lab.agent.alphazero.memory import examples_of, none
from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.alphazero.policy import limits_of
from othello_lab.agent.checkpoint import Arrays, Stored, Values, generator, typed
from othello_lab.agent.learner import Seeds
from othello_lab.agent.memory import columns
from othello_lab.agent.memory.frames import positions_of
from othello_lab.agent.policy_value.guide import NetworkGuide
from othello_lab.agent.policy_value.learner import NetworkLearner
from othello_lab.agent.saving import Count
from othello_lab.agent.selfplay.played import Choices, Decisions, Played
from othello_lab.game import symmetry
from othello_lab.game.batch.positions import Positions
from othello_lab.game.play.loop import Turn
from othello_lab.game.play.luck import Words
from othello_lab.game.search.guided import Found, search_many


class Progress(msgspec.Struct):
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

    def _search(self, positions: Positions, luck: Words | None, guide: NetworkGuide) -> Found:
        return search_many(guide, positions, limits_of(self.config), luck)

    def learn_from(self, game: Decisions) -> None:
        """See `NetworkLearner`; what searches find of the game's decisions is found anew."""
        found = self._search(game.positions, None, self._guide)
        choices = _choices(found)
        greedy = choices.greedy & (game.moves == found.moves)
        self.learn(Played(**vars(game), best=found.values, greedy=greedy, policies=choices.policies))

    def decide(self, turn: Turn, luck: Words) -> Choices:
        """See `BatchLearner`: by search; the noise of the search is the only exploration."""
        return _choices(self._search(turn.positions, luck, self._guide))

    def learn(self, played: Played) -> None:
        """See `BatchLearner`."""
        examples = examples_of(played, self.config.bootstrap)
        self._memory = columns.joined([self._memory, examples]).take(slice(-self.config.memory, None))
        self._due += self.config.epochs * len(played) / self.config.batch
        losses = [self._learn_a_batch() for _ in range(int(self._due))]
        self._due -= len(losses)
        if losses:
            policy, value, score = (float(torch.stack(part).mean()) for part in zip(*losses, strict=True))
            self._losses = policy, value, score

    def _learn_a_batch(self) -> Losses:
        rows = self._rng.integers(len(self._memory.values), size=self.config.batch)
        symmetries = self._rng.integers(symmetry.SYMMETRIES, size=self.config.batch)
        seen, wanted = turned(self._memory.take(rows), symmetries, self.size, self._base)
        losses = losses_of(self._learning.network, seen.to(self._device), wanted)
        self.update(losses.policy + losses.value + self.config.score_weight * losses.score)
        return Losses(*(part.detach() for part in losses))

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`: the networks, the optimiser and the memory."""
        draws = dict(self._rng.bit_generator.state)
        values = msgspec.to_builtins(Progress(self._updates, self._due, self._losses, draws))
        return self.learned() | columns.to_arrays(self._memory), values

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, Progress)
        remembered, arrays = columns.from_arrays(stored, self._memory)
        rng = generator(stored.path, saved.draws)
        self.take_learned(stored, arrays)
        self._memory, self._rng = remembered, rng
        self._updates, self._due, self._losses = saved.updates, saved.due, saved.losses


def _choices(found: Found) -> Choices:
    """Return what searches found as what is played and learned from."""
    return Choices(found.moves, found.values, ~found.solved, found.policies.astype(np.float16))
