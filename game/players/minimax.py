"""Players that search to a fixed depth with an evaluator."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions, draws
from othello_lab.game.catalogue import EVALUATORS, Entry, make_evaluator
from othello_lab.game.evaluators import weights
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.players.player import MoveValues, Player, Policy
from othello_lab.game.players.simple import best_of
from othello_lab.game.registry import Spec
from othello_lab.game.search import search
from othello_lab.game.search.textbook import ALGORITHMS, DEEPEST, children, move_values

DEFAULT_DEPTH = 4


class OnePlyPlayer(Policy):
    """A policy that plays the move with the best value after one ply. Ties are broken at random."""

    def __init__(self, evaluator: Evaluator, results: bool) -> None:
        """If `results` is True, a won game is better than any evaluation, and a lost game is worse."""
        self._evaluator = evaluator
        self._results = results

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return a best move in each position, int64 [n]."""
        return best_of(self._move_values(positions), positions, draws(luck, positions, 0))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the values of all legal moves after one ply. `rng` is not used."""
        return MoveValues(self._move_values(Positions.of([game.board])), self._evaluator.unit)

    def _move_values(self, positions: Positions) -> NDArray[np.float64]:
        """Return the values of all legal moves, float64 [moves], in the order of `children`."""
        if self._results:
            return move_values(positions, self._evaluator)
        # The opponent moves next, so the sign of the value changes.
        return -self._evaluator.values(children(positions))


class MinimaxPlayer(Player):
    """A player that plays the best move of a textbook search. Ties are broken at random."""

    def __init__(self, algorithm: str, depth: int, evaluator: Evaluator) -> None:
        """`algorithm` is one of ALGORITHMS. `depth` is a number of plies."""
        self._algorithm = algorithm
        self._depth = depth
        self._evaluator = evaluator

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a best move."""
        move = search(game.board, self._algorithm, self._depth, self._evaluator, rng).move
        assert move is not None  # noqa: S101  the caller makes forced passes
        return move

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the values of all legal moves. The search after each move is one ply shorter."""
        board, below = game.board, self._depth - 1
        if not below:
            return MoveValues(move_values(Positions.of([board]), self._evaluator), self._evaluator.unit)
        after = (board.play(move) for move in board.legal_moves)
        results = [search(child, self._algorithm, below, self._evaluator, rng) for child in after]
        return MoveValues(np.array([-result.value for result in results]), self._evaluator.unit)


def _one_ply(evaluator: Entry[Evaluator], results: bool) -> Entry[Player]:
    def make(spec: Spec, size: int) -> Player:
        return OnePlyPlayer(evaluator.make(spec, size), results)

    line = f"looks one ply ahead with {evaluator.line}"
    return Entry(make, line, evaluator.argument, evaluator.options)


POSITIONAL = _one_ply(weights.POSITIONAL, results=True)
MOBILITY = _one_ply(weights.MOBILITY, results=True)
WEIGHTS = _one_ply(weights.WEIGHTS, results=False)
PIECE_VALUES: Entry[Player] = Entry(
    lambda spec, size: OnePlyPlayer(
        weights.SquareEvaluator(weights.piece_weights(size), last_mover=True), results=False
    ),
    "looks one ply ahead, counts its own discs: a corner 4, an edge 2, others 1",
)


def _make(spec: Spec, size: int) -> Player:
    evaluator = make_evaluator(_evaluator_text(spec), size)
    return MinimaxPlayer(spec.name, spec.whole("depth", DEFAULT_DEPTH, 1, DEEPEST), evaluator)


def _evaluator_text(spec: Spec) -> str:
    return spec.options.get("eval", "positional")


def _entry(line: str) -> Entry[Player]:
    return Entry(
        _make,
        line,
        options={
            "depth": f"plies to look ahead, from 1 to {DEEPEST} ({DEFAULT_DEPTH})",
            "eval": "the evaluator (positional)",
        },
        files=lambda spec, size: EVALUATORS.files(_evaluator_text(spec), size),
    )


(
    MINIMAX,
    ALPHABETA,
    NEGAMAX,
    NEGAMAX_AB,
    NEGASCOUT,
    ALPHABETA_SORTED,
    NEGAMAX_AB_SORTED,
    NEGASCOUT_SORTED,
) = map(_entry, ALGORITHMS.values())
