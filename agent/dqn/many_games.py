"""Learning of a Q-network from many whole games at once, without a replay memory."""

import math

import numpy as np

from othello_lab.agent.dqn.config import NO_TEACHER, DQNConfig
from othello_lab.agent.dqn.lessons import lessons_of
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.selfplay.games import GameBatch
from othello_lab.game import symmetry
from othello_lab.game.evaluators.catalogue import make_evaluator


class BatchLearning:
    """Moves a Q-network towards what games teach that were played with it, without a replay memory.

    Every decision a few times, in batches. Targets are made of what the network said when the games were
    played: it is its own target network.
    """

    def __init__(self, q: QLearning) -> None:
        """Raises RegistryError for a teacher that there is not for boards of the size."""
        self._q = q
        teacher = q.config.teacher
        self._teacher = None if teacher == NO_TEACHER else make_evaluator(teacher, q.size)

    def learn(self, played: GameBatch, config: DQNConfig, games: int, rng: np.random.Generator) -> int:
        """Learn from games, and return how many there are; it has learned from `games` before.

        `rng` draws the order of decisions and the symmetries that they are shown under.
        """
        lessons = lessons_of(played, config, self._teacher)
        rate = learning_rate(config, games)
        for _ in range(config.epochs):
            order = rng.permutation(len(played))
            for part in np.array_split(order, range(config.batch, len(order), config.batch)):
                turns = rng.integers(symmetry.SYMMETRIES if config.symmetries else 1, size=len(part))
                self._q.teach(lessons.turned(part, turns, self._q.size), rate)
        return played.games


def learning_rate(config: DQNConfig, games: int) -> float:
    """Return the rate after this many games: it falls as half a cosine.

    Loshchilov and Hutter 2017, equation 5.
    """
    done = min(1.0, games / config.rate_games) if config.rate_games else 0.0
    return config.learning_rate * (1 + math.cos(math.pi * done)) / 2
