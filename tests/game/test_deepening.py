"""The player `search`: the values of the plain searches, exact endgames, limits, reports."""

import logging
from collections.abc import Collection

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import Evaluator, make_evaluator
from othello_lab.game.kernels.bitboard import SIZES
from othello_lab.game.players import RegistryError, make
from othello_lab.game.players.catalogue import is_built_in
from othello_lab.game.players.deepening import DeepeningPlayer
from othello_lab.game.search import search
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.solver import Solver
from othello_lab.game.solver.solver import empties


def played(size: int, left: int, seed: int) -> Game:
    """Return a random game with at most `left` empty squares and a move to make."""
    rng = np.random.default_rng(seed)
    while True:
        game = Game(Board.start(size))
        while not game.board.is_over and (empties(game.board) > left or not game.board.legal_moves):
            game.play(rng.choice(list(game.board.legal_moves) or [PASS]))
        if not game.board.is_over:
            return game


def think(board: Board, limits: Limits, evaluator: str = "positional", seed: int = 0) -> Report:
    search = DeepeningSearch(board.size, make_evaluator(evaluator, board.size), limits)
    return search.think(board, np.random.default_rng(seed))


@pytest.mark.parametrize("evaluator", ["positional", "mobility"])
@pytest.mark.parametrize("size", [4, 6, 8])
def test_at_equal_depth_its_values_are_those_of_alphabeta(size: int, evaluator: str) -> None:
    cells = size * size
    for seed in range(25):
        board = played(size, cells - 4 - seed * (cells - 8) // 25, seed).board
        depth = 2 + seed % 4
        plain = search(board, "alphabeta", depth, make_evaluator(evaluator, size), np.random.default_rng(0))
        report = think(board, Limits(depth=depth, endgame=0), evaluator)
        if len(board.legal_moves) > 1:
            # A result counts by its discs as well here.
            assert report.value == pytest.approx(plain.value, abs=cells)
            assert abs(plain.value) == 1e9 or report.value == pytest.approx(plain.value)
            assert report.depth == min(depth, empties(board) + 4)


@pytest.mark.parametrize("size", [6, 8, 10])
def test_the_end_of_a_game_is_solved(size: int) -> None:
    board = played(size, 10, seed=size).board
    report = think(board, Limits(depth=1, endgame=10))
    assert report.solved
    assert report.value == Solver(size).value(board)
    for move in report.variation:
        board = board.play(move)
    assert board.is_over


def test_where_the_end_is_not_near_it_is_not_solved() -> None:
    assert not think(played(8, 12, seed=1).board, Limits(depth=2, endgame=11)).solved


@pytest.mark.parametrize("left", [50, 10])
def test_the_same_seed_gives_the_same_move_whatever_was_played_before(left: int) -> None:
    game = played(8, left, seed=4)
    fresh = DeepeningPlayer(8, make_evaluator("positional", 8), Limits(depth=5))
    used = DeepeningPlayer(8, make_evaluator("positional", 8), Limits(depth=5))
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
    # Neither depth 60 nor 40 squares to the end can be reached.
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


class Uncompiled(Evaluator):
    """An evaluator that compiled search cannot call."""

    def values(self, positions: Positions) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return make_evaluator("positional", positions.size).values(positions)


def test_an_evaluator_that_is_not_compiled_is_searched_in_batches() -> None:
    board = played(6, 20, seed=3).board
    report = DeepeningSearch(6, Uncompiled(), Limits(depth=3)).think(board, np.random.default_rng(0))
    assert report.value == think(board, Limits(depth=3)).value
    assert report.depth == 3


def test_an_evaluator_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="this evaluator is for boards of 6x6"):
        DeepeningSearch(8, make_evaluator("positional", 6), Limits())


def test_it_beats_a_plain_search_of_less_depth() -> None:
    wins = 0
    for seed in range(4):
        rng, game = np.random.default_rng(seed), Game(Board.start(6))
        colour = list(Colour)[seed % 2]
        ours, theirs = make("search:depth=6", 6), make("alphabeta:depth=2", 6)
        while not game.board.is_over:
            if not game.pass_if_forced():
                game.play((ours if game.board.turn is colour else theirs).choose(game, rng))
        outcome = game.board.outcome()
        assert outcome is not None
        wins += outcome.winner is colour
    assert wins >= 3


def test_the_report_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="othello_lab.game.players.deepening")
    player = make("search:depth=3", 8)
    player.choose(Game(Board.start(8)), np.random.default_rng(0))
    (line,) = caplog.messages
    assert "depth 3" in line
    assert "nodes in" in line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("search:depth=0", "search: depth is '0', expected a whole number from 1 to 60"),
        ("search:time=soon", "search: time is 'soon', expected seconds a move such as 0.5"),
        ("search:time=0", "search: time is '0', expected seconds"),
        ("search:eval=nobody", "nobody"),
        (
            "search:speed=3",
            "search has no option 'speed'; its options: depth, time, nodes, eval, endgame, probcut",
        ),
        ("search:threads=0", "threads is '0', expected a whole number from 1 to 64"),
        ("search:fast", "search takes no argument"),
    ],
)
def test_wrong_texts_are_refused(text: str, line: str) -> None:
    with pytest.raises(RegistryError, match=line):
        make(text, 8)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("search", {4, 6, 8}),
        ("search:time=2", SIZES),
        ("search:time=2,depth=60,endgame=60", set()),
        ("search:depth=6,endgame=16", {4, 6, 8}),
        ("search:depth=11", set()),
        ("search:time=1000", set()),
        ("search:nodes=1000000", SIZES),
        ("search:nodes=1000001", set()),
        ("search:nodes=1000,endgame=30", set()),
        ("search:depth=6,endgame=30", set()),
        ("search:depth=6,hash=60000", set()),
        ("search:depth=6,threads=2", set()),
        ("search:depth=6,eval=[weights:/etc/passwd]", set()),
        ("minimax", {4, 6, 8}),
        ("minimax:depth=6", {4, 6, 8}),
        ("negamax:depth=5,eval=mobility", {4, 6, 8}),
        ("minimax:depth=3,eval=weights:swh", SIZES),
        ("alphabeta", {4, 6, 8}),
        ("alphabeta:depth=3", SIZES),
        ("negascout-sorted:depth=5", {4, 6, 8}),
        ("alphabeta:depth=7", set()),
        ("positional", SIZES),
        ("corner-greedy", SIZES),
    ],
)
def test_a_stranger_may_ask_for_a_few_seconds_of_thought(text: str, sizes: Collection[int]) -> None:
    assert {size for size in SIZES if is_built_in(text, size)} == set(sizes)
