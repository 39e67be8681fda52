"""What was lost in a game, beside an independent minimax and the file of exact endgames."""

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Game
from othello_lab.game.evaluators.evaluator import POINTS
from othello_lab.game.players.base import ESTIMATE
from othello_lab.game.review import Effort, Reviewed, Reviewer, default_exact
from othello_lab.game.solver.solver import Convention, empties
from tests.game.endings import endgames, exact_scores

# 4x4; white has to pass after a3, black after d2.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"
# 4x4; perfect play on both sides.
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"
# 8x8; black's h2, move 33, leaves a game that was about even nearly lost.
BLUNDER = "e6f4e3d6c5d3f5g6f3f6c4b4c3c6e7d7g4h3h5g3d8g5b3c8b8c7a5f8b5e2b6d2h2h1"


def at_random(size: int, seed: int) -> Game:
    """A whole game of random moves."""
    rng, game = np.random.default_rng(seed), Game(Board.start(size))
    while not game.board.is_over:
        game.play(int(rng.choice([*game.board.legal_moves] or [PASS])))
    return game


def review(game: Game, effort: Effort | None = None) -> list[Reviewed]:
    """The decisions in the order of the game."""
    return list(Reviewer(game.size, effort).review(game))[::-1]


@pytest.mark.parametrize("size", [4, 6, 8, 10, 12, 14, 16])
@pytest.mark.parametrize("seed", range(3))
def test_the_last_squares_are_what_trying_everything_finds(size: int, seed: int) -> None:
    game = at_random(size, seed)
    late = game.until()
    late.boards = [board for board in game.boards if empties(board) <= 6]
    late.moves = game.moves[len(game.moves) + 1 - len(late.boards) :]
    found = review(late)
    assert found
    for each in found:
        assert each.exact
        assert each.decision.values == exact_scores(each.decision.board)
        scores = each.decision.values
        assert each.lost == max(scores.values()) - scores[each.decision.move]


@pytest.mark.parametrize("convention", Convention)
def test_reference_endgames_in_both_conventions(convention: Convention) -> None:
    reviewers = {size: Reviewer(size, Effort(18, convention=convention)) for size in (6, 8)}
    for board, scores in endgames(convention):
        game = Game(board)
        game.pass_if_forced()
        if not game.moves:
            game.play(min(scores, key=scores.__getitem__))
            (found,) = reviewers[board.size].review(game)
            assert found.decision.values == scores
            assert found.lost == max(scores.values()) - min(scores.values())


def test_perfect_play_loses_nothing_and_the_line_is_as_good_as_the_game() -> None:
    game = Game.from_transcript(OPTIMAL, 4)
    found = review(game)
    assert len(found) == 10
    assert not any(each.lost or each.is_mistake or each.turned for each in found)
    for each in found:
        rest = Game(each.decision.board)
        for move in each.line:
            rest.play(move)
        outcome = rest.board.outcome()
        assert outcome
        assert outcome.disc_diff == -8


def test_a_forced_pass_is_no_decision_but_counts_as_a_ply() -> None:
    game = Game.from_transcript(FORCED, 4)
    found = review(game)
    assert [each.ply for each in found] == [ply for ply, move in enumerate(game.moves) if move != PASS]
    assert all(each.side is each.decision.board.turn for each in found)


def test_a_move_that_changes_the_winner_is_told() -> None:
    board = Board.parse("-OOOXXXXXOOOXXX- X")
    scores = exact_scores(board)
    game = Game(board)
    game.play(min(scores, key=scores.__getitem__))
    (found,) = review(game)
    assert found.turned == (np.sign(max(scores.values())) - np.sign(min(scores.values())))
    assert found.is_mistake == (found.lost > 0)


def test_before_the_end_a_search_estimates_and_repeats() -> None:
    game = Game.from_transcript(BLUNDER)
    effort = Effort(0, 20_000)
    found = review(game, effort)
    assert {each.unit for each in found} == {ESTIMATE}
    assert not any(each.exact or each.turned for each in found)
    assert all(-64 <= value <= 64 for each in found for value in each.decision.values.values())
    assert max(found, key=lambda each: each.weight).ply == 32
    assert found == review(game, effort)


def test_boards_without_a_trained_evaluation_have_points() -> None:
    (found,) = review(at_random(10, 0).until(1), Effort(0, 100))
    assert found.unit == POINTS


def test_a_wipe_out_in_sight_is_worth_the_discs_at_its_end() -> None:
    game = Game(Board.parse("-XO" + "-" * 61 + " O"))
    game.play(0)
    (found,) = review(game, Effort(0, 1000))
    assert found.decision.values == {0: 3}


def test_a_review_that_is_stopped_ends() -> None:
    game = Game.from_transcript(BLUNDER)
    reviewer = Reviewer(8, Effort(0, 100))
    going = reviewer.review(game)
    next(going)
    reviewer.stop()
    assert list(going) == []
    assert list(Reviewer(8).review(Game(Board.start(8)))) == []


def test_the_defaults_solve_what_takes_a_second() -> None:
    assert [default_exact(size) for size in (4, 8, 10, 16)] == [18, 18, 14, 14]
    assert Reviewer(4).effort.exact == 18
