from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.game import PASS, Board
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.search import ALGORITHMS, Result, search, textbook
from othello_lab.game.values import WON
from tests.game import plain
from tests.game.plain import as_reference
from tests.game.sampling import random_boards

pytestmark = pytest.mark.slow

EVALUATIONS = ["positional", "mobility", "weights:bench", "weights:swh,fade=1", "piece-values", "discs"]


class Uncompiled(Evaluator):
    """An evaluator that a compiled search cannot call, such as a network. The class counts the calls."""

    def __init__(self, text: str, size: int) -> None:
        self.inner = make_evaluator(text, size)
        self.calls = 0

    def values(self, positions: Positions) -> NDArray[np.float64]:
        self.calls += 1
        return self.inner.values(positions)


def run(board: Board, algorithm: str, depth: int, evaluator: Evaluator, seed: int = 0) -> Result:
    return search(board, algorithm, depth, evaluator, np.random.default_rng(seed))


@pytest.mark.parametrize("size", [4, 6, 8])
def test_all_eight_and_the_batched_search_agree_and_none_visits_more_than_minimax(size: int) -> None:
    boards = random_boards(size, 200)
    assert sum(board.must_pass for board in boards) > 10
    assert sum(board.is_over for board in boards) > 20
    for index, board in enumerate(boards):
        depth, text = 1 + index % 4, EVALUATIONS[index % len(EVALUATIONS)]
        evaluator = make_evaluator(text, size)
        results = {name: run(board, name, depth, evaluator, index) for name in ALGORITHMS}
        full = results["minimax"]
        assert {result.value for result in results.values()} == {full.value}, str(board)
        # The seed has the same order for all at the root. A move that only failed low is no tie.
        assert {result.move for result in results.values()} == {full.move}, str(board)
        assert results["negamax"].nodes == full.nodes
        assert results["alphabeta"].nodes == results["negamax-ab"].nodes <= full.nodes
        assert results["alphabeta-sorted"].nodes == results["negamax-ab-sorted"].nodes <= full.nodes
        assert run(board, "negascout", depth, Uncompiled(text, size), index) == full, str(board)


@pytest.mark.parametrize(("size", "depth", "number"), [(4, 5, 30), (6, 2, 40), (8, 2, 20)])
def test_a_slow_minimax_agrees(size: int, depth: int, number: int) -> None:
    for text, evaluation in [("positional", plain.positional), ("mobility", plain.mobility)]:
        evaluator = make_evaluator(text, size)
        for board in random_boards(size, number):
            expected = plain.minimax(as_reference(board), depth, evaluation)
            assert run(board, "alphabeta-sorted", depth, evaluator).value == pytest.approx(expected)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_move_is_one_of_the_best(algorithm: str) -> None:
    """In alpha-beta, a move that only failed low looks as good as the best move."""
    evaluator = make_evaluator("positional", 6)
    for board in random_boards(6, 60):
        if not board.legal_moves:
            continue
        worth = {move: -run(board.play(move), "minimax", 2, evaluator).value for move in board.legal_moves}
        best = {move for move, value in worth.items() if value == max(worth.values())}
        chosen = {run(board, algorithm, 3, evaluator, seed).move for seed in range(4)}
        assert chosen <= best, str(board)


@pytest.mark.parametrize(
    ("algorithm", "evaluator"),
    [
        *((name, make_evaluator("positional", 8)) for name in ALGORITHMS),
        ("minimax", Uncompiled("positional", 8)),
    ],
)
def test_equal_moves_are_equally_likely(algorithm: str, evaluator: Evaluator) -> None:
    rng = np.random.default_rng(1)
    drawn = Counter(search(Board.start(8), algorithm, 2, evaluator, rng).move for _ in range(800))
    assert len(drawn) == 4
    assert all(abs(times - 200) < 4.5 * (800 * 3 / 16) ** 0.5 for times in drawn.values())


# Black takes a1 and all of white, or keeps the game going on the right.
KNOCKOUT = Board.parse("-OX-----" + "-" * 56 + " X")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_won_game_is_worth_more_than_any_evaluation(algorithm: str) -> None:
    for depth in (1, 3):
        result = run(KNOCKOUT, algorithm, depth, make_evaluator("weights:swh", 8))
        assert (result.value, result.move, result.nodes) == (WON, 0, 2)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_pass_costs_one_ply_and_a_finished_game_has_no_move(algorithm: str) -> None:
    """White must pass. Then black takes b1 or b3, and white must pass again."""
    board = Board.parse("XO------" + "--------" + "XO------" + "-" * 40 + " O")
    for evaluator in (make_evaluator("discs", 8), Uncompiled("discs", 8)):
        found = [run(board, algorithm, depth, evaluator) for depth in (1, 2, 3, 4)]
        assert [result.move for result in found] == [PASS] * 4
        assert [result.value for result in found] == [2 - 2, 1 - 4, 1 - 4, -WON]
        assert found[0].nodes == 2
        assert run(KNOCKOUT.play(0), algorithm, 2, evaluator) == Result(-WON, None, 1)


def test_leaves_come_in_large_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    board, evaluator = Board.start(8), Uncompiled("positional", 8)
    whole = run(board, "minimax", 5, evaluator)
    assert evaluator.calls == 1
    monkeypatch.setattr(textbook, "BATCH", 100)
    assert run(board, "minimax", 5, evaluator) == whole
    assert whole.nodes == 1 + 4 + 12 + 56 + 244 + 1396


def test_an_evaluator_for_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="for boards of 8x8, not 6x6"):
        run(Board.start(6), "minimax", 1, make_evaluator("discs", 8))
