import numpy as np
import pytest

from othello_lab.game import PASS, Board, Game
from othello_lab.game.catalogue import make
from othello_lab.game.players.search import DeepeningPlayer, limited
from othello_lab.game.search import endgame
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.solver.solver import Solver
from tests.game.sampling import played
from tests.game.search.test_deepening import think


def at(empty: int) -> Board:
    return played(8, empty, seed=1).board


@pytest.mark.parametrize("start", [10.0, 60.0, 600.0])
@pytest.mark.parametrize("spent", [0.5, 1.0])
def test_no_game_is_lost_on_time_and_none_ends_with_most_of_it_left(start: float, spent: float) -> None:
    """Each move takes the part `spent` of its time, until the solver surely solves the game."""
    left = start
    for empty in range(60, 14, -2):
        limits = limited(Limits(), left, 0, at(empty))
        assert limits.seconds is not None
        assert 0.01 * (left - 1) < limits.seconds
        left -= spent * limits.seconds
        assert left > 0
    assert left < 0.2 * start


def test_the_time_lasts_until_the_solver_takes_over() -> None:
    left, shares = 600.0, []
    for empty in range(60, 30, -2):
        target = limited(Limits(), left, 0, at(empty)).seconds
        assert target is not None
        shares.append(target)
        left -= target
    assert max(shares) < 1.5 * min(shares)
    assert left > 100


def test_seconds_for_some_moves_are_shared_among_them() -> None:
    one, ten = (limited(Limits(), 30.0, moves, at(50)) for moves in (1, 10))
    assert one.seconds == pytest.approx(30, rel=0.02)
    assert ten.seconds == pytest.approx(3, rel=0.02)


def test_what_the_player_allows_itself_holds_as_well() -> None:
    limits = limited(Limits(depth=5, seconds=0.5), 600.0, 0, at(50))
    assert (limits.depth, limits.seconds) == (5, 0.5)


@pytest.mark.parametrize("text", ["search:depth=2", "search:depth=2,eval=positional"])
def test_a_depth_limits_a_move_with_a_clock_as_without_one(text: str) -> None:
    player, board = make(text, 8), at(20)
    assert isinstance(player, DeepeningPlayer)
    reports = []
    for left in (None, (60.0, 0), (900.0, 0), (900.0, 30)):
        player.hurry(board, left)
        player.choose(Game(board), np.random.default_rng(0))
        assert player.last_report
        reports.append(player.last_report)
    assert {(report.depth, report.solved, report.move) for report in reports} == {(2, False, reports[0].move)}
    assert max(report.seconds for report in reports) < 1


def test_without_a_clock_a_player_is_as_it_was() -> None:
    player, game = make("search:depth=4", 8), Game(at(40))
    assert isinstance(player, DeepeningPlayer)
    before = player.choose(game, np.random.default_rng(0))
    player.hurry(game.board, (0.0, 0))
    assert player.choose(game, np.random.default_rng(0)) in game.board.legal_moves
    player.hurry(game.board, None)
    assert player.choose(game, np.random.default_rng(0)) == before


def late(left: int) -> Board:
    player, game = make("search:nodes=500,endgame=0", 8), Game(Board.start(8))
    while game.board.empties > left or len(game.board.legal_moves) < 2:
        if not game.pass_if_forced():
            game.play(player.choose(game, np.random.default_rng(len(game.moves))))
    return game.board


def report(text: str, board: Board) -> Report:
    player = make(text, 8)
    assert isinstance(player, DeepeningPlayer)
    player.choose(Game(board), np.random.default_rng(0))
    assert player.last_report
    return player.last_report


@pytest.fixture(scope="module")
def seventeen() -> Board:
    return late(17)


@pytest.mark.parametrize("text", ["search:time=600", "search:nodes=1000000", "level:10"])
def test_where_there_is_time_the_end_is_solved_sooner(text: str, seventeen: Board) -> None:
    found = report(text, seventeen)
    assert found.solved
    assert found.value == Solver(8).value(seventeen)


@pytest.mark.parametrize(
    "text", ["search:nodes=2000", "search:depth=3", "search:nodes=1000000,endgame=14", "search:time=0.001"]
)
def test_where_there_is_little_or_it_is_told_otherwise_it_is_not(text: str, seventeen: Board) -> None:
    assert not report(text, seventeen).solved


@pytest.mark.slow
def test_an_attempt_with_nodes_is_the_same_each_time_and_costs_no_more_than_is_allowed() -> None:
    board, nodes = played(8, 20, seed=1).board, 300_000
    first, second = (think(board, Limits(nodes=nodes), "ntuple:pretrained", seed=3) for _ in range(2))
    assert (first.move, first.value, first.nodes) == (second.move, second.value, second.nodes)
    assert first.nodes <= 1.5 * nodes + 100


@pytest.mark.parametrize("limits", [Limits(nodes=30_000), Limits(seconds=0.3)])
def test_where_the_solver_does_not_end_the_search_goes_on(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgame, "_POSITIONS_AT_18", 1)  # it expects that little of the solver
    board = played(8, 34, seed=2).board
    assert board.empties == 34
    found = think(board, limits)
    assert not found.solved
    assert found.depth > 1
    assert found.move == found.variation[0]
    assert found.move in board.legal_moves


@pytest.mark.parametrize("is_told", [True, False])
def test_a_game_with_a_limit_of_positions_repeats_after_other_games(is_told: bool) -> None:
    player, texts = make("search:nodes=2000,endgame=0,hash=1", 6), []
    for seed in (1, 2, 1):
        game, rng = Game(Board.start(6)), np.random.default_rng(seed)
        if is_told:
            player.start(game)
        while not game.board.is_over:
            game.play(player.choose(game, rng) if game.board.legal_moves else PASS)
        texts.append(game.transcript())
    assert texts[0] == texts[2] != texts[1]
