"""AlphaZero as a learning method: games by search, and a network that learns what the searches found."""

from typing import Any

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.alphazero import memory
from othello_lab.agent.alphazero.learning import Learning, Losses
from othello_lab.agent.alphazero.memory import examples_of
from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.alphazero.network import WEIGHTS
from othello_lab.agent.alphazero.policy import NetworkGuide, limits_of
from othello_lab.agent.checkpoint import Arrays, Stored, Values, check_arrays, forms_of, generator, typed
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.memory.frames import positions_of
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import move_values
from othello_lab.agent.saving import Count, SavedPolicy
from othello_lab.agent.selfplay.one_game import one_game
from othello_lab.agent.selfplay.play import Deciding
from othello_lab.agent.selfplay.played import Choices, Played
from othello_lab.agent.task import Task
from othello_lab.agent.weights import put, to_arrays
from othello_lab.game import symmetry
from othello_lab.game.batch.positions import Positions
from othello_lab.game.play.luck import Words
from othello_lab.game.search.guided import Found, search_many


class Progress(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    due: float
    """Updates that are due, which are less than one."""
    losses: tuple[float, float, float]
    """See `Losses`."""
    draws: dict[str, Any]
    """The random state that batches and symmetries are drawn with."""


class AlphaZeroLearner(BatchLearner):
    """Learns at the end of a game, or of many; see `agent.learner.BatchLearner`."""

    def __init__(self, config: AlphaZeroConfig, size: int, seeds: Seeds, device: str = "cpu") -> None:
        """`device` is where its networks are; searches and games are on the processor."""
        self.config, self.size = config, size
        weights = torch.Generator().manual_seed(int(seeds.weights.generate_state(1)[0]))
        self._learning = Learning(config, size, weights, torch.device(device))
        self._guide = NetworkGuide(self._learning.network, config)
        self._best_guide = NetworkGuide(
            self._learning.average if config.average else self._learning.network, config
        )
        self._memory = memory.none(size)
        self._updates, self._due, self._losses = 0, 0.0, (0.0, 0.0, 0.0)
        self._rng = np.random.default_rng(seeds.draws)
        self._draw = 0.0  # the reward of a drawn game, which the task says
        self._game: list[Transition] = []
        self._best = False

    @property
    def numbers(self) -> dict[str, float]:
        """How many updates there were, the losses of the last ones, and what is remembered."""
        losses = zip(Losses._fields, self._losses, strict=True)
        parts = {f"{name}_loss": loss for name, loss in losses}
        return {"updates": self._updates, "remembered": len(self._memory.values), **parts}

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`."""
        self._draw = task.draw
        return Recorder(Transitions(self._game.append), self.size**2, gamma=1.0)

    def begin(self, best: bool) -> None:
        """See `Learner`; only with `best` are the searches without noise."""
        self._best = best
        self._game.clear()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the square that a search finds; `rng` is for its noise."""
        positions = positions_of(stack[:1], self.size)
        if self._best:
            return int(self._search(positions, None, self._best_guide).moves[0])
        luck = rng.integers(1 << 64, size=1, dtype=np.uint64)
        return int(self._search(positions, luck, self._guide).moves[0])

    def _search(self, positions: Positions, luck: Words | None, guide: NetworkGuide) -> Found:
        return search_many(guide, positions, limits_of(self.config), luck)

    def end(self, games: int) -> None:
        """See `Learner`; what searches find of the game's decisions is found anew."""
        if self._game:
            game = one_game(self._game, self.size, self._draw)
            found = self._search(game.positions, None, self._guide)
            choices = _choices(found)
            greedy = choices.greedy & (game.moves == found.moves)
            self.learn(Played(**vars(game), best=found.values, greedy=greedy, policies=choices.policies))
        self._game.clear()

    def deciding(self, games: int, epsilon: float) -> Deciding:
        """See `BatchLearner`: by search, with noise, which is all its exploring."""
        return Deciding(lambda turn, luck: _choices(self._search(turn.positions, luck, self._guide)))

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `BatchLearner`: by the value of the position behind each move, without a search."""
        return move_values(positions, self._guide)

    def learn(self, played: Played) -> None:
        """See `BatchLearner`."""
        examples = examples_of(played, self.config.bootstrap)
        self._memory = memory.joined([self._memory, examples]).take(slice(-self.config.memory, None))
        self._due += self.config.epochs * len(played) / self.config.batch
        losses = [self._update() for _ in range(int(self._due))]
        self._due -= len(losses)
        if losses:
            policy, value, score = (float(torch.stack(part).mean()) for part in zip(*losses, strict=True))
            self._losses = policy, value, score

    def _update(self) -> Losses:
        self._updates += 1
        horizon = self.config.average * self._updates
        rows = self._rng.integers(len(self._memory.values), size=self.config.batch)
        symmetries = self._rng.integers(symmetry.SYMMETRIES, size=self.config.batch)
        return self._learning.update(self._memory.take(rows), symmetries, 1 / max(1.0, horizon))

    def weights(self) -> Arrays:
        """See `BatchLearner`."""
        return {name: tensor.cpu().numpy().copy() for name, tensor in self._learning.weights().items()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `BatchLearner`."""
        _put(arrays, self._learning.weights())

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`: the networks, the optimiser and the memory."""
        draws = dict(self._rng.bit_generator.state)
        values = msgspec.to_builtins(Progress(self._updates, self._due, self._losses, draws))
        return self._learned() | memory.to_arrays(self._memory), values

    def _learned(self) -> Arrays:
        """Return the networks and the optimiser's state."""
        return self.policy() | {
            name: tensor.cpu().numpy() for name, tensor in self._learning.tensors().items()
        }

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        saved = typed(stored.path, stored.values, Progress)
        remembered, arrays = memory.from_arrays(stored, self.size)
        check_arrays(stored.path, arrays, forms_of(self._learned()))
        self._rng = generator(stored.path, saved.draws)
        put(arrays, self._best_guide.network, WEIGHTS)
        _put(arrays, self._learning.tensors())
        self._memory = remembered
        self._updates, self._due, self._losses = saved.updates, saved.due, saved.losses

    def policy(self) -> Arrays:
        """Return the network that plays when exploring is frozen."""
        return to_arrays(self._best_guide.network, WEIGHTS)

    def take_policy(self, saved: SavedPolicy[AlphaZeroConfig]) -> None:
        """See `Learner`: the optimiser begins afresh."""
        saved.check_fits(self.config, self.policy())
        for network in (self._learning.network, self._learning.average):
            put(saved.arrays, network, WEIGHTS)
        self._learning.begin()


def _put(arrays: Arrays, tensors: dict[str, torch.Tensor]) -> None:
    """Write arrays into the tensors of the same names."""
    for name, tensor in tensors.items():
        tensor.copy_(torch.from_numpy(np.array(arrays[name])))


def _choices(found: Found) -> Choices:
    """Return what searches found as what is played and learned from."""
    return Choices(found.moves, found.values, ~found.solved, found.policies.astype(np.float16))
