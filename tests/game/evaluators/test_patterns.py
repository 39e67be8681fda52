from dataclasses import replace

import numpy as np
import pytest

from othello_lab.game import Board
from othello_lab.game.batch import Positions
from othello_lab.game.evaluators import patterns
from othello_lab.game.evaluators.evaluator import PatternEvaluator
from othello_lab.game.evaluators.patterns import Patterns
from othello_lab.game.search import ALGORITHMS, search
from othello_lab.game.search.textbook import batched_values, children
from othello_lab.game.symmetry import SYMMETRIES, transform
from tests.game.sampling import random_boards

pytestmark = pytest.mark.slow

SIZES = [4, 6, 8, 10]
FEW = 5


def network(size: int, stages: int = 3) -> PatternEvaluator:
    """Return a network with random weights that are equal for equivalent configurations."""
    found = replace(patterns.standard(size), counts=True)
    weights = np.random.default_rng(size).normal(0, 0.2, (stages + 2, found.configurations))
    same = np.stack([weights, *(weights[:, twins] for twins in found.twins)]).mean(axis=0)
    return PatternEvaluator(found, same.astype(np.float32), few=FEW)


def swapped(board: Board) -> Board:
    return Board(board.size, board.black, board.white, board.turn.other)


def with_few_black_discs(board: Board) -> Board:
    few = sum(1 << square for square in range(board.size**2) if board.black >> square & 1 and square % 3 == 0)
    return Board(board.size, few, board.white, board.turn)


def slow_stage(board: Board, stages: int) -> int:
    own, opponent = board.own.bit_count(), board.opponent.bit_count()
    if own + opponent >= 12 and opponent <= FEW:
        return stages
    if own + opponent >= 12 and own <= FEW:
        return stages + 1
    return max(0, min(stages - 1, (own + opponent - 4) * stages // (board.size**2 - 4)))


def slow_value(board: Board, evaluator: PatternEvaluator) -> float:
    if not board.legal_moves:
        other = swapped(board)
        return -slow_value(other, evaluator) if other.legal_moves else float("nan")
    filled, row = (board.own | board.opponent).bit_count(), slow_stage(board, len(evaluator.weights) - 2)
    weights = evaluator.weights[row]
    total = 0.0
    for number, squares in evaluator.patterns.instances:
        digits = [(board.own >> s & 1) + 2 * (board.opponent >> s & 1) for s in squares]
        index = sum(digit * 3**place for place, digit in enumerate(digits))
        total += float(weights[evaluator.patterns.starts[number] + index])
    moves, discs = (
        [min(31, len(moves)) for moves in (board.legal_moves, swapped(board).legal_moves)],
        [min(31, squares.bit_count()) for squares in (board.own, board.opponent)],
    )
    counts = weights[evaluator.patterns.starts[-1] :]
    pairs = counts[: 2 * 32 * 32].reshape(2, 32, 32)
    total += pairs[0, *moves] + pairs[1, *discs] + counts[2 * 32 * 32 + filled]
    return float(np.tanh(total))


def test_the_classes_of_8x8_and_their_places() -> None:
    found, large = patterns.standard(8), patterns.large(8)
    assert (len(found.classes), len(found.instances)) == (11, 46)
    assert found.configurations == 2 * 3**10 + 3**9 + 3 * 3**8 + sum(3**n for n in range(4, 9))
    assert (len(large.classes), len(large.instances)) == (15, 62)
    assert [len(squares) for squares in large.classes].count(10) == 7


@pytest.mark.parametrize("size", SIZES)
def test_large_patterns_stand_among_all_that_a_symmetry_makes_of_them(size: int) -> None:
    found = patterns.large(size)
    assert len({frozenset(squares) for _, squares in found.instances}) == len(found.instances)


@pytest.mark.parametrize("size", SIZES)
def test_the_compiled_value_is_the_slow_one(size: int) -> None:
    evaluator, boards = network(size), random_boards(size, 160)
    boards += [with_few_black_discs(board) for board in boards]
    assert any(board.must_pass for board in boards)
    stages = {slow_stage(board, 3) for board in boards if board.legal_moves}
    assert {3, 4} < stages
    slow = np.array([slow_value(board, evaluator) for board in boards])
    going_on = ~np.isnan(slow)
    assert going_on.sum() > 60
    fast = evaluator.values(Positions.of(boards))
    np.testing.assert_allclose(fast[going_on], slow[going_on], rtol=0, atol=1e-5)


def test_boards_that_are_alike_are_worth_the_same() -> None:
    evaluator = network(8)
    boards = [board for board in random_boards(8, 60) if board.legal_moves]
    for symmetry in range(SYMMETRIES):
        alike = [transform(board, symmetry) for board in boards]
        values, others = (evaluator.values(Positions.of(some)) for some in (boards, alike))
        np.testing.assert_allclose(values, others, rtol=0, atol=1e-5)


@pytest.mark.parametrize("size", [4, 8])
def test_every_search_asks_it_and_all_agree(size: int) -> None:
    evaluator = network(size)
    for index, board in enumerate(random_boards(size, 40)):
        if not board.legal_moves:
            continue
        depth = 1 + index % 3
        whole, _ = batched_values(Positions.of([board]), depth, evaluator)
        for algorithm in ALGORITHMS:
            value = search(board, algorithm, depth, evaluator, np.random.default_rng(0)).value
            assert value == pytest.approx(whole[0], abs=1e-12)


@pytest.mark.parametrize("size", [4, 10])
def test_moves_are_judged_as_a_search_of_one_ply_does(size: int) -> None:
    boards = [board for board in random_boards(size, 200) if board.legal_moves]
    assert any(board.play(move).is_over for board in boards for move in board.legal_moves)
    positions, evaluator = Positions.of(boards), network(size)
    slow, _ = batched_values(children(positions), 0, evaluator)
    assert evaluator.move_values(positions).tolist() == (-slow).tolist()


@pytest.mark.parametrize(
    ("sets", "complaint"),
    [
        (((0, 1, 0),), "3 squares, expected 1 to 10, none twice"),
        ((), "0 instances, expected 1 to 128"),
        ((tuple(range(11)),), "11 squares, expected 1 to 10"),
        (((0, 64),), "not on a board of 8x8"),
    ],
)
def test_impossible_square_sets_are_refused(sets: tuple[tuple[int, ...], ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Patterns(8, sets)


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \[7, 5\], expected stages by 167265"):
        PatternEvaluator(patterns.standard(8), np.zeros((7, 5), np.float32))
    with pytest.raises(ValueError, match="float32"):
        PatternEvaluator(patterns.standard(8), np.zeros((7, 167265)))  # type: ignore[arg-type]  # on purpose
