"""Guided search of many positions at once: a network judges the leaves of all trees together.

Gumbel AlphaZero (Danihelka et al. 2022, "Policy improvement by planning with Gumbel").
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.evaluators.evaluator import Evaluator, scale_of
from othello_lab.game.kernels.bits import from_int
from othello_lab.game.luck import SeatSeeds, draws
from othello_lab.game.search import batched
from othello_lab.game.search import guided_kernels as kernels
from othello_lab.game.search.mcts_kernels import SHARPNESS
from othello_lab.game.search.tree import new_nodes
from othello_lab.game.solver import solver_kernels

_NODES = 1 << 22
"""Nodes of the trees that grow at the same time, about."""
_EACH = 8
"""Nodes that a simulation adds, about."""
_MOST_LIKELY = 1 - 1e-6
"""What a guide may say at most: a value of 1 is a proof."""


@runtime_checkable
class Guide(Protocol):
    """What says how good positions and their moves are."""

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return (logits [n, squares], expected results [n] in -1..1) of positions that have a legal move."""


@dataclass(frozen=True, slots=True)
class GuidedLimits:
    """How far a search goes, and how it chooses."""

    simulations: int
    """Of each position; 0 plays by the guide's policy alone."""
    considered: int = 16
    """Moves of the root that sequential halving begins with, at most."""
    c_visit: float = 50.0
    """This and the next scale completed Q (equation 8 and section 4)."""
    c_scale: float = 1.0
    solve: int = 8
    """From this many empty squares on a position is solved and not judged."""


class Found(NamedTuple):
    """What searches found of positions, for the side to move."""

    moves: NDArray[np.int64]
    """The square to play, [n]."""
    values: NDArray[np.float64]
    """The expected result, -1 to 1, [n]; the exact one where `solved`."""
    policies: NDArray[np.float32]
    """The improved policy: probabilities of the squares, [n, squares]."""
    worths: NDArray[np.float64]
    """The expected result of each legal move, 0 elsewhere, [n, squares]."""
    solved: NDArray[np.bool_]
    """Whether the exact result is known, [n]; then the move keeps it."""


def search_many(guide: Guide, positions: Positions, limits: GuidedLimits, noise: SeatSeeds | None) -> Found:
    """Search positions that have a legal move.

    `noise` is the luck of the seats, [n], that Gumbel draws are made from; None is no noise. Every position
    is judged together with those beside it: what a network says of it may differ from what it says of it
    alone by rounding.
    """
    at_once = max(1, _NODES // (_EACH * (1 + limits.simulations)))
    parts = []
    for start in range(0, max(1, len(positions)), at_once):
        rows = np.arange(start, min(start + at_once, len(positions)))
        trees = _Trees(positions.take(rows), limits, None if noise is None else noise[rows])
        parts.append(trees.search(guide))
    return Found(*map(np.concatenate, zip(*parts, strict=True)))


class _Trees:
    """The trees of some positions."""

    def __init__(self, positions: Positions, limits: GuidedLimits, noise: SeatSeeds | None) -> None:
        size, n = positions.size, len(positions)
        self._positions, self._limits = positions, limits
        self._like = from_int(0, size)
        self._gumbels = _gumbels(positions, noise)
        self._nodes = new_nodes(n, _EACH * limits.simulations + 2 * size * size)
        self._used = np.zeros(n, np.int64)
        self._task: kernels.Task = np.zeros(1, kernels.TASK)[0]
        self._task["size"], self._task["solve"] = size, limits.solve
        self._task["c_visit"], self._task["c_scale"] = limits.c_visit, limits.c_scale
        self._solver: solver_kernels.State = np.zeros(1, solver_kernels.STATE)[0]
        self._solver["size"], self._solver["limit"] = size, np.iinfo(np.int64).max

    def search(self, guide: Guide) -> Found:
        """Simulate, and return what was found."""
        roots = self._positions.own, self._positions.opponent
        kernels.begin(self._like, *roots, self._nodes, self._used, self._task, self._solver)
        self._judge(guide, self._positions, np.zeros(len(self._positions), np.int64))
        seen = np.zeros_like(roots[0]), np.zeros_like(roots[1])
        leaves = np.empty(len(self._positions), np.int64)
        for looked_for in _looked_for(self._limits.simulations, self._limits.considered):
            rest = self._gumbels, looked_for, self._task, self._solver, leaves, seen
            self._make_room()
            kernels.descend(self._like, roots, self._nodes, self._used, *rest)
            self._judge(guide, Positions(self._positions.size, *seen), leaves)
        return self._found()

    def _make_room(self) -> None:
        """Have room for the moves of a position and of that behind a pass in each tree."""
        if self._used.max(initial=0) + self._positions.size**2 > self._nodes.shape[1]:
            self._nodes = np.concatenate([self._nodes, new_nodes(*self._nodes.shape)], axis=1)

    def _judge(self, guide: Guide, positions: Positions, leaves: NDArray[np.int64]) -> None:
        games = np.flatnonzero(leaves != kernels.NOWHERE)
        if len(games):
            logits, values = guide.judge(positions.take(games))
            values = np.clip(values, -_MOST_LIKELY, _MOST_LIKELY)
            kernels.take_judgements(self._nodes, games, leaves, logits, values)

    def _found(self) -> Found:
        n, squares = self._gumbels.shape
        found = Found(
            np.empty(n, np.int64),
            np.empty(n),
            np.zeros((n, squares), np.float32),
            np.zeros((n, squares)),
            np.empty(n, np.bool_),
        )
        kernels.conclude(self._nodes, self._gumbels, self._task, *found)
        return found


def _gumbels(positions: Positions, noise: SeatSeeds | None) -> NDArray[np.float64]:
    """Return a draw of the Gumbel distribution for each square, [n, squares]."""
    squares = positions.size**2
    if noise is None:
        return np.zeros((len(positions), squares))
    uniform = [draws(noise, positions, square) for square in range(squares)]
    return -np.log(-np.log(np.stack(uniform, axis=1)))


@lru_cache
def _looked_for(simulations: int, considered: int) -> NDArray[np.int64]:
    """Return the visits that the next move of the root must have, [simulations, 1 + considered moves]."""
    rows = [visits_looked_for(simulations, max(1, moves)) for moves in range(considered + 1)]
    return np.array(rows, np.int64).reshape(considered + 1, simulations).T.copy()


def visits_looked_for(simulations: int, considered: int) -> list[int]:
    """Return for each simulation how many visits the root's move must have that it takes: sequential halving.

    A simulation goes to the best move among those with that many visits. So all considered moves are visited
    equally often, then the better half, and so on until two are left (Karnin, Koren and Somekh 2013).
    """
    phases = math.ceil(math.log2(considered)) or 1
    found: list[int] = []
    visits = 0
    while len(found) < simulations:
        for _ in range(max(1, simulations // (phases * considered))):
            found += [visits] * considered
            visits += 1
        considered = min(considered, max(2, considered // 2))
    return found[:simulations]


def guide_of(evaluator: Evaluator, size: int) -> Guide:
    """Return an evaluator that has a policy as it is, another with the policy of its values."""
    return evaluator if isinstance(evaluator, Guide) else ValueGuide(evaluator, size)


class ValueGuide:
    """An evaluator as a guide: it looks one ply ahead, and prefers what is worth more there."""

    def __init__(self, evaluator: Evaluator, size: int) -> None:
        self._evaluator, self._scale = evaluator, scale_of(evaluator, size)

    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return logits [n, N * N] and values [n]; the value of a position is that of its best move."""
        moves = legal_moves(positions)
        choices = count_squares(moves, positions.size)
        values = -batched.values(batched.children(positions, choices), 0, self._evaluator)[0]  # [moves]
        expected = np.tanh(values / self._scale) if self._scale else np.clip(values, -1.0, 1.0)
        logits = np.zeros((len(positions), positions.size**2), np.float32)
        logits[to_mask(moves, positions.size)] = SHARPNESS * expected
        return logits, np.maximum.reduceat(expected, np.cumsum(choices) - choices)
