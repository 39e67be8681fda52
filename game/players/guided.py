"""The player `mcts` with a deep network as its evaluator: Gumbel search, in many games at once."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import Evaluator
from othello_lab.game.evaluators.evaluator import EXPECTED_RESULT, WON
from othello_lab.game.game import Game
from othello_lab.game.play.luck import Words
from othello_lab.game.players.base import MoveValues, Policy
from othello_lab.game.registry import RegistryError, Spec
from othello_lab.game.search.guided import Guide, GuidedLimits, search_many
from othello_lab.game.search.value_guide import guide_of

SIMULATIONS = 64
"""Of a move, where no other number is given."""
_MOST_SIMULATIONS = 100_000
_SLOWEST = 10
"""Empty squares from which on leaves may be solved: each takes some tenths of a millisecond."""
_OTHERS = ("time", "nodes", "hash")
"""Options of a search that no network guides."""


class GuidedPolicy(Policy):
    """Plays the move that a search finds, without noise."""

    def __init__(self, guide: Guide, limits: GuidedLimits) -> None:
        self._guide, self._limits = guide, limits

    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """See `Policy`; `luck` is not used."""
        return search_many(self._guide, positions, self._limits, None).moves

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the expected result of each move, WON for one that surely wins; `rng` is not used."""
        found = search_many(self._guide, Positions.of([game.board]), self._limits, None)
        worths = found.worths[0, [*game.board.legal_moves]]
        return MoveValues(np.where(np.abs(worths) == 1.0, WON * worths, worths), EXPECTED_RESULT)


def make_guided(spec: Spec, evaluator: Evaluator, size: int) -> GuidedPolicy:
    """Return the player of a spec; raise RegistryError."""
    for name in _OTHERS:
        if name in spec.options:
            raise RegistryError(f"{spec.name}: {name}= is not for this search, which counts simulations=")
    simulations = spec.whole("simulations", SIMULATIONS, 0, _MOST_SIMULATIONS)
    solve = spec.whole("endgame", GuidedLimits(0).solve, 0, _SLOWEST)
    return GuidedPolicy(guide_of(evaluator, size), GuidedLimits(simulations, solve=solve))
