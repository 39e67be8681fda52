"""Players that look one ply ahead: they play the move whose resulting position an evaluator likes best."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import weights
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.kernels import choices
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.play.luck import SeatSeeds, draws
from othello_lab.game.players.player import MoveValues, Player, Policy
from othello_lab.game.registry import Entry, Spec
from othello_lab.game.search import batched


def best_of(
    values: NDArray[np.floating], positions: Positions, draws: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return a move of each position that has the largest of its moves' values, uniformly among equals.

    values: [moves], no NaN, those of the first position by ascending square, then those of the second; draws:
    from 0 to 1, [n]. Every position has a move.
    """
    chosen = np.empty(len(positions), np.int64)
    numbers, kind = values.astype(np.float64, copy=False), from_int(0, positions.size)
    choices.best(numbers, positions.own, positions.opponent, kind, positions.size, draws, chosen)
    return chosen


def first_best(values: NDArray[np.floating], positions: Positions) -> NDArray[np.int64]:
    """Return the lowest square of those with the largest value in each position; `values` as in `best_of`."""
    return best_of(values, positions, np.zeros(len(positions)))


class OnePlyPlayer(Policy):
    """Plays the move with the best position behind it, uniformly among equals."""

    def __init__(self, evaluator: Evaluator, results: bool) -> None:
        """With `results` a finished game counts by who won, above any evaluation; else as any position."""
        self._evaluator = evaluator
        self._results = results

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
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
    return OnePlyPlayer(weights.SquareEvaluator(weights.piece_weights(size), last_mover=True), results=False)


def _entry(evaluator: Entry[Evaluator], results: bool) -> Entry[Player]:
    """Return the entry of the one-ply player of an evaluator."""

    def make(spec: Spec, size: int) -> Player:
        return OnePlyPlayer(evaluator.make(spec, size), results)

    return Entry(make, f"one ply: {evaluator.line}", evaluator.argument, evaluator.options, evaluator.files)


POSITIONAL = _entry(weights.POSITIONAL, results=True)
MOBILITY = _entry(weights.MOBILITY, results=True)
WEIGHTS = _entry(weights.WEIGHTS, results=False)
PIECE_VALUES: Entry[Player] = Entry(_piece_values, "one ply: own discs, a corner 4, an edge 2, any other 1")
