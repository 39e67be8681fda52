"""The policy of an n-tuple agent: a player and an evaluator."""

from pathlib import Path

import numpy as np

from othello_lab.agent.checkpoint import Arrays, CheckpointError, Forms
from othello_lab.agent.ntuple.method import NTupleConfig
from othello_lab.agent.ntuple.network import PLAYS, patterns_of, shape_of
from othello_lab.agent.policy import PositionPolicy
from othello_lab.agent.saving import SavedPolicy
from othello_lab.game.evaluators import probcut
from othello_lab.game.evaluators.evaluator import (
    EXPECTED_DISCS,
    EXPECTED_RESULT,
    EXPECTED_SHARE,
    PatternEvaluator,
)
from othello_lab.game.evaluators.probcut import Predictions
from othello_lab.game.players.base import Player
from othello_lab.game.players.one_move import OnePlyPlayer

_UNITS = {"result": EXPECTED_RESULT, "discs": EXPECTED_DISCS, "score": EXPECTED_SHARE}


class NTuplePolicy(PositionPolicy[NTupleConfig]):
    """Plays one of the moves with the best position behind them.

    If the file has a neighbour that says how well shallow searches predict deep ones, searches go by it.
    """

    prefix = PLAYS

    def __init__(self, saved: SavedPolicy[NTupleConfig]) -> None:
        patterns, weights = patterns_of(saved.config, saved.size), saved.arrays[PLAYS].copy()
        self._evaluator = PatternEvaluator(patterns, weights, saved.config.few)
        self._evaluator.predictions = _predictions(saved.path)
        self._evaluator.unit = _UNITS[saved.config.end if saved.config.descents else saved.config.unit]

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
