"""The moment at which `search` hands the game to the solver: sooner where there is more time."""

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.players import make
from othello_lab.game.players.deepening import DeepeningPlayer
from othello_lab.game.search import limits as endgame
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.solver import Solver
from othello_lab.game.solver.solver import empties
from tests.game.test_deepening import played, think


def late(left: int) -> Board:
    """Return a position with a choice of moves and at most `left` empty squares, after sensible moves."""
    player, game = make("search:nodes=2000,endgame=0", 8), Game(Board.start(8))
    while empties(game.board) > left or len(game.board.legal_moves) < 2:
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


def test_an_attempt_with_nodes_is_the_same_each_time_and_costs_no_more_than_is_allowed() -> None:
    board, nodes = late(20), 300_000
    first, second = (think(board, Limits(nodes=nodes), "ntuple:pretrained", seed=3) for _ in range(2))
    assert (first.move, first.value, first.nodes) == (second.move, second.value, second.nodes)
    assert first.nodes <= 1.5 * nodes + 100


@pytest.mark.parametrize("limits", [Limits(nodes=30_000), Limits(seconds=0.5)])
def test_where_the_solver_does_not_come_to_an_end_the_search_goes_on(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endgame, "_POSITIONS_AT_18", 1)  # it expects that little of the solver
    board = played(8, 34, seed=2).board
    assert empties(board) == 34
    found = think(board, limits)
    assert not found.solved
    assert found.depth > 1
    assert found.move == found.variation[0]
    assert found.move in board.legal_moves
