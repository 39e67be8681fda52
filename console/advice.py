"""Advice on the legal moves of a position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from othello_lab.console.seat import Seat
from othello_lab.game import Board, Game
from othello_lab.game.players.search import DeepeningPlayer
from othello_lab.game.search.limits import Report
from othello_lab.game.solver.solver import Solver
from othello_lab.game.values import CHANCES, ESTIMATE, expected_discs, is_certain, value_text

_HASH_MIB = 16


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """Advice on one legal move, from the view of the side to move."""

    move: int
    value: float | None = None  # The estimated value of the move in `unit`, or None without an estimate.
    unit: str = ""  # The unit of `value`, as text.
    chance: float | None = None  # The win probability plus half the draw probability, or None if unknown.
    exact: int | None = None  # The final disc difference with perfect play, or None if unknown.
    line: tuple[int, ...] = ()  # The principal variation, including this move and passes. Empty if unknown.
    depth: int | None = None  # The search depth in plies, or None for an exact score or without a search.
    shade: float = 1.0  # The position on the colour scale, from 0 (worst legal move) to 1 (best).

    @property
    def text(self) -> str:
        """The exact score or else the value, as text such as `+6`. "" if both are unknown."""
        worth = self.value if self.exact is None else self.exact
        return "" if worth is None else value_text(worth)

    def discs(self, board: Board) -> float:
        """Return the final disc difference for the side to move: exact if known, otherwise expected."""
        value = self.value or 0.0
        return expected_discs(value, self.unit, board) if self.exact is None else float(self.exact)

    @property
    def worth(self) -> tuple[int, float]:
        """The sort key: -1 for a certain loss, 1 for a certain win or else 0, and then the value."""
        value = self.value or 0.0
        worth = value if self.exact is None else self.exact
        is_sure = self.exact is not None or is_certain(value)
        return ((worth > 0) - (worth < 0)) * is_sure, worth


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on a position with at least one legal move."""

    board: Board
    adviser: str  # The adviser's name.
    moves: tuple[MoveAdvice, ...]  # The legal moves, best first. Without values, only the adviser's choice.
    nodes: int = 0  # The number of nodes searched for this advice.

    @property
    def depth(self) -> int | None:
        """The minimum search depth of the moves in plies, or None if no move has a depth."""
        return min((move.depth for move in self.moves if move.depth), default=None)

    @property
    def unit(self) -> str:
        """The unit of the adviser's values, as text, or "" without values."""
        return next((move.unit for move in self.moves if move.value is not None), "")

    @property
    def exact(self) -> bool:
        """Whether every legal move has an exact score."""
        return all(move.exact is not None for move in self.moves)

    @property
    def best(self) -> tuple[int, ...]:
        """The squares of the best moves, in ascending order."""
        return tuple(sorted(move.move for move in self.moves if move.worth == self.moves[0].worth))

    @property
    def by_square(self) -> dict[int, MoveAdvice]:
        """The advice on each legal move, by the square of the move."""
        return {move.move: move for move in self.moves}


def advise(seat: Seat, game: Game) -> Advice:
    """Return a player's advice on each legal move of `game.board`, which must have a legal move.

    Near the end of the game (`is_solvable`), all moves have exact scores. Otherwise, the call takes as long
    as a move of the player, or one second if the search has no limit. The call has no side effects on later
    moves of the player. The game must not change during the call. Raises the errors of `Player.choose`.
    """
    *_, advice = [None, *looks(seat, game)]
    return advice or ordered(seat.name, game.board, [MoveAdvice(seat.player.choose(game, seat.rng))])


def looks(seat: Seat, game: Game, depth: int | None = None) -> Iterator[Advice]:
    """Yield advice from iterative deepening. A `depth` in plies overrides the player's search depth.

    Near the end of the game (`is_solvable`), yield advice once, with exact scores. Earlier, yield nothing if
    the player has no values.
    """
    if is_solvable(game.board):
        yield _solved(seat, game.board)
    elif isinstance(seat.player, DeepeningPlayer):
        for reports, nodes in seat.player.looks(game, seat.rng, depth):
            moves = [searched(report, seat.player.unit) for report in reports]
            yield ordered(seat.name, game.board, moves, nodes)
    elif values := seat.player.values(game, seat.rng):
        by_square = values.by_square(game.board.legal_moves)
        moves = [MoveAdvice(move, value, values.unit) for move, value in by_square.items()]
        yield ordered(seat.name, game.board, moves)


def is_solvable(board: Board) -> bool:
    """Return whether solving all moves of a position takes at most about 0.2 s (measured)."""
    return board.empties <= (14 if board.size <= 8 else 12)


def _solved(seat: Seat, board: Board) -> Advice:
    solver = Solver(board.size, hash_mib=_HASH_MIB)
    solutions = {move: solver.solve(board.play(move)) for move in board.legal_moves}
    moves = [
        MoveAdvice(move, exact=-after.value, line=(move, *after.variation))
        for move, after in solutions.items()
    ]
    return ordered(seat.name, board, moves, sum(after.nodes for after in solutions.values()))


def searched(report: Report, unit: str) -> MoveAdvice:
    """Convert a search report to advice on the reported move. `unit` is the unit of the value."""
    if report.solved:
        return MoveAdvice(report.move, exact=int(report.value), line=report.variation)
    return MoveAdvice(report.move, report.value, unit, line=report.variation, depth=report.depth)


def ordered(adviser: str, board: Board, moves: Sequence[MoveAdvice], nodes: int = 0) -> Advice:
    """Create advice: convert expected results to discs, sort the moves best first, and add shades."""
    moves = [_in_discs(move, board) for move in moves]
    shaded = (replace(move, shade=shade) for move, shade in zip(moves, _shades(moves), strict=True))
    best_first = sorted(shaded, key=lambda move: (*move.worth, -move.move), reverse=True)
    return Advice(board, adviser, tuple(best_first), nodes)


def _in_discs(advice: MoveAdvice, board: Board) -> MoveAdvice:
    """Convert an expected result in [-1, 1] to discs and a win chance. Keep other units unchanged."""
    if advice.value is None or advice.unit not in CHANCES:
        return advice
    if is_certain(advice.value):
        return replace(advice, unit=ESTIMATE)
    discs = expected_discs(advice.value, advice.unit, board)
    return replace(advice, value=discs, unit=ESTIMATE, chance=(1 + advice.value) / 2)


def _shades(moves: Sequence[MoveAdvice]) -> list[float]:
    """Return the shade of each move. Certain losses are below and certain wins above all estimates."""
    worths = [move.worth for move in moves]
    numbers = [value for _, value in worths]
    if any(move.exact is None for move in moves):
        unsure = [value for sure, value in worths if not sure] or [0.0]
        step = max(unsure) - min(unsure) or 1.0
        ends = {1: max(unsure) + step, -1: min(unsure) - step}
        numbers = [ends.get(sure, value) for sure, value in worths]
    low, high = min(numbers), max(numbers)
    return [(number - low) / (high - low) if high > low else 1.0 for number in numbers]
