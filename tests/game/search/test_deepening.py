import numpy as np
import pytest

from othello_lab.game import PASS, Board, Game
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import make_evaluator
from othello_lab.game.players.search import DeepeningPlayer
from othello_lab.game.search import search
from othello_lab.game.search.deepening import DeepeningSearch, Ranking
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.search.textbook import batched_values
from othello_lab.game.solver.solver import Solver
from tests.game import plain
from tests.game.sampling import played
from tests.game.search.test_textbook import Uncompiled


def think(board: Board, limits: Limits, evaluator: str = "positional", seed: int = 0) -> Report:
    search = DeepeningSearch(board.size, make_evaluator(evaluator, board.size), limits)
    return search.think(board, np.random.default_rng(seed))


@pytest.mark.parametrize("evaluator", ["positional", "mobility"])
@pytest.mark.parametrize("size", [4, 6, 8])
def test_at_equal_depth_its_values_are_those_of_alphabeta(size: int, evaluator: str) -> None:
    cells = size * size
    for seed in range(12):
        board = played(size, cells - 4 - seed * (cells - 8) // 12, seed).board
        depth = 2 + seed % 4
        plain = search(board, "alphabeta", depth, make_evaluator(evaluator, size), np.random.default_rng(0))
        report = think(board, Limits(depth=depth, endgame=0), evaluator)
        if len(board.legal_moves) > 1:
            assert report.value == pytest.approx(plain.value, abs=cells)
            assert abs(plain.value) == 1e9 or report.value == pytest.approx(plain.value)
            assert report.depth == min(depth, board.empties + 4)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [2, 3])
def test_with_a_network_its_values_are_those_of_a_search_that_prunes_nothing(depth: int) -> None:
    evaluator = make_evaluator("ntuple:pretrained", 6)
    for board in (played(6, left, seed).board for seed in range(6) for left in (8, 16, 24)):
        if len(board.legal_moves) > 1:
            expected, _ = batched_values(Positions.of([board]), depth, evaluator)
            value = think(board, Limits(depth=depth, endgame=0, probcut=False), "ntuple:pretrained").value
            assert np.clip(value, -1, 1) == pytest.approx(np.clip(expected[0], -1, 1))


def test_it_visits_no_more_positions_than_when_this_was_written() -> None:
    """The old number is 325,401. Without refutations, the number is above 400,000."""
    boards = [played(8, 48 - 5 * (seed % 5), seed).board for seed in range(8)]
    assert sum(think(board, Limits(depth=7, endgame=0)).nodes for board in boards) < 335_000


@pytest.mark.slow  # compiles for a minute
def test_on_a_large_board_its_values_are_those_of_a_slow_minimax() -> None:
    for left in (80, 40):
        board = played(10, left, seed=1).board
        expected = plain.minimax(plain.as_reference(board), 2, plain.positional)
        assert think(board, Limits(depth=2, endgame=0)).value == pytest.approx(expected)


@pytest.mark.parametrize("size", [6, 8, pytest.param(10, marks=pytest.mark.slow)])
def test_the_end_of_a_game_is_solved(size: int) -> None:
    board = played(size, 10, seed=size).board
    report = think(board, Limits(depth=1, endgame=10))
    assert report.solved
    assert report.value == Solver(size).value(board)
    for move in report.variation:
        board = board.play(move)
    assert board.is_over


@pytest.mark.parametrize("left", [50, 10])
def test_the_same_seed_gives_the_same_move_whatever_was_played_before(left: int) -> None:
    game = played(8, left, seed=4)
    limits = Limits(depth=5)
    fresh, used = (
        DeepeningPlayer(8, make_evaluator("positional", 8), limits, limits, limits) for _ in range(2)
    )
    used.choose(played(8, left + 1, seed=5), np.random.default_rng(9))
    fresh.choose(game, np.random.default_rng(1))
    used.choose(game, np.random.default_rng(1))
    assert fresh.last_report is not None
    assert used.last_report is not None
    for name in ("move", "value", "depth", "variation", "nodes"):
        assert getattr(fresh.last_report, name) == getattr(used.last_report, name)


def test_with_a_clock_it_keeps_what_it_learnt_and_finds_the_same_value() -> None:
    board = played(8, 40, seed=4).board
    search = DeepeningSearch(8, make_evaluator("mobility", 8), Limits(depth=6, seconds=600))
    first, second = (search.think(board, np.random.default_rng(0)) for _ in range(2))
    assert second.nodes < first.nodes / 10
    assert second.value == first.value
    solver_board = played(8, 12, seed=4).board
    first, second = (search.think(solver_board, np.random.default_rng(0)) for _ in range(2))
    assert second.nodes < first.nodes / 3
    assert (second.solved, second.value) == (True, first.value)


def test_moves_alike_by_symmetry_are_all_played() -> None:
    moves = {think(Board.start(8), Limits(depth=3), seed=seed).move for seed in range(40)}
    assert moves == set(Board.start(8).legal_moves)


@pytest.mark.parametrize("left", [40, 24])
def test_the_clock_stops_it_with_a_legal_move(left: int) -> None:
    board = played(8, left, seed=2).board
    report = think(board, Limits(seconds=0.05, endgame=24 if left == 24 else 0))
    assert report.move in board.legal_moves
    assert report.move == report.variation[0]
    assert report.depth >= 1
    assert report.nodes > 0


def test_a_forced_pass_and_a_single_move_need_no_thought() -> None:
    passing = next(board for seed in range(100) for board in played(6, 4, seed).boards if board.must_pass)
    assert think(passing, Limits()).move == PASS
    single = next(b for seed in range(100) for b in played(6, 4, seed).boards if len(b.legal_moves) == 1)
    assert think(single, Limits()).move == next(iter(single.legal_moves))


def test_an_evaluator_that_is_not_compiled_is_searched_in_batches() -> None:
    board = played(6, 20, seed=3).board
    report = DeepeningSearch(6, Uncompiled("positional", 6), Limits(depth=3)).think(
        board, np.random.default_rng(0)
    )
    assert report.value == think(board, Limits(depth=3)).value
    assert report.depth == 3


def test_an_evaluator_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="this evaluator is for boards of 6x6"):
        DeepeningSearch(8, make_evaluator("positional", 6), Limits())


def rank(board: Board, evaluator: str, limits: Limits) -> list[Report]:
    ranking = Ranking(make_evaluator(evaluator, board.size), limits)
    return ranking.rank(board, np.random.default_rng(0))


@pytest.mark.parametrize("transcript", ["", "b1c1d1a1", "b1a1a2c1d4a3d1b4a4"])
def test_a_ranking_is_exact_near_the_end(transcript: str) -> None:
    board = Game.from_transcript(transcript, 4).board
    ranked = rank(board, "discs", Limits(seconds=60))
    assert {report.move: report.value for report in ranked} == Solver(4).scores(board)
    assert all(report.solved for report in ranked)


def test_a_ranking_looks_at_every_move_equally_deep_the_best_first() -> None:
    board = Game.from_transcript("f5d6c3d3c4f4f6").board
    ranked = rank(board, "positional", Limits(depth=5, seconds=60))
    assert {report.move for report in ranked} == set(board.legal_moves)
    assert {report.depth for report in ranked} == {5}
    values = [report.value for report in ranked]
    assert values == sorted(values, reverse=True)
    for report in ranked:
        assert report.variation[0] == report.move
        game = Game(board)
        for move in report.variation:  # legal, else this raises
            game.play(move)


def test_a_ranking_has_an_answer_when_time_is_short() -> None:
    ranked = rank(Board.start(8), "positional", Limits(seconds=1e-6))
    assert {report.move for report in ranked} == set(Board.start(8).legal_moves)


@pytest.mark.slow
def test_a_ranking_with_a_number_of_nodes_is_the_same_each_time() -> None:
    board = Game.from_transcript("f5d6c3d3c4f4f6").board
    few, many = (
        [rank(board, "positional", Limits(nodes=nodes)) for _ in range(2)] for nodes in (2_000, 20_000)
    )
    for first, second in (few, many):
        assert [(r.move, r.value, r.nodes, r.variation) for r in first] == [
            (r.move, r.value, r.nodes, r.variation) for r in second
        ]
        assert len({report.depth for report in first}) == 1
    assert 1 < few[0][0].depth < many[0][0].depth
    assert sum(report.nodes for report in many[0]) <= 20_000
