"""Trees of Descent and of unbounded minimax in games played side by side; see `descent_kernels.py`."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import any_of, legal_moves
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import CompiledEvaluator
from othello_lab.game.kernels.words import from_int, words_of
from othello_lab.game.search import descent_kernels as kernels

SURE = 2.0
"""What a move that surely wins is worth, besides its value from -1 to 1."""
_EACH = 32
"""Nodes that a game's arena has for each square and iteration: room for a few moves."""


class Trees:
    """The trees of some games of one board size, in an arena for each game.

    The tree of a game goes on where its moves lead. An arena that is half full is emptied before it goes on.
    """

    def __init__(self, size: int, games: int, iterations: int, by_discs: bool, to_the_end: bool) -> None:
        """`iterations` are those of a move; `by_discs`: a finished game is worth its score as a share of the
        board, else 1, 0 or -1; `to_the_end`: Descent, else unbounded minimax.
        """
        self.size = size
        self._task: kernels.Task = np.zeros(1, kernels.TASK)[0]
        self._task["size"], self._task["iterations"] = size, iterations
        self._task["by_discs"], self._task["to_the_end"] = by_discs, to_the_end
        room = games, _EACH * size * size * (1 + iterations)
        self._own = np.empty((*room, words_of(size)), np.uint64)
        self._opponent = np.empty_like(self._own)
        self._nodes = np.empty(room, kernels.NODE)
        self._used, self._roots = np.zeros(games, np.int64), np.zeros(games, np.int64)
        self._kept: list[tuple[Positions, NDArray[np.float64]]] = []

    def search(
        self, games: NDArray[np.int64], positions: Positions, evaluator: CompiledEvaluator
    ) -> NDArray[np.float64]:
        """Search positions of some games, [n]; return what their legal moves are worth, float64 [moves].

        -1 to 1, and SURE more for one that surely wins, less for one that surely loses; the first position's
        moves by ascending square, then those of the second. Every position has a move.
        """
        for game in games[self._used[games] > self._nodes.shape[1] // 2]:
            self._keep(game)
        self._task["parameters"] = evaluator.parameters
        arenas = self._own, self._opponent, self._nodes
        own, opponent, like = positions.own, positions.opponent, from_int(0, self.size)
        kernels.search(like, arenas, self._used, self._roots, games, own, opponent, self._task)
        return self._move_values(games)

    def _move_values(self, games: NDArray[np.int64]) -> NDArray[np.float64]:
        roots = self._nodes[games, self._roots[games]]
        moves = roots["moves"].astype(np.int64)
        places = np.arange(moves.sum()) - np.repeat(np.cumsum(moves) - moves - roots["first"], moves)
        behind = self._nodes[np.repeat(games, moves), places]
        values: NDArray[np.float64] = -(behind["value"] + SURE * behind["winner"])
        return values

    def taken(self) -> tuple[Positions, NDArray[np.float64]]:
        """Forget all trees; return the states that were looked into and where a side can move, with their
        values, [n].

        Those of the first arena that was emptied, then of the second, in the order in which they were found.
        """
        for game in range(len(self._used)):
            self._keep(game)
        kept, self._kept = self._kept, []
        return Positions.joined([states for states, _ in kept]), np.concatenate(
            [values for _, values in kept]
        )

    def _keep(self, game: int) -> None:
        """Set the states of an arena aside, and empty it."""
        nodes = self._nodes[game, : self._used[game]]
        known = np.flatnonzero(nodes["moves"])
        states = Positions(self.size, self._own[game, known], self._opponent[game, known])
        can_move = np.flatnonzero(any_of(legal_moves(states)))
        self._kept.append((states.take(can_move), nodes["value"][known[can_move]].astype(np.float64)))
        self._used[game] = 0
