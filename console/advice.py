"""Advice on each legal move: a value, the expected line of play, and near the end the exact score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from othello_lab.console.seat import Seat
from othello_lab.game import Board, Game
from othello_lab.game.players.search import DeepeningPlayer
from othello_lab.game.search.limits import Report
from othello_lab.game.solver import Solver
from othello_lab.game.values import CHANCES, ESTIMATE, expected_discs, is_certain, value_text

_HASH_MIB = 16


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """Advice on one legal move, for the side to move."""

    move: int
    value: float | None = None
    """The adviser's value of the move, in `unit`; None if the adviser gives no values."""
    unit: str = ""
    """The unit of `value`, in words."""
    chance: float | None = None
    """The probability of a win plus half that of a draw, from 0 to 1; None if it is not known."""
    exact: int | None = None
    """The final disc difference for the side to move with perfect play; None if it is not known."""
    line: tuple[int, ...] = ()
    """The expected moves, this move first, passes included; empty if they are not known."""
    depth: int | None = None
    """The depth of the search in plies; None for an exact score or without a search."""
    shade: float = 1.0
    """The colour of the square, from 0 (the worst legal move) to 1 (the best)."""

    @property
    def text(self) -> str:
        """The exact score, or else the value, as short text: `+6`, `-0.31`, `won`. "" without both."""
        worth = self.value if self.exact is None else self.exact
        return "" if worth is None else value_text(worth)

    def discs(self, board: Board) -> float:
        """Return the exact or expected final disc difference, for the side to move."""
        value = self.value or 0.0
        return expected_discs(value, self.unit, board) if self.exact is None else float(self.exact)

    @property
    def worth(self) -> tuple[int, float]:
        """The sort key of moves: a certain win is above, a certain loss below all uncertain results."""
        value = self.value or 0.0
        worth = value if self.exact is None else self.exact
        is_sure = self.exact is not None or is_certain(value)
        return ((worth > 0) - (worth < 0)) * is_sure, worth


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on a position that has a legal move."""

    board: Board
    adviser: str
    """The adviser's name."""
    moves: tuple[MoveAdvice, ...]
    """The legal moves, best first. An adviser without values gives only one move, except near the end."""
    nodes: int = 0
    """The number of positions that the adviser has searched for this advice."""

    @property
    def depth(self) -> int | None:
        """The smallest depth of the moves, in plies; None without a search or if all scores are exact."""
        return min((move.depth for move in self.moves if move.depth), default=None)

    @property
    def unit(self) -> str:
        """The unit of the adviser's values, in words; "" without values."""
        return next((move.unit for move in self.moves if move.value is not None), "")

    @property
    def exact(self) -> bool:
        """Whether every legal move has an exact score."""
        return all(move.exact is not None for move in self.moves)

    @property
    def best(self) -> tuple[int, ...]:
        """The best moves, by ascending square."""
        return tuple(sorted(move.move for move in self.moves if move.worth == self.moves[0].worth))

    @property
    def by_square(self) -> dict[int, MoveAdvice]:
        """The advice on each legal square."""
        return {move.move: move for move in self.moves}


def advise(seat: Seat, game: Game) -> Advice:
    """Return a player's advice on each legal move of `game.board`, which must have a legal move.

    Near the end (`is_solvable`) every move has an exact score, with any adviser. The call takes as long as
    a move of the player (a search without a limit: a second). It has no side effects on the player. The
    game must not change during the call. Raises the errors of `Player.choose`.
    """
    *_, advice = [None, *looks(seat, game)]
    # A search has no values besides the exact scores.
    if advice and advice.exact and not isinstance(seat.player, DeepeningPlayer):
        return _valued(seat, game, advice.by_square) or advice
    return advice or ordered(seat.name, game.board, [MoveAdvice(seat.player.choose(game, seat.rng))])


def looks(seat: Seat, game: Game, depth: int | None = None) -> Iterator[Advice]:
    """Yield advice from deeper and deeper searches; nothing for a player without values.

    `depth` replaces the depth of a search, in plies. Near the end the only advice has exact scores.
    """
    if is_solvable(game.board):
        yield _solved(seat, game.board)
    elif isinstance(seat.player, DeepeningPlayer):
        for reports, nodes in seat.player.looks(game, seat.rng, depth):
            moves = [searched(report, seat.player.unit) for report in reports]
            yield ordered(seat.name, game.board, moves, nodes)
    elif advice := _valued(seat, game, {}):
        yield advice


def is_solvable(board: Board) -> bool:
    """Tell whether the solver needs only a fraction of a second for all moves of a position.

    Measured, including the lines: at most 0.1 s on 8x8 with 14 empty squares, 0.2 s on 16x16 with 12.
    """
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
    """Return the report of a search as advice on its move; `unit` is the unit of its values, in words."""
    if report.solved:
        return MoveAdvice(report.move, exact=int(report.value), line=report.variation)
    return MoveAdvice(report.move, report.value, unit, line=report.variation, depth=report.depth)


def _valued(seat: Seat, game: Game, solved: Mapping[int, MoveAdvice]) -> Advice | None:
    """Return `solved` with the player's values added; None for a player without values."""
    if not (values := seat.player.values(game, seat.rng)):
        return None
    legal = game.board.legal_moves
    by_square = values.by_square(legal)
    moves = [
        replace(solved.get(move, MoveAdvice(move)), value=by_square[move], unit=values.unit) for move in legal
    ]
    return ordered(seat.name, game.board, moves)


def ordered(adviser: str, board: Board, moves: Sequence[MoveAdvice], nodes: int = 0) -> Advice:
    """Sort the moves of a position, best first, set their shades, and return the advice."""
    moves = [_in_discs(move, board) for move in moves]
    shaded = (replace(move, shade=shade) for move, shade in zip(moves, _shades(moves), strict=True))
    best_first = sorted(shaded, key=lambda move: (*move.worth, move.value or 0.0, -move.move), reverse=True)
    return Advice(board, adviser, tuple(best_first), nodes)


def _in_discs(advice: MoveAdvice, board: Board) -> MoveAdvice:
    """Convert an expected result (from -1 to 1) to discs and a chance; leave other units as they are."""
    if advice.value is None or advice.unit not in CHANCES:
        return advice
    if is_certain(advice.value):
        return replace(advice, unit=ESTIMATE)
    discs = expected_discs(advice.value, advice.unit, board)
    return replace(advice, value=discs, unit=ESTIMATE, chance=(1 + advice.value) / 2)


def _shades(moves: Sequence[MoveAdvice]) -> list[float]:
    """Scale the values of the moves to 0 (the worst) to 1 (the best); all are 1 if all are equal."""
    numbers = _numbers(moves)
    low, high = min(numbers), max(numbers)
    return [(number - low) / (high - low) if high > low else 1.0 for number in numbers]


def _numbers(moves: Sequence[MoveAdvice]) -> list[float]:
    """Return the moves' values on one scale: a certain win is just above, a certain loss just below."""
    if all(move.exact is not None for move in moves):
        return [move.worth[1] for move in moves]
    unsure = [value for sure, value in (move.worth for move in moves) if not sure] or [0.0]
    low, high = min(unsure), max(unsure)
    step = high - low or 1.0
    ends = {1: high + step, -1: low - step}
    return [ends.get(sure, value) for sure, value in (move.worth for move in moves)]
