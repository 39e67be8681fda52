"""The discs that an evaluation stands for: how far estimates are from games played out, and the fit.

    python -m scripts.disc_estimate            # 1,000 positions: half an hour of a core
    python -m scripts.disc_estimate --eval ntuple:pretrained    # of expected results: with the fit of `SLOPE`

Positions of seeded games in which a shallow search plays and now and then errs, one of each game. From
there a deep search plays both sides, and the end is solved: by how many discs it ends is taken for the truth.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.game import Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.evaluators import Evaluator, make_evaluator
from othello_lab.game.evaluators.evaluator import EXPECTED_RESULT
from othello_lab.game.play import sampled
from othello_lab.game.players.base import SLOPE, expected_discs
from othello_lab.game.players.deepening import best_evaluator
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits
from othello_lab.game.solver.solver import Solver, empties

_SIZE: Final = 8
_PLAYER: Final = "noisy:[search:depth=4,endgame=14,probcut=0,eval=ntuple:pretrained],share=0.03"
_SOLVED: Final = 22
"""From this many empty squares on games are solved."""
_BINS: Final = ((20, 24), (25, 28), (29, 32), (33, 36), (37, 40), (20, 40))
_CERTAIN: Final = 0.9999
_HELD: Final = np.array([0.72, 0.8, 0.88, 0.94])
"""Shares of empty squares at which the parabola is held."""
_WEIGHT: Final = 40.0
"""How many discs a whole of slope is there."""
_STEPS: Final = 100
_CLEAR: Final = 4
"""Discs from which on the side that leads is told from the other."""


class Judged(NamedTuple):
    """A position: what is expected of it, in the unit of the evaluation, and how it ended."""

    board: Board
    alone: float
    """By the evaluation, without a search."""
    searched: float
    """By a search of as many positions as a review gives a move."""
    discs: int
    """Own minus the other side's after good play and a perfect end."""


def positions(count: int, seed: int, fewest: int = _BINS[-1][0], most: int = _BINS[-1][1]) -> Iterator[Board]:
    """Return positions with a choice of moves, one of each game, as many of each number of empty squares."""
    return sampled.positions(_PLAYER, _SIZE, count, fewest, most, seed)


class Judge:
    """Judges positions, and plays them out."""

    def __init__(self, evaluator: Evaluator, nodes: int) -> None:
        self._evaluator = evaluator
        self._search = DeepeningSearch(_SIZE, self._evaluator, Limits(nodes=nodes, endgame=0))
        self._solver = Solver(_SIZE, hash_mib=64, evaluator=self._evaluator)

    def judged(self, board: Board) -> Judged:
        """Return a position with what is expected of it, and its end."""
        alone = float(self._evaluator.values(Positions.of([board]))[0])
        searched = self._search.think(board, np.random.default_rng(0)).value
        return Judged(board, alone, searched, self._discs(board))

    def _discs(self, board: Board) -> int:
        side, game = board.turn, Game(board)
        while not game.board.is_over and empties(game.board) > _SOLVED:
            game.play(self._search.think(game.board, np.random.default_rng(0)).move)
        value = self._solver.solve(game.board).value
        return int(value if game.board.turn is side else -value)


def fit(found: Sequence[Judged]) -> NDArray[np.float64]:
    """Return the parabola of `SLOPE` that brings the values of the search nearest to the discs.

    By Gauss and Newton's least squares. Where nothing was measured it is held to the one that there is.
    """
    discs = np.array([each.discs for each in found])
    certainty = np.arctanh(np.clip([each.searched for each in found], -_CERTAIN, _CERTAIN))
    terms = np.vander([empties(each.board) / _SIZE**2 for each in found], 3, increasing=True)
    held, numbers = np.vander(_HELD, 3, increasing=True) * _WEIGHT, np.array(SLOPE)
    there = held @ numbers
    for _ in range(_STEPS):
        share = np.tanh(terms @ numbers * certainty)
        change = (_SIZE**2 * (1 - share**2) * certainty)[:, None] * terms
        off = np.concatenate([discs - _SIZE**2 * share, there - held @ numbers])
        numbers = numbers + 0.5 * np.linalg.lstsq(np.concatenate([change, held]), off)[0]
    return numbers


def row(name: str, unit: str, found: Sequence[Judged], values: Iterable[float]) -> str:
    """Return how far the estimates of these values are from the truth, as a line."""
    said = [expected_discs(value, unit, each.board) for each, value in zip(found, values, strict=True)]
    discs = np.array([each.discs for each in found])
    error, clear = np.array(said) - discs, np.abs(discs) >= _CLEAR
    right = np.sign(said)[clear] == np.sign(discs)[clear]
    return (
        f"  {name:18} mean error {np.abs(error).mean():.1f}, bias {error.mean():+.1f}; "
        f"the right side in {right.mean():.3f} of {clear.sum()}"
    )


def report(found: Sequence[Judged], nodes: int, unit: str) -> Iterator[str]:
    """Yield the errors by empty squares, and of expected results the fit."""
    for first, last in _BINS:
        part = [each for each in found if first <= empties(each.board) <= last]
        if part:
            mean = np.mean([abs(each.discs) for each in part])
            yield f"{first} to {last} empty squares: {len(part)} positions, won by {mean:.1f} on average"
            yield row("evaluation alone", unit, part, [each.alone for each in part])
            yield row(f"{nodes:,} positions", unit, part, [each.searched for each in part])
    if unit == EXPECTED_RESULT:
        yield f"fitted: {fit(found).round(3)}; used: {SLOPE}"


def main() -> None:
    """Print the errors by empty squares."""
    parser = argparse.ArgumentParser("disc_estimate", description="How good are estimates in discs?")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--eval", default=best_evaluator(_SIZE))
    chosen = parser.parse_args()
    evaluator = make_evaluator(chosen.eval, _SIZE)
    judge = Judge(evaluator, chosen.nodes)
    found = [judge.judged(board) for board in positions(chosen.positions, chosen.seed)]
    print(*report(found, chosen.nodes, evaluator.unit), sep="\n")


if __name__ == "__main__":
    main()
