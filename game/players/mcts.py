"""The player `mcts`, which uses Monte-Carlo tree search, or Gumbel search with a deep network."""

import time
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions
from othello_lab.game.board import Board
from othello_lab.game.catalogue import EVALUATORS, Entry, make_evaluator
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, Evaluator, scale_of
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.players.player import MoveValues, Player, Policy
from othello_lab.game.players.search import limits_of
from othello_lab.game.registry import RegistryError, Spec
from othello_lab.game.search import mcts as kernels
from othello_lab.game.search.endgame import ENDGAME, SHARE, Endgame
from othello_lab.game.search.gumbel import Guide, GuidedLimits, guide_of, search_many
from othello_lab.game.search.limits import Limits, Report, alarm
from othello_lab.game.solver.few_empties import STATE as SOLVER
from othello_lab.game.solver.few_empties import State as Solver
from othello_lab.game.solver.solver import StoppedError
from othello_lab.game.values import DISCS, EXPECTED_RESULT, WON

SIMULATIONS = 10_000  # The default number of simulations for a move, which take up to 50 ms on 8x8.
MOST_SIMULATIONS = 10**9 - 1
SOLVE = 7  # The maximum number of empty squares of a solved leaf. Solving takes about as long as a playout.
# The number of simulations before the solver starts. The result is the fallback for a slow solver.
_FIRST = 500
_WORTH = 20  # The approximate number of positions that the solver visits in the time of one simulation.
_LEAST_NODES = 1 << 12
_HASH_MIB = 256  # The default memory of the tree in MiB. The search ends when the tree is full.
_NO_LIMIT = np.iinfo(np.int64).max


class TreePlayer(Player):
    """A player that plays the most visited move in a search tree. The tree is kept between moves."""

    unit = EXPECTED_RESULT  # The unit of the values of unsolved moves.

    def __init__(self, size: int, evaluator: CompiledEvaluator | None, limits: Limits) -> None:
        """By default, playouts and `judgement` evaluate leaves. Raises ValueError for a wrong size."""
        self.size, self._limits, self._evaluator = size, limits, evaluator or kernels.judgement(size)
        self.last_report: Report | None = None  # The report of the last search.
        self._enough = limits.simulations or MOST_SIMULATIONS
        self._evaluator.check_size(size)
        self._endgame = Endgame(size, evaluator, Limits().hash_mib)
        nodes = limits.nodes if limits.simulations is None else _WORTH * limits.simulations
        self._endgame_limits = replace(limits, nodes=nodes)
        self._solver: Solver = np.zeros(1, SOLVER)[0]
        self._solver["size"] = size
        self._state: kernels.State = np.zeros(1, kernels.STATE)[0]
        solve = SOLVE if limits.endgame is None else min(SOLVE, limits.endgame)
        self._state["size"], self._state["solve"], self._state["playouts"] = size, solve, not evaluator
        self._state["parameters"] = self._evaluator.parameters
        self._state["exploration"] = kernels.PRIOR_EXPLORATION if evaluator else kernels.EXPLORATION
        self._state["scale"] = scale_of(evaluator, size) if evaluator else 1.0
        self._most_nodes = max(limits.hash_mib * 2**20 // kernels.NODE.itemsize, _LEAST_NODES)
        self._nodes: kernels.Nodes = kernels.new_nodes(_LEAST_NODES)
        self._root: Game | None = None  # The game with the position of the root, or None without a tree.

    def start(self, game: Game) -> None:
        """Discard the tree of the last game."""
        self._root = None

    def stop(self) -> None:
        """Interrupt a search in another thread. The search then returns the best move so far."""
        self._state["stop"] = True
        self._endgame.solver.stop()

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best move that the search finds within the limits."""
        self.last_report = self.think(game, rng)
        return self.last_report.move

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the expected results of the moves. Near the end, return the exact disc differences."""
        scores = self._scores(game.board)
        found = scores or self._rank(game, rng)
        numbers = [found[move] for move in game.board.legal_moves]
        return MoveValues(np.array(numbers, float), DISCS if scores else self.unit)

    def think(self, game: Game, rng: np.random.Generator) -> Report:
        """Search the position of a game and return the result. The position must have a legal move."""
        started = time.perf_counter()
        self._begin(game, rng)
        with alarm(self._limits.seconds, started, self.stop):
            report = self._think(game.board)
        nodes = int(self._state["positions"]) + self._endgame.solver.nodes
        return replace(report, nodes=nodes, seconds=time.perf_counter() - started)

    def _rank(self, game: Game, rng: np.random.Generator) -> dict[int, float]:
        """Return expected results by square. A proven result is WON, 0 or -WON. The tree does not change."""
        before = self._nodes, int(self._state["used"]), self._root  # `_go_to` copies the nodes
        try:
            self._begin(game, rng)
            with alarm(self._limits.seconds, time.perf_counter(), self.stop):
                self._grow(game.board, self._enough)
            return {int(self._nodes[child]["move"]): self._value(child) for child in self._children(0)}
        finally:
            self._nodes, self._state["used"], self._root = before

    def _scores(self, board: Board) -> dict[int, int] | None:
        """Return the exact disc differences by square, or None if the position is not solved."""
        self._endgame.begin(self._endgame_limits)
        with (
            suppress(StoppedError),
            alarm(self._limits.seconds, time.perf_counter(), self._endgame.solver.stop),
        ):
            return self._endgame.solver.scores(board) if self._endgame.is_near(board) else None
        return None

    def _think(self, board: Board) -> Report:
        self._grow(board, min(_FIRST, self._enough))
        report = self._report()
        solution = None
        if self._endgame.is_near(board):
            solution = self._endgame.solve(board, report)
        elif self._endgame.may_be_solved(board):
            solution = self._endgame.attempt(board, report)
            if self._limits.nodes is not None:
                self._state["limit"] = int((1 - SHARE) * self._limits.nodes)
        if solution:
            return solution
        self._grow(board, self._enough)
        return self._report()

    def _begin(self, game: Game, rng: np.random.Generator) -> None:
        self._endgame.begin(self._endgame_limits)
        self._go_to(game)
        state = self._state
        state["simulations"], state["positions"], state["stop"], state["draws"] = 0, 0, False, 0
        state["seed"] = rng.integers(1 << 64, dtype=np.uint64)
        state["limit"] = self._limits.nodes or _NO_LIMIT

    def _go_to(self, game: Game) -> None:
        """Make the current position the root, and keep its subtree. For a new game, clear the tree."""
        last, self._root = self._root, game.until()
        node = None
        if last and last.start == game.start and game.moves[: len(last.moves)] == last.moves:
            node = self._find(game.moves[len(last.moves) :])
        if node is None or not self._children(node):
            self._nodes, self._state["used"] = kernels.new_nodes(_LEAST_NODES), 1
            return
        kept = kernels.new_nodes(len(self._nodes))
        self._state["used"] = kernels.copy_subtree(self._nodes, node, kept)
        self._nodes = kept

    def _find(self, moves: list[int]) -> int | None:
        """Return the node that `moves` reach from the root, or None."""
        node = 0
        for move in moves:
            children = (child for child in self._children(node) if self._nodes[child]["move"] == move)
            if (node := next(children, -1)) < 0:
                return None
        return node

    def _grow(self, board: Board, enough: int) -> None:
        """Run simulations until the tree has `enough`, or until a different limit is reached."""
        self._state["enough"] = enough
        while True:
            kernels.grow(*board.for_kernels, self._nodes, self._state, self._solver)
            full = self._state["used"] + kernels.MOST_MOVES > len(self._nodes)
            if not full or len(self._nodes) >= self._most_nodes:
                return
            self._nodes = np.concatenate([self._nodes, kernels.new_nodes(len(self._nodes))])

    def _children(self, node: int) -> range:
        first = int(self._nodes[node]["first"])
        return range(first, first + int(self._nodes[node]["children"]))

    def _report(self) -> Report:
        node, line = 0, []
        while len(self._children(node)):
            node = int(kernels.best_child(self._nodes, node))
            line.append(int(self._nodes[node]["move"]))
        value = self._value(int(kernels.best_child(self._nodes, 0)))
        return Report(line[0], value, len(line), False, tuple(line), 0, 0.0)

    def _value(self, child: int) -> float:
        """Return the value of a move for the side that makes the move. A proven win has the value WON."""
        value = float(kernels.worth(self._nodes, child))
        return WON * value if kernels.is_proven(self._nodes, child) else value


GUIDED_SIMULATIONS = 64  # The default number of simulations for each move.
_MOST_SIMULATIONS = 100_000
# The maximum of `endgame`, with which the solver needs less than a millisecond for a leaf.
_MOST_SOLVED = 10
_NOT_GUIDED = ("time", "nodes", "hash")  # Options that a search with a network does not support.


class GuidedPolicy(Policy):
    """A policy that chooses each move by a network-guided search without noise."""

    def __init__(self, guide: Guide, limits: GuidedLimits) -> None:
        self._guide, self._limits = guide, limits

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return the move that a search finds in each position, int64 [n]. `luck` is not used."""
        return search_many(self._guide, positions, self._limits, None).moves

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the expected results of the moves. A certain result is WON or -WON. `rng` is not used."""
        found = search_many(self._guide, Positions.of([game.board]), self._limits, None)
        worths = found.worths[0, [*game.board.legal_moves]]
        return MoveValues(np.where(np.abs(worths) == 1.0, WON * worths, worths), EXPECTED_RESULT)


def _make_guided(spec: Spec, evaluator: Evaluator, size: int) -> GuidedPolicy:
    for name in _NOT_GUIDED:
        if name in spec.options:
            raise RegistryError(f"{spec.name}: {name}= is not for this search, which counts simulations=")
    simulations = spec.whole("simulations", GUIDED_SIMULATIONS, 0, _MOST_SIMULATIONS)
    solve = spec.whole("endgame", GuidedLimits(0).solve, 0, _MOST_SOLVED)
    return GuidedPolicy(guide_of(evaluator, size), GuidedLimits(simulations, solve=solve))


def _make(spec: Spec, size: int) -> Player:
    evaluator = make_evaluator(spec.options["eval"], size) if "eval" in spec.options else None
    if not (evaluator is None or isinstance(evaluator, CompiledEvaluator)):
        return _make_guided(spec, evaluator, size)
    limits = limits_of(spec, _HASH_MIB)
    if limits.seconds is limits.nodes is None or "simulations" in spec.options:
        limits = replace(limits, simulations=spec.whole("simulations", SIMULATIONS, 1, MOST_SIMULATIONS))
    return TreePlayer(size, evaluator, limits)


MCTS: Entry[Player] = Entry(
    _make,
    "Monte-Carlo tree search with random playouts or an evaluator; strong without training",
    options={
        "simulations": f"simulations for each move ({SIMULATIONS}; with a network {GUIDED_SIMULATIONS}; "
        "with time= or nodes= no limit)",
        "time": "seconds for each move (no limit)",
        "nodes": "positions for each move, including playouts (no limit)",
        "eval": "an evaluator instead of playouts, or a network that guides the search (none)",
        "endgame": "solve positions with this many empty squares or fewer "
        f"({ENDGAME}; more if the limits allow; with a network {GuidedLimits(0).solve})",
        "hash": f"MiB of memory for the tree ({_HASH_MIB})",
    },
    files=lambda spec, size: EVALUATORS.files(spec.options["eval"], size) if "eval" in spec.options else (),
)
