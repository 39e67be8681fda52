import csv
import threading
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Colour
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.kernels.bitboard import flips, flips_within, legal_moves, legal_within, masks
from othello_lab.game.kernels.bits import Bits, Integer, from_int, lowest, occupied, single, without_lowest
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import parse_square
from othello_lab.game.solver.solver import Convention, Solver, StoppedError, solve_all
from othello_lab.game.solver.table import NOTHING, known, new_table, remembered_move, store
from tests.game.sampling import exact_values, played

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[2] / "data"
CONVENTIONS = list(Convention)


def rows(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return list(csv.reader(line for line in lines if not line.startswith("#")))[1:]


def scores(cell: str, size: int) -> dict[int, int]:
    """Read `b2:+12 c2:+14`."""
    pairs = (word.split(":") for word in cell.split())
    return {parse_square(square, size): int(score) for square, score in pairs}


@pytest.mark.parametrize(("convention", "column"), list(zip(CONVENTIONS, (6, 7), strict=True)))
@pytest.mark.parametrize("size", [6, 8])
def test_every_move_of_the_endgames_is_exact(size: int, convention: Convention, column: int) -> None:
    solver = Solver(size, convention)
    table = [row for row in rows("endgames_exact.csv") if row[0] == str(size)]
    assert len(table) == 110
    for row in table:
        board = Board.parse(row[2] + row[3])
        assert solver.scores(board) == scores(row[column], size), row[2]
        solution = solver.solve(board)
        assert solution.value == int(row[column - 2])
        assert solution.best in [s for s, v in scores(row[column], size).items() if v == solution.value]


@pytest.mark.parametrize(("convention", "column"), list(zip(CONVENTIONS, (6, 7), strict=True)))
def test_the_positions_of_published_lines_have_their_values(convention: Convention, column: int) -> None:
    solvers = {size: Solver(size, convention) for size in (4, 6, 8)}
    table = rows("pv_positions_exact.csv")
    assert len(table) > 30
    for row in table:
        board = Board.parse(row[3] + row[4])
        assert board.empties == int(row[5])
        assert solvers[board.size].value(board) == int(row[column]), row[3]


def test_solved_boards_of_4x4() -> None:
    for (_, start, _, _, _, _, _, *values, _), text in zip(
        rows("solved_values.csv")[:2], ["-----OX--XO----- X", "-----XX--OO----- X"], strict=True
    ):
        for convention, value in zip(CONVENTIONS, values[-2:], strict=True):
            assert Solver(4, convention).value(Board.parse(text)) == int(value), start


@pytest.mark.parametrize(("convention", "value"), list(zip(CONVENTIONS, (-8, -10), strict=True)))
def test_the_whole_of_4x4(convention: Convention, value: int) -> None:
    values, solver = solve_all(convention), Solver(4, convention)
    assert len(values) == 62_789
    assert values[Board.start(4)] == value
    assert all(solver.value(board) == values[board] for board in list(values)[::20])


def slow(board: Board, convention: Convention) -> int:
    outcome = board.outcome()
    if outcome:
        return convention.of(outcome) * (1 if board.turn is Colour.BLACK else -1)
    return max(-slow(board.play(move), convention) for move in list(board.legal_moves) or [PASS])


@st.composite
def nearly_full(draw: st.DrawFn, sizes: tuple[int, ...], most: int) -> Board:
    size = draw(st.sampled_from(sizes))
    cells = list(range(size * size))
    empty = draw(st.sets(st.sampled_from(cells), max_size=most))
    black = draw(st.integers(0, (1 << len(cells)) - 1)) & ~sum(1 << square for square in empty)
    white = ((1 << len(cells)) - 1) ^ black ^ sum(1 << square for square in empty)
    return Board(size, black, white, draw(st.sampled_from(Colour)))


@cache
def solver_for(size: int, convention: Convention) -> Solver:
    return Solver(size, convention, hash_mib=1)


@settings(max_examples=120, deadline=None)
@given(nearly_full((4, 6, 8, 10, 12, 14, 16), 6))
def test_a_slow_reference_agrees(board: Board) -> None:
    for convention in Convention:
        assert solver_for(board.size, convention).value(board) == slow(board, convention)


@pytest.mark.parametrize("size", [6, 8])
def test_a_position_deep_enough_for_the_table_agrees_with_its_own_moves(size: int) -> None:
    board, solver = played(size, 11, seed=size).board, Solver(size)
    value = solver.value(board)
    assert value == max(solver.scores(board).values())
    # A table of one bucket forgets nearly everything, but it must not change the result.
    assert value == Solver(size, hash_mib=0.0001).value(board)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_variation_ends_with_the_value(convention: Convention) -> None:
    for seed in range(5):
        board, solver = played(6, 12, seed).board, Solver(6, convention)
        solution = solver.solve(board)
        end = board
        for move in solution.variation:
            end = end.play(move)
        outcome = end.outcome()
        assert outcome is not None
        assert convention.of(outcome) == solution.value * (1 if board.turn is Colour.BLACK else -1)
        assert solution.best == solution.variation[0]
        assert solution.nodes > 0


def test_a_side_that_must_pass_and_a_game_that_is_over() -> None:
    forced = next(board for board in exact_values() if board.must_pass)
    solution = Solver(4).solve(forced)
    assert solution.best == PASS
    over = next(board for board in exact_values() if board.is_over)
    assert Solver(4).solve(over).best is None
    assert Solver(4).solve(over).variation == []


def test_it_visits_no_more_positions_than_when_this_was_written() -> None:
    """The old number is 821,610. With looser bounds in the table, it is 845,150."""
    assert sum(Solver(8).solve(played(8, 15, seed).board).nodes for seed in range(8)) < 830_000


def test_a_bound_is_on_its_side_of_the_value() -> None:
    board, solver = played(8, 12, seed=3).board, Solver(8)
    value = solver.value(board)
    for beta in range(value - 6, value + 7):
        bound = Solver(8).bound(board, beta)
        assert beta <= bound <= value if value >= beta else value <= bound < beta


def test_a_network_orders_the_moves_and_changes_no_value() -> None:
    network = make_evaluator("ntuple:pretrained", 8)
    plain, ordered = Solver(8, hash_mib=4), Solver(8, hash_mib=4, evaluator=network)
    table = [row for row in rows("pv_positions_exact.csv") if row[1] == "8"]
    for row in table:
        board = Board.parse(row[3] + row[4])
        assert ordered.value(board) == plain.value(board) == int(row[6])
    assert ordered.nodes < 0.9 * plain.nodes
    with pytest.raises(ValueError, match="this evaluator is for boards of 8x8, not 6x6"):
        Solver(6, evaluator=network)


def test_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="this solver is for 6x6, not 8x8"):
        Solver(6).value(Board.start(8))


def test_a_search_can_be_stopped_from_another_thread_and_ends_at_a_limit() -> None:
    solver = Solver(8)
    timer = threading.Timer(0.05, solver.stop)
    timer.start()
    with pytest.raises(StoppedError):
        solver.value(Board.start(8))
    timer.join()
    solver.begin(limit=1000)
    with pytest.raises(StoppedError):
        solver.value(played(8, 20, seed=0).board)
    assert solver.nodes < 10_000_000
    solver.forget()
    assert solver.value(played(8, 16, seed=0).board) == Solver(8).value(played(8, 16, seed=0).board)


@compiled
def differences(own: Bits, opponent: Bits, size: int) -> Integer:
    """Count the legal moves for which rays and fills differ, and tell whether there are other moves."""
    inner, board = masks(own, size)
    moves = legal_moves(own, opponent, size)
    wrong = int(moves != legal_within(own, opponent, size, inner, board))
    while occupied(moves):
        square = lowest(moves)
        found = flips_within(own, opponent, single(own, square), size, inner)
        wrong += flips(own, opponent, square, size) != found
        moves = without_lowest(moves)
    return wrong


@settings(max_examples=200, deadline=None)
@given(nearly_full((4, 6, 8), 40))
def test_rays_find_what_fills_do(board: Board) -> None:
    own, opponent = from_int(board.own, board.size), from_int(board.opponent, board.size)
    assert differences(own, opponent, board.size) == 0


@pytest.mark.parametrize(("bound", "lower", "upper"), [(np.int16, -4, 12), (np.float64, -0.25, np.inf)])
def test_what_is_stored_is_known_to_its_depth(bound: type[np.generic], lower: float, upper: float) -> None:
    own, opponent, table = from_int(0x1234, 8), from_int(0x8100, 8), new_table(0.01, bound)
    store(table, own, opponent, lower, upper, 7, 19, 100)
    assert known(table, own, opponent, 7, 4096) == (lower, upper, 19)
    assert known(table, own, opponent, 8, 4096) == (-4096, 4096, 19)
    assert known(table, opponent, own, 1, 4096) == (-4096, 4096, NOTHING)
    assert remembered_move(table, own, opponent) == 19
