"""The player `mcts` with a guided search: any evaluator can guide it, near the end it makes no mistake."""

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Colour
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.evaluators.evaluator import EXPECTED_RESULT, WON
from othello_lab.game.play.luck import seat_words
from othello_lab.game.players import RegistryError, make
from othello_lab.game.players.mcts import GuidedPolicy
from othello_lab.game.search.guided import GuidedLimits, ValueGuide, guide_of
from tests.game.endings import near_the_end


def guided(text: str, simulations: int) -> GuidedPolicy:
    return GuidedPolicy(guide_of(make_evaluator(text, 6), 6), GuidedLimits(simulations))


def test_a_guide_made_of_an_evaluator_prefers_the_moves_that_it_values() -> None:
    board = Board.start(6)
    evaluator = make_evaluator("positional", 6)
    logits, values = guide_of(evaluator, 6).judge(Positions.of([board, board]))
    behind = [-evaluator.values(Positions.of([board.play(move)]))[0] for move in board.legal_moves]
    assert np.argsort(logits[0, list(board.legal_moves)]).tolist() == np.argsort(behind).tolist()
    assert -1.0 < values[0] < 1.0
    assert values[0] == values[1]


def test_such_a_guide_knows_a_game_that_ends_with_the_move() -> None:
    board = Board(6, 0b0001, 0b0110, Colour.BLACK)  # the move to d1 takes the last discs of the other side
    logits, values = ValueGuide(make_evaluator("mobility", 6), 6).judge(Positions.of([board]))
    assert values[0] == pytest.approx(1.0)
    assert logits[0].argmax() == 3


@pytest.mark.parametrize("text", ["positional", "ntuple:pretrained"])
def test_it_plays_near_the_end_without_a_mistake(text: str) -> None:
    player = guided(text, 4)
    for seed in range(5):
        game = Game(near_the_end(6, 6, seed))
        move = player.choose(game, np.random.default_rng(0))
        values = player.values(game, np.random.default_rng(0))
        assert values is not None
        assert values.unit == EXPECTED_RESULT
        best = values.by_square(game.board.legal_moves)
        assert best[move] == max(best.values())
        assert best[move] in (WON, 0.0, -WON)


def test_it_chooses_the_same_in_many_games_as_in_one() -> None:
    player = guided("positional", 8)
    boards = [near_the_end(6, left, 3) for left in range(4, 20)]
    together = player.choose_many(Positions.of(boards), seat_words(0, np.arange(len(boards)), 1))
    assert [player.decide(Game(board), 7) for board in boards] == together.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mcts:eval=alphazero:pretrained,time=1", "time= is not for this search"),
        ("mcts:eval=alphazero:pretrained,endgame=20", "endgame"),
    ],
)
def test_options_that_do_not_go_together_are_told(text: str, message: str) -> None:
    with pytest.raises(RegistryError, match=message):
        make(text, 6)
