"""Players of one ply: they choose the position after their move that an evaluator likes best."""

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions
from game.evaluators import Evaluator, weights
from game.evaluators.catalogue import EVALUATORS
from game.evaluators.squares import SquareEvaluator
from game.game import Game
from game.play.luck import Words, draws
from game.players.base import Player, Policy
from game.players.best import best_of
from game.players.values import MoveValues
from game.registry import Entry, Spec
from game.search import batched


class OnePlyPlayer(Policy):
    """Plays the move with the best position behind it, uniformly among equals."""

    def __init__(self, evaluator: Evaluator, results: bool) -> None:
        """With `results` a finished game counts by who won, above any evaluation; else as any position."""
        self._evaluator = evaluator
        self._results = results

    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """Return one of the best moves of each position."""
        return best_of(self._judge(positions), positions, draws(luck, positions, 0))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return what it chooses by; `rng` is not used."""
        return MoveValues(self._judge(Positions.of([game.board])), self._evaluator.unit)

    def _judge(self, positions: Positions) -> NDArray[np.float64]:
        """Return what each legal move is worth, float64 [moves], in the order of `batched.children`."""
        after = batched.children(positions)
        # The opponent is to move there: what is good for it is bad for us.
        if self._results:
            return -batched.values(after, 0, self._evaluator)[0]
        return -self._evaluator.values(after)


def _piece_values(spec: Spec, size: int) -> Player:
    """Return the 4/2/1 player, who counts its own discs only."""
    return OnePlyPlayer(SquareEvaluator(weights.pieces(size), last_mover=True), results=False)


def _entry(evaluator: str, results: bool) -> Entry[Player]:
    """Return the player of one ply that goes with an evaluator."""
    found = EVALUATORS.entries[evaluator]

    def make(spec: Spec, size: int) -> Player:
        return OnePlyPlayer(found.make(spec, size), results)

    return Entry(make, f"one ply: {found.line}", found.argument, found.options, found.harmless, found.files)


ENTRIES: dict[str, Entry[Player]] = {
    "positional": _entry("positional", results=True),
    "mobility": _entry("mobility", results=True),
    "weights": _entry("weights", results=False),
    "piece-values": Entry(_piece_values, "one ply: own discs, a corner 4, an edge 2, any other 1"),
}
