"""A budget over the game, by a clock that is handed in: nobody waits."""

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import make
from othello_lab.game.players.deepening import DeepeningPlayer
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits, limited
from tests.game.endings import near_the_end


def at(empties: int) -> Board:
    return near_the_end(8, empties, seed=1)


@pytest.mark.parametrize("start", [10.0, 60.0, 600.0])
@pytest.mark.parametrize("spent", [0.5, 1.0])
def test_no_game_is_lost_on_time_and_none_ends_with_most_of_it_left(start: float, spent: float) -> None:
    """Each move takes this part of what it may, down to where the game is surely solved."""
    left = start
    for empties in range(60, 14, -2):
        limits = limited(Limits(), left, 0, at(empties))
        assert limits.seconds is not None
        assert limits.aim is not None
        assert 0.01 * (left - 1) < limits.aim <= limits.seconds
        left -= spent * limits.seconds
        assert left > 0
    assert left < 0.2 * start


def test_the_time_lasts_until_the_solver_takes_over() -> None:
    left, shares = 600.0, []
    for empties in range(60, 30, -2):
        aim = limited(Limits(), left, 0, at(empties)).aim
        assert aim is not None
        shares.append(aim)
        left -= aim
    assert max(shares) < 1.5 * min(shares)
    assert left > 100


def test_seconds_for_some_moves_are_shared_among_them() -> None:
    one, ten = (limited(Limits(), 30.0, moves, at(50)) for moves in (1, 10))
    assert one.aim == one.seconds == pytest.approx(30, rel=0.02)
    assert ten.aim == pytest.approx(3, rel=0.02)


def test_what_the_player_allows_itself_holds_as_well() -> None:
    limits = limited(Limits(depth=5, seconds=0.5), 600.0, 0, at(50))
    assert (limits.depth, limits.seconds, limits.aim) == (5, 0.5, 0.5)


def test_an_open_position_and_a_new_best_move_get_more() -> None:
    limits = Limits(seconds=9.0, aim=3.0)
    asked = [limits.patience(0.0, True), limits.patience(0.0, False), limits.patience(-0.9, False)]
    assert asked == [6.75, 4.5, pytest.approx(1.8)]
    assert limits.patience(1e9, False) == 1.5
    assert Limits(seconds=9.0).patience(0.0, True) == 9.0
    assert Limits().patience(0.0, True) is None


def test_points_are_no_results() -> None:
    """A few points ahead is an open position, also where the evaluation counts in hundreds."""
    asked = []

    class Noting(Limits):
        def patience(self, value: float, is_new: bool) -> float | None:
            asked.append(abs(value))
            return super().patience(value, is_new)

    search = DeepeningSearch(6, make_evaluator("positional", 6), Noting(depth=4, seconds=9.0, aim=3.0))
    search.think(near_the_end(6, 20, seed=1), np.random.default_rng(0))
    assert asked
    assert all(0 < value < 1 for value in asked)


def test_without_a_clock_a_player_is_as_it_was() -> None:
    player, game = make("search:depth=4", 8), Game(at(40))
    assert isinstance(player, DeepeningPlayer)
    before = player.choose(game, np.random.default_rng(0))
    player.hurry(game.board, (0.0, 0))
    assert player.choose(game, np.random.default_rng(0)) in game.board.legal_moves
    player.hurry(game.board, None)
    assert player.choose(game, np.random.default_rng(0)) == before
