"""Reviews of games, and the values that a player gives to the moves of a game."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from othello_lab.game.board import Board, Colour
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.game import Game
from othello_lab.game.kernels.bits import ONE_WORD
from othello_lab.game.players.player import MoveValues, Player
from othello_lab.game.players.search import best_evaluator
from othello_lab.game.search.deepening import Ranking
from othello_lab.game.search.limits import Limits
from othello_lab.game.solver.solver import Solver, StoppedError
from othello_lab.game.values import CHANCES, DISCS, ESTIMATE, EXPECTED_RETURN, WON, expected_discs, in_discs

DEFAULT_NODES = 100_000
_TOLERANCE = 2.0  # The minimum estimated loss of a mistake, in discs.
_HASH_MIB = 64
_AS_DISCS = DISCS, ESTIMATE, *CHANCES, EXPECTED_RETURN
_SEARCH_HASH_MIB = 1  # The memory of a search in MiB, which is small because each move has its own search.


class Decision(NamedTuple):
    """A move in a position, with the values of all legal moves for the side to move."""

    board: Board
    move: int
    # The final disc difference under perfect play after each legal move, or an estimate.
    values: Mapping[int, float]
    unit: str = DISCS  # The unit of the values, such as DISCS for exact values and ESTIMATE for estimates.
    ply: int = 0  # The number of moves and passes before the decision.
    line: tuple[int, ...] = ()  # The known part of the principal variation.

    @property
    def side(self) -> Colour:
        """The side to move."""
        return self.board.turn

    @property
    def exact(self) -> bool:
        """Whether the values are exact."""
        return self.unit == DISCS

    @property
    def worth(self) -> float:
        """The value of the move that was played."""
        return self.values[self.move]

    @property
    def best(self) -> int:
        """The first legal move with the highest value."""
        return max(self.values, key=self.values.__getitem__)

    @property
    def value(self) -> float:
        """The value of the position."""
        return self.values[self.best]

    @property
    def lost(self) -> float:
        """The loss by the move in the unit of the values, which is 0 for a best move."""
        return self.value - self.worth

    @property
    def turned(self) -> int:
        """The loss in outcomes: 2 from a win to a loss, 1 from or to a draw, and 0 for estimates."""
        return _sign(self.value) - _sign(self.worth) if self.exact else 0

    @property
    def is_mistake(self) -> bool:
        """Whether the move was worse than the best move. An estimated loss must be at least _TOLERANCE."""
        return self.lost >= _TOLERANCE if self.unit == ESTIMATE else self.lost > 0

    @property
    def weight(self) -> tuple[int, float]:
        """The sort key of mistakes, which is the loss in outcomes, and then the loss in value from 0 to 1."""
        whole = self.board.size**2 if self.unit in (DISCS, ESTIMATE) else 2 * WON
        return self.turned, self.lost / whole


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


class Reviewer:
    """A reviewer that searches, and solves positions near the end. The same game has the same review."""

    def __init__(self, size: int, exact: int | None = None, nodes: int = DEFAULT_NODES) -> None:
        """Solve positions with at most `exact` empty squares, and search other positions up to `nodes`."""
        # By default the solver needs about two seconds for a game.
        self._exact = (18 if size <= ONE_WORD else 14) if exact is None else exact
        self._evaluator = make_evaluator(best_evaluator(size), size)
        self._solver = Solver(size, hash_mib=_HASH_MIB, evaluator=self._evaluator)
        self._ranking = Ranking(self._evaluator, Limits(nodes=nodes, endgame=0, hash_mib=_SEARCH_HASH_MIB))
        self._stopped = False

    def stop(self) -> None:
        """Stop a review that runs in another thread."""
        self._stopped = True
        self._solver.stop()
        self._ranking.stop()

    def review(self, game: Game) -> Iterator[Decision]:
        """Yield the decisions of a game from last to first. The game must not change during the review."""
        for ply in reversed(range(len(game.moves))):
            board = game.boards[ply]
            if not board.legal_moves:
                continue
            judge = self._solved if board.empties <= self._exact else self._searched
            try:
                decision = judge(ply, board, game.moves[ply])
            except StoppedError:
                return
            if self._stopped:
                return
            yield decision

    def _solved(self, ply: int, board: Board, move: int) -> Decision:
        decision = Decision(board, move, self._solver.scores(board), ply=ply)
        after = self._solver.solve(board.play(decision.best))
        return decision._replace(line=(decision.best, *after.variation))

    def _searched(self, ply: int, board: Board, move: int) -> Decision:
        ranked, unit = self._ranking.rank(board, np.random.default_rng(ply)), self._evaluator.unit
        values = {report.move: report.on_one_scale for report in ranked}
        if unit in CHANCES:
            for report in ranked:
                discs = report.value if report.solved else expected_discs(report.value, unit, board)
                values[report.move] = discs
            unit = ESTIMATE
        decision = Decision(board, move, {move: values[move] for move in board.legal_moves}, unit, ply)
        line = next(report.variation for report in ranked if report.move == decision.best)
        return decision._replace(line=line)


class Point(NamedTuple):
    """A point in the graph of a game: the value of a position for black, or the final result."""

    ply: int  # The number of moves and passes before the position.
    worth: float  # The value of the best move, in discs if a conversion is possible, and otherwise in points.
    is_exact: bool
    lost: float = 0.0  # The loss by the move if the move was a mistake, else 0.


def are_in_discs(decisions: Iterable[Decision]) -> bool:
    """Return whether all decisions have values in discs. The values may be exact or estimated."""
    return all(decision.unit in (DISCS, ESTIMATE) for decision in decisions)


def points_of(decisions: Iterable[Decision], game: Game | None = None) -> list[Point]:
    """Return a point for each decision, in the order of plies, and a point for the result of the game."""
    end = game.board.outcome() if game else None
    points = [Point(len(game.moves), end.disc_diff, True)] if game and end else []
    for decision in decisions:
        worth = decision.value if decision.side is Colour.BLACK else -decision.value
        lost = decision.lost if decision.is_mistake else 0.0
        points.append(Point(decision.ply, worth, decision.exact, lost))
    return sorted(points)


def values_along(
    player: Player, game: Game, rng: np.random.Generator, sides: Collection[Colour] = tuple(Colour)
) -> Iterator[MoveValues | None]:
    """Yield a player's values in each position, in discs if possible, or None if there are no values."""
    so_far = Game(game.boards[0])
    player.start(so_far)
    for move in (*game.moves, None):
        board = so_far.board
        has_values = board.turn in sides and board.legal_moves
        yield in_discs(player.values(so_far, rng) if has_values else None, board)
        if move is not None:
            so_far.play(move)
            player.observe(move)


def points_of_values(values: Sequence[MoveValues | None], game: Game) -> list[Point]:
    """Return the points for a player's values, or no points if the values cannot be converted to discs."""
    plies = [*zip(values, game.boards, game.moves, strict=False)]
    if any(known and known.unit not in _AS_DISCS for known, _, _ in plies):
        return []
    decisions = [_judged(known, ply, board, move) for ply, (known, board, move) in enumerate(plies) if known]
    return points_of(decisions, game) if decisions else []


def _judged(values: MoveValues, ply: int, board: Board, move: int) -> Decision:
    by_square = values.by_square(board.legal_moves)
    discs = {square: expected_discs(value, values.unit, board) for square, value in by_square.items()}
    return Decision(board, move, discs, DISCS if values.unit == DISCS else ESTIMATE, ply)
