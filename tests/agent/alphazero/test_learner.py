"""AlphaZero as a learner: what it learns from single games and remembers, and how it explores."""

import json
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.alphazero.learner import AlphaZeroLearner
from othello_lab.agent.alphazero.method import configure
from othello_lab.agent.learner import Seeds
from othello_lab.game import PASS, Board
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.play.loop import Turn
from othello_lab.game.play.luck import seat_words
from othello_lab.game.registry import parse
from tests.agent.learners import ALPHAZERO
from tests.agent.parts import play, trio


def test_it_learns_from_single_games() -> None:
    glue, _ = trio(ALPHAZERO, learning_rate="0.003", epochs="4")
    play(glue, 200)
    stats = json.loads(glue.RL_agent_message("stats"))
    assert stats["updates"] > 100
    assert stats["policy_loss"] < 1.2


def test_a_game_that_was_cut_off_is_not_learned_from() -> None:
    glue, agent = trio(ALPHAZERO, opponent="self")
    glue.RL_episode(3)
    play(glue, 1)
    assert 4 < agent.learner.numbers["remembered"] <= 12, "the decisions of one game"


def test_only_the_last_decisions_are_remembered() -> None:
    glue, agent = trio(ALPHAZERO, opponent="self", memory="40")
    play(glue, 6)
    assert agent.learner.numbers["remembered"] == 40


def test_it_explores_by_the_noise_of_its_search_alone() -> None:
    positions, words = repeated(Board.start(4), 50), seat_words(1, np.arange(50), 1)
    config = configure(parse(ALPHAZERO).options | {"considered": "2"}, 4)
    made = AlphaZeroLearner(config, 4, Seeds(np.random.SeedSequence(1), np.random.SeedSequence(2)))
    turn = Turn(np.arange(50), positions, np.ones(50, np.bool_))
    decide = made.decide
    chosen = decide(turn, words)
    assert len(set(chosen.moves.tolist())) > 1
    assert np.array_equal(decide(turn, words).moves, chosen.moves)
    _, agent = trio(ALPHAZERO)
    assert agent.epsilon == 0


def test_a_position_before_a_pass_is_worth_minus_what_it_is_to_the_other_side(tmp_path: Path) -> None:
    glue, agent = trio(ALPHAZERO, tmp_path, opponent="self")
    play(glue, 20)
    evaluator = make_evaluator(f"trained:{agent.save_policy('net')}", 4)
    board = Board.parse("XXX-XOOOXXO-XXX- O")
    values = evaluator.values(Positions.of([board, board.play(PASS)]))
    assert values[0] == pytest.approx(-values[1])
    assert 0 < abs(values[0]) < 1
