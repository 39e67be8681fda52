"""Players that search: the textbook algorithms with a depth and an evaluator."""

import numpy as np

from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.catalogue import EVALUATORS, make_evaluator
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.game import Game
from othello_lab.game.players.player import MoveValues, Player
from othello_lab.game.registry import Entry, Spec
from othello_lab.game.search import batched, search
from othello_lab.game.search.textbook_kernels import DEEPEST

DEFAULT_DEPTH = 4


class SearchPlayer(Player):
    """Plays the best move of a textbook search, uniformly among equals."""

    def __init__(self, algorithm: str, depth: int, evaluator: Evaluator) -> None:
        """`algorithm` is one of ALGORITHMS, `depth` in plies."""
        self._algorithm = algorithm
        self._depth = depth
        self._evaluator = evaluator

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a best move."""
        move = search(game.board, self._algorithm, self._depth, self._evaluator, rng).move
        assert move is not None  # noqa: S101  choose is only called where there is a move
        return move

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the values of the positions behind the moves, a ply less deep."""
        board, below = game.board, self._depth - 1
        if not below:
            found = -batched.values(batched.children(Positions.of([board])), 0, self._evaluator)[0]
            return MoveValues(found, self._evaluator.unit)
        after = (board.play(move) for move in board.legal_moves)
        results = [search(child, self._algorithm, below, self._evaluator, rng) for child in after]
        return MoveValues(np.array([-result.value for result in results]), self._evaluator.unit)


def _make(spec: Spec, size: int) -> Player:
    evaluator = make_evaluator(_evaluator_of(spec), size)
    return SearchPlayer(spec.name, spec.whole("depth", DEFAULT_DEPTH, 1, DEEPEST), evaluator)


def _evaluator_of(spec: Spec) -> str:
    return spec.options.get("eval", "positional")


def _entry(line: str) -> Entry[Player]:
    return Entry(
        _make,
        line,
        options={
            "depth": f"plies, 1 to {DEEPEST} ({DEFAULT_DEPTH})",
            "eval": "an evaluator (positional)",
        },
        files=lambda spec, size: EVALUATORS.files(_evaluator_of(spec), size),
    )


MINIMAX = _entry("most for us, least for them, nothing left out")
ALPHABETA = _entry("minimax without the branches that cannot matter")
NEGAMAX = _entry("minimax with one rule for both sides")
NEGAMAX_AB = _entry("alphabeta with one rule for both sides")
NEGASCOUT = _entry("negamax-ab that first asks only whether a move is better")
ALPHABETA_SORTED = _entry("alphabeta, moves tried by the evaluation after them")
NEGAMAX_AB_SORTED = _entry("negamax-ab, moves tried by the evaluation after them")
NEGASCOUT_SORTED = _entry("negascout, moves tried by the evaluation after them")
