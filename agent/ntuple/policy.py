"""The policy of an n-tuple agent: a player and an evaluator."""

from pathlib import Path

import numpy as np

from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms
from othello_lab.agent.ntuple.method import NTupleConfig
from othello_lab.agent.ntuple.network import PLAYS, patterns_of, shape_of
from othello_lab.agent.policy import PositionPolicy
from othello_lab.agent.saving import SavedPolicy
from othello_lab.game.evaluators import probcut
from othello_lab.game.evaluators.evaluator import EXPECTED_DISCS, EXPECTED_RESULT, PatternEvaluator
from othello_lab.game.evaluators.probcut import Predictions
from othello_lab.game.players.base import Player
from othello_lab.game.players.one_move import OnePlyPlayer


class NTuplePolicy(PositionPolicy[NTupleConfig]):
    """Plays one of the moves with the best position behind them.

    If the file has a neighbour that says how well shallow searches predict deep ones, searches go by it.
    """

    prefix = PLAYS

    def __init__(self, saved: SavedPolicy[NTupleConfig]) -> None:
        config, weights = saved.config, saved.arrays[PLAYS].copy()
        self._evaluator = PatternEvaluator(patterns_of(config, saved.size), weights, config.few)
        self._evaluator.predictions = _predictions(saved.path)
        self._evaluator.unit = EXPECTED_DISCS if config.unit == "discs" else EXPECTED_RESULT

    @classmethod
    def forms(cls, config: NTupleConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        return {PLAYS: (shape_of(config, size), np.float32)}

    def evaluator(self) -> PatternEvaluator:
        """See `Learned`."""
        return self._evaluator

    def player(self) -> Player:
        """See `Learned`: of equal moves any, at random."""
        return OnePlyPlayer(self._evaluator, results=True)


def _predictions(path: Path) -> Predictions | None:
    try:
        return probcut.read(probcut.beside(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CheckpointError(str(error)) from None
