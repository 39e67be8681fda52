"""Trees of Descent and of unbounded minimax in games played side by side; see `descent_walk.py`."""

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import any_of, legal_moves
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import CompiledEvaluator, Evaluator
from othello_lab.game.kernels.words import from_int, words_of
from othello_lab.game.search import descent_walk
from othello_lab.game.search.descent_kernels import NODE, TASK, Task

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
        self._task: Task = np.zeros(1, TASK)[0]
        self._task["size"], self._task["iterations"] = size, iterations
        self._task["by_discs"], self._task["to_the_end"] = by_discs, to_the_end
        room = games, _EACH * size * size * (1 + iterations)
        self._own = np.empty((*room, words_of(size)), np.uint64)
        self._opponent = np.empty_like(self._own)
        self._nodes = np.empty(room, NODE)
        self._walks = np.zeros(games, descent_walk.WALK)
        self._kept: list[tuple[Positions, NDArray[np.float64]]] = []

    def search(
        self, games: NDArray[np.int64], positions: Positions, evaluator: Evaluator
    ) -> NDArray[np.float64]:
        """Search positions of some games, [n]; return what their legal moves are worth, float64 [moves].

        -1 to 1, and SURE more for one that surely wins, less for one that surely loses; the first position's
        moves by ascending square, then those of the second. Every position has a move.

        A compiled evaluator is asked within the search; any other values the new positions of all games
        together, each time that every game has looked into one more state.
        """
        for game in games[self._walks["used"][games] > self._nodes.shape[1] // 2]:
            self._keep(game)
        self._task["waits"] = not isinstance(evaluator, CompiledEvaluator)
        if isinstance(evaluator, CompiledEvaluator):
            self._task["parameters"] = evaluator.parameters
        like, arenas = from_int(0, self.size), (self._own, self._opponent, self._nodes)
        descent_walk.begin(like, arenas, self._walks, games, positions.own, positions.opponent, self._task)
        searching = games
        while len(searching):
            descent_walk.search(like, arenas, self._walks, searching, self._task)
            searching = searching[self._walks["left"][searching] > 0]
            self._value(searching, evaluator)
        return self._move_values(games)

    def _move_values(self, games: NDArray[np.int64]) -> NDArray[np.float64]:
        moves = self._behind(games, self._walks["root"][games])
        values: NDArray[np.float64] = -(self._nodes["value"][moves] + SURE * self._nodes["winner"][moves])
        return values

    def _value(self, games: NDArray[np.int64], evaluator: Evaluator) -> None:
        """Value the new states of some games that are not finished."""
        last = self._walks["depth"][games] - 1
        game, node = self._behind(games, self._walks["path"][games, last])
        going_on = np.flatnonzero(~self._nodes["solved"][game, node])
        if len(going_on):
            new = game[going_on], node[going_on]
            positions = Positions(self.size, self._own[new], self._opponent[new])
            self._nodes["value"][new] = evaluator.values(positions)

    def _behind(
        self, games: NDArray[np.int64], states: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the states behind the moves of one state in each game: their games and their nodes."""
        nodes = self._nodes[games, states]
        moves = nodes["moves"].astype(np.int64)
        first = np.repeat(np.cumsum(moves) - moves - nodes["first"], moves)
        return np.repeat(games, moves), np.arange(moves.sum()) - first

    def taken(self) -> tuple[Positions, NDArray[np.float64]]:
        """Forget all trees; return the states that were looked into and where a side can move, with their
        values, [n].

        Those of the first arena that was emptied, then of the second, in the order in which they were found.
        """
        for game in range(len(self._walks)):
            self._keep(game)
        kept, self._kept = self._kept, []
        return Positions.joined([states for states, _ in kept]), np.concatenate(
            [values for _, values in kept]
        )

    def _keep(self, game: int) -> None:
        """Set the states of an arena aside, and empty it."""
        nodes = self._nodes[game, : self._walks["used"][game]]
        known = np.flatnonzero(nodes["moves"])
        states = Positions(self.size, self._own[game, known], self._opponent[game, known])
        can_move = np.flatnonzero(any_of(legal_moves(states)))
        self._kept.append((states.take(can_move), nodes["value"][known[can_move]].astype(np.float64)))
        self._walks["used"][game] = 0
