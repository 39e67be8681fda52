"""Advice on each legal move: a value, the line that follows, the exact score near the end."""

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
    """The adviser's value, an expected result in discs; None if it gives no values."""
    unit: str = ""
    """The unit of that value, in words."""
    chance: float | None = None
    """The chance of a win, half of one for a draw, from 0 to 1; None if it is not known."""
    exact: int | None = None
    """The side's discs minus the opponent's after perfect play to the end; None if the end is too far."""
    line: tuple[int, ...] = ()
    """The expected line, this move first, passes included; empty if it is not known."""
    depth: int | None = None
    """Plies that a search has looked ahead; None for other advisers and exact scores."""
    shade: float = 1.0
    """The colour of its square, from 0, the worst legal move here, to 1, the best."""

    @property
    def text(self) -> str:
        """The exact score, else the value, for a square: `+6`, `-0.31`, `won`; "" without both."""
        worth = self.value if self.exact is None else self.exact
        return "" if worth is None else value_text(worth)

    def discs(self, board: Board) -> float:
        """Return own discs minus the opponent's at the end, exact or expected."""
        value = self.value or 0.0
        return expected_discs(value, self.unit, board) if self.exact is None else float(self.exact)

    @property
    def worth(self) -> tuple[int, float]:
        """The sort key of moves: certain wins, uncertain results, certain losses; then the value."""
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
    """The legal moves, best first; far from the end only the choice of an adviser without values."""
    nodes: int = 0
    """Positions searched since the question."""

    @property
    def depth(self) -> int | None:
        """Plies that a search has looked ahead; None for other advisers, and if all is exact."""
        return min((move.depth for move in self.moves if move.depth), default=None)

    @property
    def unit(self) -> str:
        """The unit of the adviser's values, in words; "" without values."""
        return next((move.unit for move in self.moves if move.value is not None), "")

    @property
    def exact(self) -> bool:
        """Whether every legal move has its exact score."""
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
    """Return a player's advice on each legal move of `game.board`, which has one.

    Near the end (`is_solvable`) every move has its exact score, whoever the adviser is. The call takes as
    long as the player (a search without a limit: a second), and has no side effects on it. The game must
    not change meanwhile. Raises what `choose` of players raises.
    """
    *_, advice = [None, *looks(seat, game)]
    if (
        advice and advice.exact and not isinstance(seat.player, DeepeningPlayer)
    ):  # a search has no other values
        return _valued(seat, game, advice.by_square) or advice
    return advice or ordered(seat.name, game.board, [MoveAdvice(seat.player.choose(game, seat.rng))])


def looks(seat: Seat, game: Game, depth: int | None = None) -> Iterator[Advice]:
    """Yield advice, ever deeper; nothing if the player only chooses.

    `depth` replaces the depth of a search. Near the end there is one advice with exact scores.
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
    """Tell whether all moves of a position can be solved in a fraction of a second.

    Measured, with their lines: at most 0.1 s on 8x8 with 14 empty squares, 0.2 s on 16x16 with 12.
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
    """Return the result of a search for a move; `unit` is the unit of its values, in words."""
    if report.solved:
        return MoveAdvice(report.move, exact=int(report.value), line=report.variation)
    return MoveAdvice(report.move, report.value, unit, line=report.variation, depth=report.depth)


def _valued(seat: Seat, game: Game, solved: Mapping[int, MoveAdvice]) -> Advice | None:
    """Return the player's values beside exact scores; None for a player without values."""
    if not (values := seat.player.values(game, seat.rng)):
        return None
    legal = game.board.legal_moves
    by_square = values.by_square(legal)
    moves = [
        replace(solved.get(move, MoveAdvice(move)), value=by_square[move], unit=values.unit) for move in legal
    ]
    return ordered(seat.name, game.board, moves)


def ordered(adviser: str, board: Board, moves: Sequence[MoveAdvice], nodes: int = 0) -> Advice:
    """Return advice on the legal moves of a position, best first, with their shades."""
    moves = [_in_discs(move, board) for move in moves]
    shaded = (replace(move, shade=shade) for move, shade in zip(moves, _shades(moves), strict=True))
    best_first = sorted(shaded, key=lambda move: (*move.worth, move.value or 0.0, -move.move), reverse=True)
    return Advice(board, adviser, tuple(best_first), nodes)


def _in_discs(advice: MoveAdvice, board: Board) -> MoveAdvice:
    """Return advice with an expected result converted to discs and a chance."""
    if advice.value is None or advice.unit not in CHANCES:
        return advice
    if is_certain(advice.value):
        return replace(advice, unit=ESTIMATE)
    discs = expected_discs(advice.value, advice.unit, board)
    return replace(advice, value=discs, unit=ESTIMATE, chance=(1 + advice.value) / 2)


def _shades(moves: Sequence[MoveAdvice]) -> list[float]:
    """Return the place of each move between the worst, 0, and the best, 1; all are 1 if all are equal."""
    numbers = _numbers(moves)
    low, high = min(numbers), max(numbers)
    return [(number - low) / (high - low) if high > low else 1.0 for number in numbers]


def _numbers(moves: Sequence[MoveAdvice]) -> list[float]:
    """Return the moves' values on one scale, on which a certain win is just above all others."""
    if all(move.exact is not None for move in moves):
        return [move.worth[1] for move in moves]
    unsure = [value for sure, value in (move.worth for move in moves) if not sure] or [0.0]
    low, high = min(unsure), max(unsure)
    step = high - low or 1.0
    ends = {1: high + step, -1: low - step}
    return [ends.get(sure, value) for sure, value in (move.worth for move in moves)]
