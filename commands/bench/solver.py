"""Speed of the exact solver on positions of 8x8 with many empty squares (`othello bench solver`)."""

import time
from collections.abc import Iterator
from typing import Final

from othello_lab.game.board import Board
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.play import sampled
from othello_lab.game.players.deepening import best_evaluator
from othello_lab.game.solver.solver import Solver

_SIZE: Final = 8
_PLAYER: Final = "noisy:positional,share=0.05"
"""Who plays the games: it stays as it is, so that two versions of the solver get the same positions."""


def positions(count: int, left: int) -> Iterator[Board]:
    """Return positions with so many empty squares and a choice of moves, one of each game."""
    return sampled.positions(_PLAYER, _SIZE, count, fewest=left, most=left, seed=0)


def report(left: int, count: int) -> Iterator[str]:
    """Yield the mean processor time and work of a position, and all values, which no version may change."""
    solver = Solver(_SIZE, evaluator=make_evaluator(best_evaluator(_SIZE), _SIZE))
    values, nodes, seconds = [], 0, 0.0
    for board in positions(count, left):
        solver.forget()
        start = time.process_time()
        values.append(solver.value(board))
        seconds += time.process_time() - start
        nodes += solver.nodes
    yield f"{left} empty squares, {count} positions"
    yield f"{seconds / count:.3f} s each, {nodes / count:,.0f} nodes, {nodes / seconds:,.0f} nodes/s"
    yield f"values {' '.join(f'{value:+d}' for value in values)}"
