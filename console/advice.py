"""Advice on each legal move: a value, the line that follows, the exact score near the end.

Nothing here prints; `wording.py` has the words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from othello_lab.console.seat import Seat
from othello_lab.game import Board, Game
from othello_lab.game.drawing import Look
from othello_lab.game.players.search import DeepeningPlayer
from othello_lab.game.search.limits import Report
from othello_lab.game.solver import Solver
from othello_lab.game.values import CHANCES, ESTIMATE, expected_discs, is_certain, value_text

_HASH_MIB = 16


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """What is said of one legal move, for the side to move."""

    move: int
    value: float | None = None
    """What the adviser itself finds it worth, an expected result in discs; None where it gives no values."""
    unit: str = ""
    """What that value is, in words."""
    chance: float | None = None
    """Of a win, a draw being half of one, from 0 to 1; None where the adviser does not say it."""
    exact: int | None = None
    """Own discs minus the other side's after perfect play to the end; None where the end is too far."""
    line: tuple[int, ...] = ()
    """How the game goes on, from the move on, passes included; empty where nobody has looked."""
    depth: int | None = None
    """Plies that a search has looked ahead; None for other advisers, and where it is exact."""
    shade: float = 1.0
    """From 0, the worst legal move here, to 1, the best: how to colour its square."""

    @property
    def text(self) -> str:
        """The exact score, else the value, as it stands on a square: `+6`, `-0.31`, `won`; "" if neither."""
        worth = self.value if self.exact is None else self.exact
        return "" if worth is None else value_text(worth)

    @property
    def own_text(self) -> str:
        """The adviser's own value as it stands on a square; "" if it gives none."""
        return "" if self.value is None else value_text(self.value)

    def discs(self, board: Board) -> float:
        """Return own discs minus the other side's at the end, exact or as its value lets expect them."""
        value = self.value or 0.0
        return expected_discs(value, self.unit, board) if self.exact is None else float(self.exact)

    @property
    def worth(self) -> tuple[int, float]:
        """What moves are ordered by: a sure win, then what nobody knows, then a sure loss; then the value."""
        value = self.value or 0.0
        worth = value if self.exact is None else self.exact
        is_sure = self.exact is not None or is_certain(value)
        return ((worth > 0) - (worth < 0)) * is_sure, worth


@dataclass(frozen=True, slots=True)
class Advice:
    """What is said of a position that has a legal move."""

    board: Board
    adviser: str
    """Who gives it."""
    moves: tuple[MoveAdvice, ...]
    """The legal moves, the best first; far from the end only its choice of an adviser without values."""
    nodes: int = 0
    """Positions that were looked at since the question."""

    @property
    def depth(self) -> int | None:
        """Plies that a search has looked ahead; None for other advisers, and where all is exact."""
        return min((move.depth for move in self.moves if move.depth), default=None)

    @property
    def unit(self) -> str:
        """What the adviser's own values are, in words; "" where it gives none."""
        return next((move.unit for move in self.moves if move.value is not None), "")

    @property
    def exact(self) -> bool:
        """Whether every legal move has its exact score."""
        return all(move.exact is not None for move in self.moves)

    @property
    def best(self) -> tuple[int, ...]:
        """The moves that nothing is better than, by ascending square."""
        return tuple(sorted(move.move for move in self.moves if move.worth == self.moves[0].worth))

    @property
    def by_square(self) -> dict[int, MoveAdvice]:
        """What is said of each legal square."""
        return {move.move: move for move in self.moves}


def advise(seat: Seat, game: Game) -> Advice:
    """Return what a player says of each legal move of `game.board`, where there is one.

    Near the end, see `is_solvable`, every move has its exact score from any adviser. It takes as long
    as the player takes, a second for a search without a limit, and changes nothing: what is asked from a
    thread may be dropped. It wants a game that nobody plays on meanwhile. Raises as `choose` of players does.
    """
    *_, found = [None, *looks(seat, game)]
    if found and found.exact and not isinstance(seat.player, DeepeningPlayer):  # a search says the same again
        return _valued(seat, game, found.by_square) or found
    return found or ordered(seat.name, game.board, [MoveAdvice(seat.player.choose(game, seat.rng))])


def looks(seat: Seat, game: Game, depth: int | None = None) -> Iterator[Advice]:
    """Yield what is known of each legal move, ever deeper; nothing where the player only chooses.

    `depth` is in place of a search's own. Near the end it is one look at exact scores.
    """
    if is_solvable(game.board):
        yield _solved(seat, game.board)
    elif isinstance(seat.player, DeepeningPlayer):
        for reports, nodes in seat.player.looks(game, seat.rng, depth):
            moves = [searched(report, seat.player.unit) for report in reports]
            yield ordered(seat.name, game.board, moves, nodes)
    elif found := _valued(seat, game, {}):
        yield found


def is_solvable(board: Board) -> bool:
    """Tell whether every move of a position is solved in a fraction of a second.

    Measured, with their lines: 0.1 s at most on 8x8 with 14 empty squares, 0.2 s on 16x16 with 12.
    """
    return board.empties <= (14 if board.size <= 8 else 12)


def _solved(seat: Seat, board: Board) -> Advice:
    solver = Solver(board.size, hash_mib=_HASH_MIB)
    after = {move: solver.solve(board.play(move)) for move in board.legal_moves}
    moves = [
        MoveAdvice(move, exact=-found.value, line=(move, *found.variation)) for move, found in after.items()
    ]
    return ordered(seat.name, board, moves, sum(found.nodes for found in after.values()))


def searched(report: Report, unit: str) -> MoveAdvice:
    """Return what a search has found of a move; `unit` is what its values are, in words."""
    if report.solved:
        return MoveAdvice(report.move, exact=int(report.value), line=report.variation)
    return MoveAdvice(report.move, report.value, unit, line=report.variation, depth=report.depth)


def _valued(seat: Seat, game: Game, solved: Mapping[int, MoveAdvice]) -> Advice | None:
    """Return the player's values beside what is solved; None for a player that gives none."""
    if not (found := seat.player.values(game, seat.rng)):
        return None
    legal = game.board.legal_moves
    known, worth = (solved.get(move, MoveAdvice(move)) for move in legal), found.by_square(legal)
    moves = [replace(move, value=worth[move.move], unit=found.unit) for move in known]
    return ordered(seat.name, game.board, moves)


def ordered(adviser: str, board: Board, moves: Sequence[MoveAdvice], nodes: int = 0) -> Advice:
    """Return advice about the legal moves of a position, put into order, with their shades."""
    moves = [_in_discs(move, board) for move in moves]
    shaded = (replace(move, shade=shade) for move, shade in zip(moves, _shades(moves), strict=True))
    best_first = sorted(shaded, key=lambda move: (*move.worth, move.value or 0.0, -move.move), reverse=True)
    return Advice(board, adviser, tuple(best_first), nodes)


def _in_discs(said: MoveAdvice, board: Board) -> MoveAdvice:
    """Return what is said of a move with an expected result as discs, and as a chance."""
    if said.value is None or said.unit not in CHANCES:
        return said
    if is_certain(said.value):
        return replace(said, unit=ESTIMATE)
    discs = expected_discs(said.value, said.unit, board)
    return replace(said, value=discs, unit=ESTIMATE, chance=(1 + said.value) / 2)


def with_values(looks: Sequence[Look], advice: Advice) -> list[Look]:
    """Return what squares show together with what their moves are worth."""
    found = list(looks)
    for move in advice.moves:
        is_best = move.move in advice.best
        found[move.move] = replace(found[move.move], text=move.text, share=move.shade, is_best=is_best)
    return found


def _shades(moves: Sequence[MoveAdvice]) -> list[float]:
    """Return where each stands between the worst, 0, and the best, 1; all are 1 where all are equal."""
    numbers = _numbers(moves)
    low, high = min(numbers), max(numbers)
    return [(number - low) / (high - low) if high > low else 1.0 for number in numbers]


def _numbers(moves: Sequence[MoveAdvice]) -> list[float]:
    """Return what moves are worth as numbers of one scale, on which a sure win is just above all others."""
    if all(move.exact is not None for move in moves):
        return [move.worth[1] for move in moves]
    unsure = [value for sure, value in (move.worth for move in moves) if not sure] or [0.0]
    low, high = min(unsure), max(unsure)
    step = high - low or 1.0
    ends = {1: high + step, -1: low - step}
    return [ends.get(sure, value) for sure, value in (move.worth for move in moves)]
