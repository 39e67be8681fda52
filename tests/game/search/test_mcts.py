import threading
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.evaluators.evaluator import CompiledEvaluator
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players.mcts import TreePlayer
from othello_lab.game.search import mcts
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.solver.solver import Solver
from othello_lab.game.values import DISCS
from tests.game.sampling import exact_values, played
from tests.game.search.test_tree import with_visits

# Visits and totals of four replies to moves of the values .4, 0, -.5 and -1. The node has 12 visits.
VISITS = (5, -2.0), (3, 0.0), (2, 1.0), (1, 1.0)


def compiled(name: str, size: int) -> CompiledEvaluator:
    evaluator = make_evaluator(name, size)
    assert isinstance(evaluator, CompiledEvaluator)
    return evaluator


def think(game: Game, limits: Limits, name: str = "", seed: int = 0) -> Report:
    search = TreePlayer(game.size, compiled(name, game.size) if name else None, limits)
    return search.think(game, np.random.default_rng(seed))


# .4 + c 0.705, 0 + c 0.910, -.5 + c 1.115, -1 + c 1.576, where 0.705 = sqrt(ln 12 / 5).
@pytest.mark.parametrize(("c", "child"), [(0.5, 1), (1.5, 1), (1.7, 4), (4.0, 4)])
def test_uct_takes_the_move_with_the_highest_confidence_bound(c: float, child: int) -> None:
    state = np.zeros(1, mcts.STATE)[0]
    state["exploration"] = c
    assert mcts.by_confidence(with_visits(*VISITS), 0, state) == child


def test_uct_first_takes_each_move_once() -> None:
    state = np.zeros(1, mcts.STATE)[0]
    nodes, found = with_visits((5, -5.0), (0, 0.0), (2, 1.0), (0, 0.0)), set()
    for seed in range(20):
        state["seed"] = seed
        found.add(int(mcts.by_confidence(nodes, 0, state)))
    assert found == {2, 4}


# .4 + c .1 3.464 / 6, 0 + c .2 3.464 / 4, -.5 + c .4 3.464 / 3, -1 + c .3 3.464 / 2, where 3.464 = sqrt(12).
@pytest.mark.parametrize(("c", "child"), [(1.0, 1), (2.0, 1), (2.3, 3), (10.0, 4)])
def test_puct_takes_the_move_with_the_highest_value_and_prior(c: float, child: int) -> None:
    nodes = with_visits(*VISITS)
    nodes["logit"][1:5] = np.log([0.1, 0.2, 0.4, 0.3])
    assert mcts.by_prior(nodes, 0, c) == child


def test_no_simulation_goes_where_all_is_known() -> None:
    nodes, state = with_visits(*VISITS), np.zeros(1, mcts.STATE)[0]
    nodes["lower"][1] = nodes["upper"][1] = 1
    nodes["logit"][1:5] = np.log(0.25)
    assert mcts.by_confidence(nodes, 0, state) == mcts.by_prior(nodes, 0, 0.0) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "each"), [("", 16), ("positional", 100)])
def test_on_4x4_only_moves_are_played_that_keep_the_exact_result(name: str, each: int) -> None:
    known, limits = exact_values(), Limits(endgame=0)
    assert len(known) == 62_789
    search, rng = TreePlayer(4, compiled(name, 4) if name else None, limits), np.random.default_rng(0)
    for board in [board for board in known if board.legal_moves][::each]:
        search.start(Game(board))
        report = search.think(Game(board), rng)
        assert np.sign(-known[board.play(report.move)]) == np.sign(report.value) == np.sign(known[board])


@pytest.mark.parametrize("size", [6, 8])
def test_the_end_of_a_game_is_solved(size: int) -> None:
    game = played(size, 10, seed=size)
    report = think(game, Limits(simulations=10))
    assert report.solved
    assert report.value == Solver(size).value(game.board)


@pytest.mark.parametrize("name", ["", "positional"])
@pytest.mark.parametrize("size", [6, 8])
def test_the_same_seed_gives_the_same_game_and_a_new_game_begins_a_new_tree(size: int, name: str) -> None:
    evaluator = compiled(name, size) if name else None
    search = TreePlayer(size, evaluator, Limits(simulations=200))
    found = []
    for _ in range(2):
        game, rng = Game(Board.start(size)), np.random.default_rng(5)
        for _ in range(6):
            report = search.think(game, rng)
            game.play(report.move)
            found.append((report.move, report.value, report.variation, report.nodes))
        search.start(game)
    assert found[:6] == found[6:]
    assert found[0][1:] != found[1][1:]


def test_values_change_no_later_move() -> None:
    plain, asked = (make("mcts:simulations=60", 6) for _ in range(2))
    assert isinstance(plain, TreePlayer)
    assert isinstance(asked, TreePlayer)
    game = Game(Board.start(6))
    for seed in range(6):
        asked.values(game, np.random.default_rng(seed))
        move = plain.choose(game, np.random.default_rng(seed))
        assert asked.choose(game, np.random.default_rng(seed)) == move
        assert plain.last_report
        assert asked.last_report
        assert replace(asked.last_report, seconds=0) == replace(plain.last_report, seconds=0)
        game.play(move)


def test_the_tree_stays_from_move_to_move() -> None:
    game, rng = Game(Board.start(4)), np.random.default_rng(0)
    search = TreePlayer(4, None, Limits(endgame=0))
    first = search.think(game, rng)
    assert first.nodes > 1000
    for move in first.variation[:2]:
        game.play(move)
    later = search.think(game, rng)
    assert (later.nodes, later.value, later.variation) == (0, first.value, first.variation[2:])
    # Another game has another tree, even from the same position.
    assert search.think(Game(game.board), rng).nodes > 0


def test_it_looks_deeper_where_there_are_more_simulations() -> None:
    game = played(8, 40, seed=3)
    few, many = (think(game, Limits(simulations=n, endgame=0)) for n in (100, 3_000))
    assert 1 <= few.depth < many.depth == len(many.variation)
    assert few.nodes < many.nodes
    assert -1 < many.value < 1


@pytest.mark.parametrize("name", ["", "mobility"])
def test_nodes_and_time_end_it(name: str) -> None:
    game = played(8, 40, seed=3)
    counted = think(game, Limits(nodes=20_000, endgame=0), name)
    assert 20_000 <= counted.nodes < 21_000
    timed = think(game, Limits(seconds=0.1, endgame=0), name)
    assert 0.05 < timed.seconds < 5
    at_once = think(game, Limits(seconds=1e-6), name)
    assert at_once.move in game.board.legal_moves


def test_a_full_tree_ends_it() -> None:
    report = think(played(8, 40, seed=3), Limits(endgame=0, hash_mib=1))
    assert report.depth > 1


def test_another_thread_ends_it() -> None:
    game = played(8, 40, seed=3)
    player, done = make("mcts:time=600,hash=1024", 8), threading.Event()

    def stop() -> None:
        for _ in count():
            player.stop()
            if done.wait(0.05):
                return

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        assert player.choose(game, np.random.default_rng(0)) in game.board.legal_moves
        found = player.values(game, np.random.default_rng(0))
    finally:
        done.set()
        thread.join()
    assert found
    assert len(found.values) == len(game.board.legal_moves)


@pytest.mark.parametrize("text", ["mcts:simulations=300", "mcts:simulations=300,eval=mobility"])
def test_a_player_says_what_it_expects_and_near_the_end_discs(text: str) -> None:
    player, rng = make(text, 6), np.random.default_rng(0)
    assert isinstance(player, TreePlayer)
    expected = player.values(Game(Board.start(6)), rng)
    assert expected.unit == player.unit
    assert (np.abs(expected.values) <= 1).all()
    late = played(6, 10, seed=1)
    exact = player.values(late, rng)
    assert exact.unit == DISCS
    assert exact.values.max() == Solver(6).value(late.board)


def test_a_proven_move_is_said_to_be_won_or_lost() -> None:
    found = make("mcts:endgame=0", 4).values(Game(Board.start(4)), np.random.default_rng(0))
    assert found
    assert found.values.min() == found.values.max() == -1e9


@pytest.mark.slow
def test_it_beats_a_plain_search() -> None:
    pairing = Pairing("mcts:simulations=1000", "alphabeta:depth=1,eval=positional", 6, repeat=4)
    assert sum(played.points for played in play_games(pairing, range(8))) >= 6
