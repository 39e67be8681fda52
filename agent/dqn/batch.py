"""Learning from whole games, many at once: every decision a few times, in batches, without a replay memory.

Targets are made of what the network said when the games were played: it is its own target network.
"""

import math

import numpy as np

from agent.dqn.config import NO_TEACHER, DQNConfig
from agent.dqn.lessons import lessons_of
from agent.dqn.q_learning import QLearning
from agent.selfplay.played import Played
from game import symmetry
from game.evaluators import make_evaluator


class BatchLearning:
    """Moves a Q-network towards what games teach that were played with it."""

    def __init__(self, q: QLearning) -> None:
        """Raises RegistryError for a teacher that there is not for boards of the size."""
        self._q = q
        self.games = 0
        """Learned from so far."""
        teacher = q.config.teacher
        self._teacher = None if teacher == NO_TEACHER else make_evaluator(teacher, q.size)

    def learn(self, played: Played, config: DQNConfig, rng: np.random.Generator) -> None:
        """Learn from games; `rng` draws the order of decisions and the symmetries they are shown under."""
        lessons = lessons_of(played, config, self._teacher)
        rate = learning_rate(config, self.games)
        for _ in range(config.epochs):
            order = rng.permutation(len(played))
            for part in np.array_split(order, range(config.batch, len(order), config.batch)):
                turns = rng.integers(symmetry.SYMMETRIES if config.symmetries else 1, size=len(part))
                self._q.teach(lessons.turned(part, turns, self._q.size), rate)
        self.games += int((played.following < 0).sum())


def learning_rate(config: DQNConfig, games: int) -> float:
    """Return the rate after this many games: it falls as half a cosine.

    Loshchilov and Hutter 2017, equation 5.
    """
    done = min(1.0, games / config.rate_games) if config.rate_games else 0.0
    return config.learning_rate * (1 + math.cos(math.pi * done)) / 2
