"""The n-tuple network as a learning method: TD on the positions behind moves."""

from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from agent.afterstates import move_values
from agent.checkpoint import Arrays, Stored, Values, check_arrays, forms_of, typed
from agent.learner import Seeds
from agent.memory.positions import positions_of
from agent.memory.recorder import Recorder
from agent.memory.transitions import Transition, Transitions
from agent.ntuple.config import NTupleConfig
from agent.ntuple.episode import lesson
from agent.ntuple.network import PLAYS, Network
from agent.saved_policy import SavedPolicy
from agent.saving import Count
from agent.selfplay.played import Played
from agent.selfplay.returns import lambda_returns
from agent.task import Task
from game.batch.positions import Positions


class Progress(msgspec.Struct):
    """The values of a checkpoint that holds all that a resume needs."""

    updates: Count
    learned_games: Count
    loss: float


class NTupleLearner:
    """Learns at the end of a game, or of many; see `agent.learner.BatchLearner`."""

    def __init__(self, config: NTupleConfig, size: int, seeds: Seeds) -> None:
        """Nothing is random in it: all weights begin at 0."""
        self.config, self.size = config, size
        self.network = Network(config, size)
        self.progress = Progress(0, 0, 0.0)
        self._acting = self.network.online
        self._game: list[Transition] = []

    @property
    def numbers(self) -> dict[str, float]:
        """Positions learned from, the mean squared error of the last ones, and the step."""
        return {"updates": self.progress.updates, "loss": self.progress.loss, "step": self._rate()}

    def recorder(self, task: Task) -> Recorder:
        """See `Learner`."""
        return Recorder(Transitions(self._game.append), self.size**2, self.config.gamma)

    def begin(self, best: bool) -> None:
        """See `Learner`."""
        self._acting = self.network.plays if best and self.config.average else self.network.online
        self._game.clear()

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        """Return the square with the best position behind it, the first of equals; `rng` is not used."""
        return int(legal[move_values(positions_of(stack[:1], self.size), self._acting).argmax()])

    def step(self, steps: int) -> None:
        """See `Learner`: it learns when games are over."""

    def end(self, games: int) -> None:
        """See `Learner`."""
        if self._game:
            found = lesson(self._game, self.size, self.network.online, self.config.lam)
            self._learn(found.positions, found.targets, games=1)
        self._game.clear()

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """See `BatchLearner`: by the weights that learn."""
        return move_values(positions, self.network.online)

    def learn(self, played: Played) -> None:
        """See `BatchLearner`."""
        targets = lambda_returns(played, self.config.lam, self.config.gamma)
        self._learn(played.positions, targets, games=int((played.following < 0).sum()))

    def _learn(self, positions: Positions, targets: NDArray[np.float64], games: int) -> None:
        progress = self.progress
        squared = self.network.learn(positions, targets, self._rate(), self.config.step == "coherent")
        progress.updates += len(targets)
        progress.learned_games += games
        progress.loss = squared / max(1, len(targets))
        horizon = self.config.average * progress.updates
        self.network.move_average(min(1.0, len(targets) / horizon) if horizon else 1.0)

    def _rate(self) -> float:
        config = self.config
        left = 1 - self.progress.learned_games / config.games if config.step == "falling" else 1.0
        return config.learning_rate * max(0.0, left)

    def weights(self) -> Arrays:
        """See `BatchLearner`."""
        return {PLAYS: self.network.weights.copy()}

    def take_weights(self, arrays: Arrays) -> None:
        """See `BatchLearner`."""
        self.network.weights[:] = arrays[PLAYS]

    def state(self) -> tuple[Arrays, Values]:
        """See `Learner`."""
        return self.network.arrays, msgspec.to_builtins(self.progress)

    def restore(self, stored: Stored) -> None:
        """See `Learner`."""
        progress = typed(stored.path, stored.values, Progress)
        check_arrays(stored.path, stored.arrays, forms_of(self.network.arrays))
        for name, array in self.network.arrays.items():
            array[:] = stored.arrays[name]
        self.progress = progress

    def policy(self) -> Arrays:
        """Return the weights that play when exploring is frozen."""
        return {PLAYS: self.network.average}

    def take_policy(self, saved: SavedPolicy[NTupleConfig]) -> None:
        """See `Learner`: the weights that learn become these, and what is known of their errors stays.

        The policy may have fewer stages: each part of a stage that is divided begins as the whole did.
        """
        made, plays = saved.config, saved.arrays[PLAYS]
        parts, rest = divmod(self.config.stages, made.stages)
        if rest or replace(made, stages=self.config.stages).network != self.config.network:
            raise saved.refusal(self.config)
        rows = [stage // parts for stage in range(self.config.stages)]
        rows.extend(range(made.stages, len(plays)))
        for weights in (self.network.weights, self.network.average):
            weights[:] = plays[rows]
