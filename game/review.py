"""The review of a game: the worth of every legal move at each decision; and the points of its graph."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from othello_lab.game.board import Board, Colour
from othello_lab.game.decisions import Decision
from othello_lab.game.evaluators.catalogue import make_evaluator
from othello_lab.game.evaluators.units import CHANCES, DISCS, ESTIMATE, EXPECTED_RETURN, WON
from othello_lab.game.game import Game
from othello_lab.game.kernels.bits import ONE_WORD
from othello_lab.game.players.deepening import best_evaluator
from othello_lab.game.players.player import MoveValues
from othello_lab.game.players.values import expected_discs
from othello_lab.game.search.deepening import Ranking
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.solver.solver import Convention, Solver, StoppedError

DEFAULT_NODES = 100_000
_TOLERANCE = 2.0
"""Discs: an estimated loss of less is no mistake."""
_HASH_MIB = 64
_AS_DISCS = DISCS, ESTIMATE, *CHANCES, EXPECTED_RETURN
_SEARCH_HASH_MIB = 1
"""Every move of a position has a search of its own, and few nodes."""


class Effort(NamedTuple):
    """How closely a review looks."""

    exact: int
    """From this many empty squares on every move is solved."""
    nodes: int = DEFAULT_NODES
    """Positions that are looked at for a decision before, all its moves together."""
    convention: Convention = Convention.DISC_DIFF
    """How a finished game is counted where it is solved."""


def default_exact(size: int) -> int:
    """Return from how many empty squares on a review solves: a second or two for a whole game."""
    return 18 if size <= ONE_WORD else 14


class Reviewed(NamedTuple):
    """A decision of a game, beside what each legal move was worth to who made it."""

    ply: int
    """The number of moves before it, passes included."""
    decision: Decision[float]
    unit: str
    """Unit of the values: DISCS if they are exact, ESTIMATE if they are estimated."""
    line: tuple[int, ...]
    """How the game might have gone on from the best move, that move first, as far as it is known."""

    @property
    def side(self) -> Colour:
        """Who decided."""
        return self.decision.board.turn

    @property
    def exact(self) -> bool:
        """Whether the values are those of perfect play to the end."""
        return self.unit == DISCS

    @property
    def lost(self) -> float:
        """What the move gave away, in the unit of the values; 0 where it was best."""
        return self.decision.lost[1]

    @property
    def turned(self) -> int:
        """By how much the move changed who wins, for sure: 2 is won to lost, 1 to or from a draw."""
        return self.decision.lost[0] if self.exact else 0

    @property
    def is_mistake(self) -> bool:
        """Whether the move was worse than the best one by more than an estimate can tell."""
        return self.lost >= _TOLERANCE if self.unit == ESTIMATE else self.lost > 0

    @property
    def weight(self) -> tuple[int, float]:
        """What mistakes are ordered by: whether the winner changed, then how much of all was lost, 0 to 1."""
        whole = self.decision.board.size**2 if self.unit in (DISCS, ESTIMATE) else 2 * WON
        return self.turned, self.lost / whole


class Reviewer:
    """Reviews games of one size: by the solver near the end, before by a search with the best evaluation that
    ships. It has no clock, so that the same game gives the same review.
    """

    def __init__(self, size: int, effort: Effort | None = None) -> None:
        self.effort = effort or Effort(default_exact(size))
        self._evaluator = make_evaluator(best_evaluator(size), size)
        self._solver = Solver(size, self.effort.convention, _HASH_MIB, self._evaluator)
        limits = Limits(nodes=self.effort.nodes, endgame=0, hash_mib=_SEARCH_HASH_MIB)
        self._ranking = Ranking(self._evaluator, limits)
        self._stopped = False

    def stop(self) -> None:
        """End a review that goes on in another thread: it finds nothing more."""
        self._stopped = True
        self._solver.stop()
        self._ranking.stop()

    def review(self, game: Game) -> Iterator[Reviewed]:
        """Yield the decisions of a game, finished or not, from the last to the first.

        A forced pass is none. Backwards, since what is learnt of a position helps with those before it. It
        wants a game that nobody plays on meanwhile.
        """
        for ply in reversed(range(len(game.moves))):
            board = game.boards[ply]
            if not board.legal_moves:
                continue
            judge = self._solved if board.empties <= self.effort.exact else self._searched
            try:
                found = judge(ply, board, game.moves[ply])
            except StoppedError:
                return
            if self._stopped:
                return
            yield found

    def _solved(self, ply: int, board: Board, move: int) -> Reviewed:
        decision = Decision[float](board, move, dict(self._solver.scores(board)))
        after = self._solver.solve(board.play(decision.best))
        return Reviewed(ply, decision, DISCS, (decision.best, *after.variation))

    def _searched(self, ply: int, board: Board, move: int) -> Reviewed:
        ranked = self._ranking.rank(board, np.random.default_rng(ply))
        values = {report.move: self._worth(report, board) for report in ranked}
        decision = Decision(board, move, {move: values[move] for move in board.legal_moves})
        line = next(report.variation for report in ranked if report.move == decision.best)
        return Reviewed(ply, decision, ESTIMATE if self._in_discs else self._evaluator.unit, line)

    @property
    def _in_discs(self) -> bool:
        """Whether discs can be expected by what the evaluation says."""
        return self._evaluator.unit in CHANCES

    def _worth(self, report: Report, board: Board) -> float:
        if not self._in_discs:
            return report.on_one_scale
        return report.value if report.solved else expected_discs(report.value, self._evaluator.unit, board)


class Point(NamedTuple):
    """What a position of a game was worth to black by the best of its moves, or what came of the game."""

    ply: int
    """The number of moves before it, passes included."""
    worth: float
    """In discs, or in points of an evaluation whose relation to discs is not known."""
    is_exact: bool
    """Whether that is the result of perfect play."""
    lost: float = 0.0
    """What the move gave away that was played there, if that was a mistake."""


def are_in_discs(found: Iterable[Reviewed]) -> bool:
    """Tell whether all decisions are valued in discs, exactly or estimated."""
    return all(each.unit in (DISCS, ESTIMATE) for each in found)


def points_of(found: Iterable[Reviewed], game: Game | None = None) -> list[Point]:
    """Return the points of decisions, by ascending ply, and the result of the game if it is over."""
    end = game.board.outcome() if game else None
    result = [Point(len(game.moves), end.disc_diff, True)] if game and end else []
    return sorted([*map(_point, found), *result])


def _point(found: Reviewed) -> Point:
    value = found.decision.value
    worth = value if found.side is Colour.BLACK else -value
    return Point(found.ply, worth, found.exact, found.lost if found.is_mistake else 0.0)


def points_of_values(values: Sequence[MoveValues | None], game: Game) -> list[Point]:
    """Return the points of what a player said of each position; none where that cannot be told in discs."""
    said = [*zip(values, game.boards, game.moves, strict=False)]
    if any(each and each.unit not in _AS_DISCS for each, _, _ in said):
        return []
    found = [_judged(each, ply, board, move) for ply, (each, board, move) in enumerate(said) if each]
    return points_of(found, game) if found else []


def _judged(said: MoveValues, ply: int, board: Board, move: int) -> Reviewed:
    """Return a move beside what a player said of all moves, in discs."""
    by_square = said.by_square(board.legal_moves)
    discs = {square: expected_discs(value, said.unit, board) for square, value in by_square.items()}
    return Reviewed(ply, Decision(board, move, discs), DISCS if said.unit == DISCS else ESTIMATE, ())
