"""Monte-Carlo tree search for one game, with a solver for the endgame.

With playouts the algorithm is UCT (Kocsis and Szepesvari 2006, "Bandit based Monte-Carlo Planning"). With an
evaluator the algorithm is PUCT (Silver et al. 2017, "Mastering the game of Go without human knowledge").
"""

import math
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.evaluators.evaluator import PARAMETERS, CompiledEvaluator, evaluate, scale_of
from othello_lab.game.evaluators.weights import SquareEvaluator, published_weights
from othello_lab.game.game import Game
from othello_lab.game.kernels.arrays import random_game
from othello_lab.game.kernels.bitboard import is_over, played
from othello_lab.game.kernels.bits import Bits, Integer, count, from_int
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.kernels.random_choices import random_word
from othello_lab.game.search.limits import SHARE, Endgame, Limits, Report, alarm
from othello_lab.game.search.tree import (
    NODE,
    Nodes,
    back_up,
    best_child,
    copy_subtree,
    exact_result,
    expand,
    is_proven,
    may_be_best,
    new_nodes,
    prove,
    tighten,
    worth,
)
from othello_lab.game.solver.solver import StoppedError
from othello_lab.game.solver.solver_kernels import STATE as SOLVER
from othello_lab.game.solver.solver_kernels import State as Solver
from othello_lab.game.values import WON

SIMULATIONS = 10_000
"""The default number of simulations for a move, which take up to 50 ms on 8x8."""
MOST_SIMULATIONS = 10**9 - 1
SOLVE = 7
"""A leaf with at most this many empty squares is solved, which takes about as long as a playout."""
EXPLORATION = 0.4
"""The constant c of UCT, measured in docs/search.md. PRIOR_EXPLORATION is the constant of PUCT."""
PRIOR_EXPLORATION = 1.0
_FIRST = 500
"""The number of simulations before the solver starts, which give a move if the solver is too slow."""
_WORTH = 20
"""The solver visits about this number of positions in the time of one simulation."""
_LEAST_NODES = 1 << 12
_NO_LIMIT = np.iinfo(np.int64).max
STATE = np.dtype(
    [
        ("size", np.int64),
        # The number of nodes in use.
        ("used", np.int64),
        # The number of simulations so far, and its limit.
        ("simulations", np.int64),
        ("enough", np.int64),
        # The number of visited positions, including playouts, and its limit.
        ("positions", np.int64),
        ("limit", np.int64),
        # Whether another thread has interrupted the search.
        ("stop", np.bool_),
        # A leaf with at most this many empty squares is solved.
        ("solve", np.int64),
        # Whether playouts give the values of leaves, and not only the evaluator.
        ("playouts", np.bool_),
        # The weight of exploration, which is c in `by_confidence` and `by_prior`.
        ("exploration", np.float64),
        # The evaluator. If it counts points, the expected result is tanh(value / scale). Otherwise this is 0.
        ("parameters", PARAMETERS),
        ("scale", np.float64),
        # The seed of the random numbers, and the number of draws so far.
        ("seed", np.uint64),
        ("draws", np.int64),
    ],
    align=True,
)
"""The state of a search."""
# An item of STATE. Compiled code reads and writes its fields as attributes.
State = Any
_JUDGED = 0.5
"""The weight of the evaluator in the value of a leaf. The weight of the playout is 1 - _JUDGED."""
MOST_MOVES = 256
"""An upper bound of the number of moves in a position."""
SHARPNESS = 4.0
"""The logarithm of a move's prior is this factor times the expected result."""


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """The limits of time and memory for the search of one move."""

    simulations: int | None = SIMULATIONS
    """The largest number of new simulations for a move. None means no limit."""
    seconds: float | None = None
    nodes: int | None = None
    """The largest number of positions visited for a move, including playouts."""
    endgame: int | None = None
    """The number of empty squares at which the solver takes over, as in `Limits`."""
    solve: int = SOLVE
    """A leaf of the tree with at most this many empty squares is solved."""
    hash_mib: int = 256
    """The memory of the tree in MiB. The search ends when the tree is full."""

    @property
    def of_endgame(self) -> Limits:
        """The limits of the solver at the root, with the same share for the solver as in `search`."""
        nodes = self.nodes if self.simulations is None else _WORTH * self.simulations
        return Limits(seconds=self.seconds, nodes=nodes, endgame=self.endgame)


class TreeSearch:
    """A tree search for the moves of one game after another, on boards of one size."""

    def __init__(self, size: int, evaluator: CompiledEvaluator | None, limits: TreeLimits) -> None:
        """Without an evaluator, playouts and `judgement` evaluate the leaves. Raises ValueError."""
        self.size, self._limits, self._evaluator = size, limits, evaluator or judgement(size)
        self._enough = limits.simulations or MOST_SIMULATIONS
        self._evaluator.check_size(size)
        self._endgame = Endgame(size, evaluator, limits.of_endgame)
        self._solver: Solver = np.zeros(1, SOLVER)[0]
        self._solver["size"], self._solver["limit"] = size, _NO_LIMIT
        self._state: State = np.zeros(1, STATE)[0]
        self._state["size"], self._state["solve"], self._state["playouts"] = size, limits.solve, not evaluator
        self._state["parameters"] = self._evaluator.parameters
        self._state["exploration"] = PRIOR_EXPLORATION if evaluator else EXPLORATION
        self._state["scale"] = scale_of(evaluator, size) if evaluator else 1.0
        self._most_nodes = max(limits.hash_mib * 2**20 // NODE.itemsize, _LEAST_NODES)
        self.forget()

    def forget(self) -> None:
        """Empty the tree for a new game."""
        self._nodes, self._state["used"] = new_nodes(_LEAST_NODES), 1
        self._root: Game | None = None

    def stop(self) -> None:
        """Interrupt `think` in another thread. A call before the search begins has no effect."""
        self._state["stop"] = True
        self._endgame.solver.stop()

    def think(self, game: Game, rng: np.random.Generator) -> Report:
        """Search the position of a game and return the result. The position must have a legal move."""
        started = time.perf_counter()
        self._begin(game, rng)
        with alarm(self._limits.seconds, started, self.stop):
            report = self._think(game.board)
        nodes = int(self._state["positions"]) + self._endgame.solver.nodes
        return replace(report, nodes=nodes, seconds=time.perf_counter() - started)

    def rank(self, game: Game, rng: np.random.Generator) -> dict[int, float]:
        """Return expected results by square. A proven result is WON, 0 or -WON. The tree does not change."""
        before = self._nodes, int(self._state["used"]), self._root  # `_go_to` copies the nodes
        try:
            self._begin(game, rng)
            with alarm(self._limits.seconds, time.perf_counter(), self.stop):
                self._grow(game.board, self._enough)
            return {int(self._nodes[child]["move"]): self._value(child) for child in self._children(0)}
        finally:
            self._nodes, self._state["used"], self._root = before

    def scores(self, board: Board) -> dict[int, int] | None:
        """Return the exact disc differences by square, or None if the position is not solved."""
        self._endgame.begin()
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
        self._endgame.begin()
        self._go_to(game)
        state = self._state
        state["simulations"], state["positions"], state["stop"], state["draws"] = 0, 0, False, 0
        state["seed"] = rng.integers(1 << 64, dtype=np.uint64)
        state["limit"] = self._limits.nodes or _NO_LIMIT

    def _go_to(self, game: Game) -> None:
        """Keep only the subtree of the current position. If `game` is another game, empty the tree."""
        last, self._root = self._root, game.until()
        node = None
        if last and last.start == game.start and game.moves[: len(last.moves)] == last.moves:
            node = self._find(game.moves[len(last.moves) :])
        if node is None or not self._children(node):
            self._nodes, self._state["used"] = new_nodes(_LEAST_NODES), 1
            return
        kept = new_nodes(len(self._nodes))
        self._state["used"] = copy_subtree(self._nodes, node, kept)
        self._nodes = kept

    def _find(self, moves: list[int]) -> int | None:
        """Return the node after some moves from the root, or None."""
        node = 0
        for move in moves:
            children = (child for child in self._children(node) if self._nodes[child]["move"] == move)
            if (node := next(children, -1)) < 0:
                return None
        return node

    def _grow(self, board: Board, enough: int) -> None:
        """Run simulations until there are `enough`, or until another limit is reached."""
        own, opponent = from_int(board.own, self.size), from_int(board.opponent, self.size)
        self._state["enough"] = enough
        while True:
            grow(own, opponent, self._nodes, self._state, self._solver)
            full = self._state["used"] + MOST_MOVES > len(self._nodes)
            if not full or len(self._nodes) >= self._most_nodes:
                return
            self._nodes = np.concatenate([self._nodes, new_nodes(len(self._nodes))])

    def _children(self, node: int) -> range:
        first = int(self._nodes[node]["first"])
        return range(first, first + int(self._nodes[node]["children"]))

    def _report(self) -> Report:
        node, line = 0, []
        while len(self._children(node)):
            node = int(best_child(self._nodes, node))
            line.append(int(self._nodes[node]["move"]))
        value = self._value(int(best_child(self._nodes, 0)))
        return Report(line[0], value, len(line), False, tuple(line), 0, 0.0)

    def _value(self, child: int) -> float:
        """Return the value of a move for the side that makes the move. A proven win has the value WON."""
        value = float(worth(self._nodes, child))
        return WON * value if is_proven(self._nodes, child) else value


def judgement(size: int) -> CompiledEvaluator:
    """Return an evaluator with two terms of van Eck. The tanh of the value is the expected result."""
    return SquareEvaluator(published_weights("wipeout", size) / 80, mobility=2.5)


@compiled
def by_confidence(nodes: Nodes, node: int, state: State) -> Integer:
    """Return the child with the largest UCB1, mean + c sqrt(ln N / n). Unvisited children come first."""
    entry = nodes[node]
    scale = state.exploration * math.sqrt(math.log(max(1, entry.visits)))
    start = random_word(state.seed, state.draws) % np.uint64(entry.children)
    state.draws += 1
    best, highest = -1, -np.inf
    for place in range(entry.children):
        child = entry.first + (np.int64(start) + place) % entry.children
        if not may_be_best(nodes, child):
            continue
        if nodes[child].visits == 0:
            return child
        bound = worth(nodes, child) + scale / math.sqrt(nodes[child].visits)
        if bound > highest:
            best, highest = child, bound
    return best


@compiled
def by_prior(nodes: Nodes, node: int, exploration: float) -> Integer:
    """Return the child with the largest PUCT value, Q + c P sqrt(N) / (1 + n)."""
    entry = nodes[node]
    scale = exploration * math.sqrt(max(1, entry.visits))
    best, highest = -1, -np.inf
    for child in range(entry.first, entry.first + entry.children):
        bound = worth(nodes, child) + scale * math.exp(nodes[child].logit) / (1 + nodes[child].visits)
        if bound > highest and may_be_best(nodes, child):
            best, highest = child, bound
    return best


@compiled
def grow(own: Bits, opponent: Bits, nodes: Nodes, state: State, solver: Solver) -> None:
    """Run simulations until a limit is reached, the root is proven, or the tree is full.

    With playouts, a node is expanded at the second visit, to save memory.
    """
    while _goes_on(nodes, state):
        node, mine, theirs = 0, own, opponent
        while True:
            if nodes[node].children == 0:
                is_new = state.playouts and nodes[node].visits == 0 and node > 0
                if _solve(mine, theirs, node, nodes, state, solver) or is_new:
                    break
                state.used = expand(mine, theirs, node, nodes, state.used, state.size)
                if nodes[node].children == 0 or not state.playouts:
                    break
            if state.playouts:
                node = by_confidence(nodes, node, state)
            else:
                node = by_prior(nodes, node, state.exploration)
            mine, theirs = played(mine, theirs, nodes[node].move, state.size)
        value = float(nodes[node].lower)
        if not is_proven(nodes, node):
            if state.playouts:
                value = _sampled(mine, theirs, state)
            else:
                value = _judge(mine, theirs, node, nodes, state)
        back_up(nodes, node, value)
        state.simulations += 1
        state.positions += 1


@compiled
def _goes_on(nodes: Nodes, state: State) -> bool:
    enough = state.simulations >= state.enough or state.positions >= state.limit or state.stop
    full = state.used + MOST_MOVES > len(nodes)
    return not (full or is_proven(nodes, 0) or (enough and state.simulations > 0))


@compiled
def _solve(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State, solver: Solver) -> bool:
    """Solve a leaf with few empty squares that is not the root. Return whether the leaf was solved."""
    if node == 0 or state.size * state.size - count(own | opponent) > state.solve:
        return False
    before = solver.nodes
    prove(nodes, node, exact_result(own, opponent, solver))
    state.positions += solver.nodes - before
    return True


@compiled
def _sampled(own: Bits, opponent: Bits, state: State) -> float:
    """Return a mean of a playout's result and an evaluator's value, as in AlphaGo (Silver et al. 2016)."""
    mine, theirs, plies = random_game(own, opponent, state.size, state.seed, state.draws, True)
    state.draws += plies
    state.positions += plies
    result = float(np.sign(mine - theirs))
    return result + _JUDGED * (_expected(own, opponent, state) - result)


@compiled
def _judge(own: Bits, opponent: Bits, node: int, nodes: Nodes, state: State) -> float:
    """Write a value and a prior for each child of a node, and return the value of the best child."""
    entry = nodes[node]
    last, best = entry.first + entry.children, -np.inf
    for child in range(entry.first, last):
        mine, theirs = played(own, opponent, nodes[child].move, state.size)
        if is_over(mine, theirs, state.size):
            prove(nodes, child, np.sign(count(mine) - count(theirs)))
            value = float(nodes[child].lower)
        else:
            value = _expected(mine, theirs, state)
        nodes[child].expected = value
        best = max(best, -value)
    total = 0.0
    for child in range(entry.first, last):
        nodes[child].logit = SHARPNESS * (-float(nodes[child].expected) - best)
        total += math.exp(nodes[child].logit)
    for child in range(entry.first, last):
        nodes[child].logit -= math.log(total)
    state.positions += entry.children
    tighten(nodes, node)
    return best


@compiled
def _expected(own: Bits, opponent: Bits, state: State) -> float:
    """Return the evaluator's expected result of an unfinished position, -1 to 1."""
    value = evaluate(own, opponent, state.size, state.parameters)
    return math.tanh(value / state.scale) if state.scale > 0 else value
