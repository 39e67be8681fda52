"""Policies of checkpoints: what plays when exploring is frozen, as a player and as an evaluator.

A method says what its policy values, moves (`MovePolicy`) or positions (`PositionPolicy`), and has both.
"""

from abc import ABC, abstractmethod
from functools import partial
from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from agent.afterstates import move_values
from agent.checkpoint import Arrays, Forms
from agent.move_evaluator import MoveEvaluator
from agent.move_evaluator import MoveValues as Judge
from agent.saved_policy import SavedPolicy
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.evaluators.base import EXPECTED_RETURN
from game.game import Game
from game.play.luck import Words
from game.players.base import Player, Policy
from game.players.best import first_best
from game.players.values import MoveValues

C = TypeVar("C")


class Learned(ABC, Generic[C]):
    """What was learned, to play and to judge by; it learns nothing."""

    prefix: ClassVar[str] = ""
    """What the names of its arrays begin with in a checkpoint, where there are others."""

    @abstractmethod
    def __init__(self, saved: SavedPolicy[C]) -> None:
        """Take the policy of a checkpoint; may raise CheckpointError."""

    @classmethod
    @abstractmethod
    def forms(cls, config: C, size: int, arrays: Arrays) -> Forms | None:
        """Return what the arrays of such a policy must be; None if no memory could hold them.

        Takes no memory for them: a small file may describe a network of terabytes. `arrays` are those that
        there are, for what may have any length. Raises ValueError for a configuration that cannot be.
        """

    @abstractmethod
    def player(self) -> Player:
        """Return what plays the best move."""

    @abstractmethod
    def evaluator(self) -> Evaluator:
        """Return what judges positions; raises CheckpointError where that cannot be."""


class MovePolicy(Learned[C]):
    """A policy that values moves."""

    @abstractmethod
    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return what each legal move is worth; see `agent.learner.BatchLearner`."""

    def player(self) -> Player:
        """See `Learned`."""
        return BestMovePolicy(self.move_values, EXPECTED_RETURN)

    def evaluator(self) -> Evaluator:
        """See `Learned`: a position is worth what its best move is."""
        return MoveEvaluator(self.move_values)


class PositionPolicy(Learned[C]):
    """A policy that values positions; a move is worth what the position behind it is."""

    def player(self) -> Player:
        """See `Learned`."""
        evaluator = self.evaluator()
        return BestMovePolicy(partial(move_values, evaluator=evaluator), evaluator.unit)


class BestMovePolicy(Policy):
    """Plays the move of the highest value, of equals the lowest square; never at random."""

    def __init__(self, judge: Judge, unit: str | None) -> None:
        """`judge` values moves; `unit` says what the values are, in words, None for no more than scores."""
        self._judge, self._unit = judge, unit

    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """Return the best square of each position; `luck` is not used."""
        return first_best(self._judge(positions), positions)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return what it chooses by, where that is more than scores; `rng` is not used."""
        return MoveValues(self._judge(Positions.of([game.board])), self._unit) if self._unit else None
