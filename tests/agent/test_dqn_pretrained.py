"""The deep networks that ship."""

import numpy as np
import pytest

from agent import checkpoint
from agent.trained import pretrained
from game import Board, Colour, Game
from game.evaluators import make_evaluator
from game.players import RegistryError, make
from game.review import every_game


@pytest.mark.parametrize("size", [4, 6, 8])
def test_it_plays_and_values_and_says_how_it_was_made(size: int) -> None:
    path = pretrained("dqn", size)
    assert path.stat().st_size < 5e6
    stored = checkpoint.load(path, "dqn")
    assert "othello selfplay --learner dqn" in stored.values["recipe"]
    player, rng, game = make("dqn:pretrained", size), np.random.default_rng(1), Game(Board.start(size))
    while not game.board.is_over:
        if not game.pass_if_forced():
            game.play(player.choose(game, rng))  # which refuses an illegal move
    assert make_evaluator("dqn:pretrained", size)


def test_for_other_boards_it_says_which_there_are() -> None:
    with pytest.raises(
        RegistryError, match="no dqn:pretrained for 10x10 boards; it ships for 4x4 and 6x6 and 8x8"
    ):
        make("dqn:pretrained", 10)


def test_on_4x4_it_wins_as_white_whatever_black_plays() -> None:
    player = make("dqn:pretrained", 4)
    games = every_game(player, Colour.WHITE, np.random.default_rng(0))
    outcomes = [game.board.outcome() for game in games]
    assert len(outcomes) > 10
    assert all(outcome and outcome.winner is Colour.WHITE for outcome in outcomes)
