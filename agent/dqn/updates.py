"""Updates beside the play: when one starts, and when its outcome is taken."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from agent.background import Background
from agent.dqn.config import DQNConfig
from agent.dqn.q_learning import QLearning
from agent.memory.replay import Replay
from game import symmetry


class Updates:
    """Has networks learn from a replay memory, one update at a time.

    Its outcome is there after `collect`, and who calls that decides when: what is learned depends on the
    configuration and never on how fast anybody is.
    """

    def __init__(self, config: DQNConfig, q: QLearning, replay: Replay, rng: np.random.Generator) -> None:
        """`rng` draws the batches and the symmetries that they are looked at under."""
        self._config, self._q, self._replay, self._rng = config, q, replay, rng
        self._work: Background[NDArray[np.float32]] = Background(config.background)

    def start(self) -> None:
        """Draw a batch and begin to learn from it; the update before must have been collected."""
        drawn = self._replay.sample(self._config.batch, self._rng)
        if drawn is None:  # such as after cut-off games alone
            return
        batch, self._slots = drawn
        turns = (
            self._rng.integers(symmetry.SYMMETRIES, size=self._config.batch)
            if self._config.symmetries
            else None
        )
        weights = self._replay.weights(self._slots, self._beta)
        self._work.start(partial(self._q.update, batch, turns, weights))

    @property
    def _beta(self) -> float:
        done = min(1.0, self._q.updates / max(self._config.priority_updates, 1))
        return self._config.priority_beta + (1 - self._config.priority_beta) * done

    def wait(self) -> None:
        """Wait for the update under way; its outcome stays to be collected."""
        self._work.wait()

    def collect(self) -> None:
        """Wait for the update under way, if there is one, and take its outcome."""
        errors = self._work.collect()
        if errors is not None:
            self._replay.learned(self._slots, errors)
