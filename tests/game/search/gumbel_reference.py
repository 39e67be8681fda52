"""A slow and simple Gumbel search, with which the compiled search is compared.

Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel". A forced pass is
made at once, so the same side may be to move after a move.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from othello_lab.game import PASS, Board
from othello_lab.game.batch import Positions, draws
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.search.gumbel import GuidedLimits


class Guide(Protocol):
    def judge(self, positions: Positions) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return (logits [n, squares], expected results [n] in -1..1) of positions that have a legal move."""


class Found(NamedTuple):
    moves: NDArray[np.int64]
    values: NDArray[np.float64]
    policies: NDArray[np.float32]
    worths: NDArray[np.float64]
    solved: NDArray[np.bool_]


@dataclass
class Node:
    board: Board
    # The logits of the legal moves. Empty if the result was known at once.
    logits: dict[int, float] = field(default_factory=dict)
    value: float = 0.0  # The value of the guide, or the exact result.
    children: dict[int, "Node"] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0  # The sum of the results of all visits.
    # The bounds of the result of the game from here. Equal bounds are a proof.
    bounds: tuple[int, int] = (-1, 1)

    @property
    def exact(self) -> int | None:
        return self.bounds[0] if self.bounds[0] == self.bounds[1] else None


def search_many(guide: Guide, positions: Positions, limits: GuidedLimits, noise: SeatSeeds | None) -> Found:
    searches = [Search(guide, limits, positions.board(i)) for i in range(len(positions))]
    gumbels = _gumbels(positions, noise)
    moves = [search.run(dict(enumerate(own))) for search, own in zip(searches, gumbels, strict=True)]
    policies = _over_squares(gumbels.shape, [search.policy(search.root) for search in searches])
    worths = _over_squares(gumbels.shape, [search.completed(search.root) for search in searches])
    values = [search.root_value() for search in searches]
    solved = [search.root.exact is not None for search in searches]
    return Found(np.array(moves), np.array(values), policies.astype(np.float32), worths, np.array(solved))


def _over_squares(shape: tuple[int, ...], numbers: list[dict[int, float]]) -> NDArray[np.float64]:
    """Return the numbers of moves at the places of their squares, [n, squares]."""
    rows = np.zeros(shape)
    for row, of_moves in zip(rows, numbers, strict=True):
        row[list(of_moves)] = list(of_moves.values())
    return rows


def _gumbels(positions: Positions, noise: SeatSeeds | None) -> NDArray[np.float64]:
    squares = positions.size**2
    if noise is None:
        return np.zeros((len(positions), squares))
    uniform = [draws(noise, positions, square) for square in range(squares)]
    return -np.log(-np.log(np.stack(uniform, axis=1)))


def visits_looked_for(limits: GuidedLimits, moves: int) -> list[int]:
    """Return for each simulation the number of visits of the root move that it takes (sequential halving).

    A simulation takes the best move with so many visits. So all considered moves get equally many visits,
    then the better half, and so on until two moves are left.
    """
    considered = min(limits.considered, moves)
    if considered == 1:
        return list(range(limits.simulations))
    phases = math.ceil(math.log2(considered))
    found: list[int] = []
    visits = 0
    while len(found) < limits.simulations:
        for _ in range(max(1, limits.simulations // (phases * considered))):
            found += [visits] * considered
            visits += 1
        considered = max(2, considered // 2)
    return found[: limits.simulations]


class Search:
    """One tree. The root is always expanded, because its moves are to be compared."""

    def __init__(self, guide: Guide, limits: GuidedLimits, board: Board) -> None:
        self._guide, self._limits = guide, limits
        self.root = self._expanded(board)
        if board.empties <= limits.solve:
            self.root.children = {move: self._leaf(board.play(move)) for move in board.legal_moves}
            self.root.bounds = bounds(self.root)

    def run(self, gumbels: Mapping[int, float]) -> int:
        root = self.root

        def score(move: int) -> float:
            return gumbels[move] + self._improved(root)[move]

        for visits in visits_looked_for(self._limits, len(root.logits)):
            if root.exact is None:
                self._simulate(root, max((m for m in root.logits if visited(root, m) == visits), key=score))
        if root.exact is not None:
            keeping = [m for m in root.logits if behind(root, m)[0] == root.exact]
            return max(keeping, key=score)
        most = max(visited(root, move) for move in root.logits)
        return max((move for move in root.logits if visited(root, move) == most), key=score)

    def root_value(self) -> float:
        return self.mixed_value(self.root)

    def _expanded(self, board: Board) -> Node:
        logits, values = self._guide.judge(Positions.of([board]))
        own = {move: float(logits[0][move]) for move in board.legal_moves}
        return Node(board, own, float(values[0]))

    def _leaf(self, board: Board) -> Node:
        if board.must_pass:
            board = board.play(PASS)
        if board.is_over or board.empties <= self._limits.solve:
            result = best_result(board)
            return Node(board, value=float(result), bounds=(result, result))
        return self._expanded(board)

    def _simulate(self, node: Node, move: int) -> float:
        """Visit the position after a move, and return its result for the side to move at `node`."""
        if move not in node.children:
            child = node.children[move] = self._leaf(node.board.play(move))
            found = child.value
        else:
            child = node.children[move]
            found = self._simulate(child, self._next(child)) if child.exact is None else float(child.exact)
        child.visits += 1
        child.total += found
        node.bounds = bounds(node)
        return within(node.bounds, sign(node, child) * found)

    def _next(self, node: Node) -> int:
        """Return the move that brings the visits nearest to the improved policy (equation 14)."""
        policy, visits = self.policy(node), {move: visited(node, move) for move in node.logits}
        return max(policy, key=lambda move: policy[move] - visits[move] / (1 + sum(visits.values())))

    def policy(self, node: Node) -> dict[int, float]:
        """Return the improved policy (equation 11)."""
        return softmax(self._improved(node))

    def _improved(self, node: Node) -> dict[int, float]:
        """Return logits + sigma(completed Q) of each move, Q from 0 to 1 (equation 8)."""
        most = max(visited(node, move) for move in node.logits)
        scale = 50 + most  # c_visit = 50, c_scale = 1
        worth = self.completed(node)
        return {move: logit + scale * (worth[move] + 1) / 2 for move, logit in node.logits.items()}

    def completed(self, node: Node) -> dict[int, float]:
        """Return the values of the moves, -1 to 1. Unknown values are the mixed value (equation 10)."""
        mixed = self.mixed_value(node)
        return {move: q(node, move) if move in node.children else mixed for move in node.logits}

    def mixed_value(self, node: Node) -> float:
        """Return the guide's value of the node, mixed with the results of the visits (equation 33)."""
        visits = {move: visited(node, move) for move in node.logits}
        policy, total = softmax(node.logits), sum(visits.values())
        seen = [move for move in node.logits if visits[move]]
        mean = sum(policy[m] * q(node, m) for m in seen) / sum(policy[m] for m in seen) if seen else 0.0
        return within(node.bounds, (node.value + total * mean) / (1 + total))


def visited(node: Node, move: int) -> int:
    return node.children[move].visits if move in node.children else 0


def sign(node: Node, child: Node) -> int:
    return 1 if child.board.turn is node.board.turn else -1


def behind(node: Node, move: int) -> tuple[int, int]:
    child = node.children.get(move)
    if child is None:
        return -1, 1
    low, high = child.bounds
    return (low, high) if sign(node, child) == 1 else (-high, -low)


def q(node: Node, move: int) -> float:
    """Return the mean result of the visits of a move, -1 to 1, within its proven bounds."""
    child = node.children[move]
    return within(behind(node, move), sign(node, child) * child.total / max(1, child.visits))


def within(bounds: tuple[int, int], number: float) -> float:
    return min(max(number, bounds[0]), bounds[1])


def bounds(node: Node) -> tuple[int, int]:
    lows, highs = zip(*(behind(node, move) for move in node.logits), strict=True)
    return max(lows), max(highs)


def best_result(board: Board) -> int:
    if board.is_over:
        return int(np.sign(board.own.bit_count() - board.opponent.bit_count()))
    best = -1
    for move in board.legal_moves or [PASS]:
        best = max(best, -best_result(board.play(move)))
        if best == 1:
            break
    return best


def softmax(logits: Mapping[int, float]) -> dict[int, float]:
    highest = max(logits.values())
    powers = {move: math.exp(logit - highest) for move, logit in logits.items()}
    return {move: power / sum(powers.values()) for move, power in powers.items()}
