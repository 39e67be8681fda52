"""Monte-Carlo tree search for one game: a tree that lasts from move to move, and exact results at the end."""

import time
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, scale_of
from othello_lab.game.evaluators.weights import SquareEvaluator, published_weights
from othello_lab.game.game import Game
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.search import mcts_kernels as kernels
from othello_lab.game.search import tree
from othello_lab.game.search.limits import SHARE, Endgame, Limits, Report, alarm
from othello_lab.game.solver import solver_kernels
from othello_lab.game.solver.solver import StoppedError
from othello_lab.game.values import WON

SIMULATIONS = 10_000
"""A move, where nothing else limits the search: up to 50 ms on 8x8."""
MOST_SIMULATIONS = 10**9 - 1
SOLVE = 7
"""Empty squares from which on a leaf is solved, in about the time of a playout."""
EXPLORATION = 0.4
"""c of UCT; docs/search.md has what was measured. PUCT takes PRIOR_EXPLORATION."""
PRIOR_EXPLORATION = 1.0
_FIRST = 500
"""Simulations before the solver tries its luck, to have a move in any case."""
_WORTH = 20
"""Positions that the solver looks at in the time of a simulation, about."""
_LEAST_NODES = 1 << 12
_NO_LIMIT = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """How long a search may take for a move, and how much memory."""

    simulations: int | None = SIMULATIONS
    """Simulations a move, besides those that the tree has from moves before; None is no limit."""
    seconds: float | None = None
    nodes: int | None = None
    """Positions looked at for a move, those of playouts too."""
    endgame: int | None = None
    """Empty squares from which on the position is solved; None lets the effort decide."""
    solve: int = SOLVE
    """From this many empty squares on a leaf of the tree is solved."""
    hash_mib: int = 256
    """Memory of the tree in MiB: when it is full the search ends."""

    @property
    def of_endgame(self) -> Limits:
        """What the solver may do at the root: the share of a move's effort that it may in `search`."""
        nodes = self.nodes if self.simulations is None else _WORTH * self.simulations
        return Limits(seconds=self.seconds, nodes=nodes, endgame=self.endgame)


class TreeSearch:
    """Finds moves in one game after another, on boards of one size.

    Without a limit of time what it answers depends on the game so far, the seed and the limits alone.
    """

    def __init__(self, size: int, evaluator: CompiledEvaluator | None, limits: TreeLimits) -> None:
        """Without an evaluator, playouts and `judgement` value the leaves.

        Raises ValueError for an evaluator of another board size.
        """
        self.size, self._limits, self._judge = size, limits, evaluator or judgement(size)
        self._judge.check_size(size)
        self._search = kernels.search_by_evaluation if evaluator else kernels.search_by_playouts
        self._endgame = Endgame(size, evaluator, limits.of_endgame)
        self._solver: solver_kernels.State = np.zeros(1, solver_kernels.STATE)[0]
        self._solver["size"], self._solver["limit"] = size, _NO_LIMIT
        self._state: kernels.State = np.zeros(1, kernels.STATE)[0]
        self._state["size"], self._state["solve"] = size, limits.solve
        self._state["exploration"] = PRIOR_EXPLORATION if evaluator else EXPLORATION
        self._state["scale"] = scale_of(evaluator, size) if evaluator else 1.0
        self._most_nodes = max(limits.hash_mib * 2**20 // tree.NODE.itemsize, _LEAST_NODES)
        self.forget()

    def forget(self) -> None:
        """Begin a game: the tree is empty."""
        self._nodes, self._state["used"] = tree.new_nodes(_LEAST_NODES), 1
        self._root: Game | None = None

    def stop(self) -> None:
        """Have a `think` in another thread end with what it knows; it may come too early to be heeded."""
        self._state["stop"] = True
        self._endgame.stop()

    def think(self, game: Game, rng: np.random.Generator) -> Report:
        """Return what there is to know about the position of a game, in which there is a move."""
        started = time.perf_counter()
        self._begin(game, rng)
        with alarm(self._limits.seconds, started, self.stop):
            report = self._think(game.board)
        nodes = int(self._state["positions"]) + self._endgame.nodes
        return replace(report, nodes=nodes, seconds=time.perf_counter() - started)

    def rank(self, game: Game, rng: np.random.Generator) -> dict[int, float]:
        """Return the expected result of each move there, by its square: `WON`, 0 or -`WON` if proven.

        Afterwards the tree is as before, so later moves do not depend on this call.
        """
        before = self._nodes, int(self._state["used"]), self._root  # `_go_to` copies the nodes
        try:
            self._begin(game, rng)
            with alarm(self._limits.seconds, time.perf_counter(), self.stop):
                self._grow(game.board, self._enough)
            return {int(self._nodes[child]["move"]): self._value(child) for child in self._children(0)}
        finally:
            self._nodes, self._state["used"], self._root = before

    def scores(self, board: Board) -> dict[int, int] | None:
        """Return the exact value of each move in discs by its square; None far from the end or if stopped."""
        self._endgame.begin()
        with suppress(StoppedError), alarm(self._limits.seconds, time.perf_counter(), self._endgame.stop):
            return self._endgame.scores(board) if self._endgame.is_near(board) else None
        return None

    def _think(self, board: Board) -> Report:
        self._grow(board, min(_FIRST, self._enough))
        report = self._report(board)
        found = None
        if self._endgame.is_near(board):
            found = self._endgame.solve(board, report)
        elif self._endgame.may_be_solved(board):
            with alarm(self._endgame.share, time.perf_counter(), self._endgame.stop):
                found = self._endgame.attempt(board, report)
            if self._limits.nodes is not None:
                self._state["limit"] = int((1 - SHARE) * self._limits.nodes)
        if found:
            return found
        self._grow(board, self._enough)
        return self._report(board)

    @property
    def _enough(self) -> int:
        return self._limits.simulations or MOST_SIMULATIONS

    def _begin(self, game: Game, rng: np.random.Generator) -> None:
        self._endgame.begin()
        self._go_to(game)
        state = self._state
        state["simulations"], state["positions"], state["stop"], state["draws"] = 0, 0, False, 0
        state["seed"] = rng.integers(1 << 64, dtype=np.uint64)
        state["limit"] = self._limits.nodes or _NO_LIMIT

    def _go_to(self, game: Game) -> None:
        """Keep the part of the tree that follows from the moves since; of another game there is none."""
        last, self._root = self._root, game.until()
        node = self._find(game, len(last.moves)) if last and _goes_on(last, game) else None
        if node is None or not self._children(node):
            self._nodes, self._state["used"] = tree.new_nodes(_LEAST_NODES), 1
            return
        kept = tree.new_nodes(len(self._nodes))
        self._state["used"] = tree.copy_subtree(self._nodes, node, kept)
        self._nodes = kept

    def _find(self, game: Game, done: int) -> int | None:
        """Return the node of a game's position, down from the root after so many of its moves."""
        node = 0
        for move in game.moves[done:]:
            here = [child for child in self._children(node) if self._nodes[child]["move"] == move]
            if not here:
                return None
            node = here[0]
        return node

    def _grow(self, board: Board, enough: int) -> None:
        """Simulate until there were `enough`, or another limit is reached."""
        own, opponent = from_int(board.own, self.size), from_int(board.opponent, self.size)
        self._state["enough"] = enough
        while True:
            self._search(own, opponent, self._nodes, self._state, self._solver, self._judge.parameters)
            full = self._state["used"] + kernels.MOST_MOVES > len(self._nodes)
            if not full or len(self._nodes) >= self._most_nodes:
                return
            self._nodes = np.concatenate([self._nodes, tree.new_nodes(len(self._nodes))])

    def _children(self, node: int) -> range:
        first = int(self._nodes[node]["first"])
        return range(first, first + int(self._nodes[node]["children"]))

    def _report(self, board: Board) -> Report:
        line = []
        node = 0
        while len(self._children(node)):
            node = self._best(node)
            line.append(int(self._nodes[node]["move"]))
        first = self._best(0)
        return Report(line[0], self._value(first), len(line), False, tuple(line), 0, 0.0)

    def _best(self, node: int) -> int:
        """Return the child to play: one that keeps a proven result, else the one with the most visits."""
        return int(tree.best_child(self._nodes, node))

    def _value(self, child: int) -> float:
        """Return what a move is worth to who makes it, WON for a proven win."""
        value = float(tree.worth(self._nodes, child))
        return WON * value if tree.is_proven(self._nodes, child) else value


def judgement(size: int) -> CompiledEvaluator:
    """Return an evaluation made by hand, whose tanh is taken for the expected result.

    It has the square weights of van Eck's positional player and the share of the moves of their mobility
    player. A corner counts as much as half of the moves.
    """
    return SquareEvaluator(published_weights("wipeout", size) / 80, mobility=2.5)


def _goes_on(earlier: Game, game: Game) -> bool:
    """Tell whether a game is another some moves later."""
    return earlier.start == game.start and game.moves[: len(earlier.moves)] == earlier.moves
