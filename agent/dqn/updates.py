"""Updates of the networks from replay, beside the play."""

from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.memory.replay import Replay
from othello_lab.game import symmetry


class Updates:
    """Has networks learn from a replay memory, one update at a time.

    Its outcome is there after `collect`, and who calls that decides when: what is learned depends on the
    configuration, never on how fast this machine is, nor on whether there is a thread at all.
    """

    def __init__(self, config: DQNConfig, q: QLearning, replay: Replay, rng: np.random.Generator) -> None:
        """`rng` draws the batches and the symmetries that they are looked at under."""
        self._config, self._q, self._replay, self._rng = config, q, replay, rng
        threaded = config.background
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="learner") if threaded else None
        self._errors: Future[NDArray[np.float32]] | None = None

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
        if self._thread:
            self._errors = self._thread.submit(self._q.update, batch, turns, weights)
        else:
            self._errors = Future()
            self._errors.set_result(self._q.update(batch, turns, weights))

    @property
    def _beta(self) -> float:
        done = min(1.0, self._q.updates / max(self._config.priority_updates, 1))
        return self._config.priority_beta + (1 - self._config.priority_beta) * done

    def wait(self) -> None:
        """Wait for the update under way; its outcome stays to be collected."""
        if self._errors:
            self._errors.exception()

    def collect(self) -> None:
        """Wait for the update under way, if there is one, and take its outcome; raises what it raised."""
        errors, self._errors = self._errors, None
        if errors:
            self._replay.learned(self._slots, errors.result())
