"""A trained player: in many positions it chooses as one by one, by what it says moves are worth."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent
from othello_lab.agent.ppo.learner import PROBABILITY
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.evaluators.evaluator import EXPECTED_RESULT, EXPECTED_RETURN
from othello_lab.game.players import Player, make
from othello_lab.game.players.base import Policy
from rlglue.glue import Glue
from tests.agent.parts import play
from tests.game.sampling import random_games


def trained(text: str, directory: Path) -> Player:
    agent = make_agent(text, checkpoint_dir=directory)
    assert isinstance(agent, LearningAgent)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=4)))
    glue.RL_init()
    play(glue, 5)
    return make(f"trained:{agent.save_policy('net')}", 4)


ALPHAZERO = "alphazero,width=16,simulations=8,solve=4"


@pytest.mark.parametrize("text", ["td,hidden=8", "mcq", "tabular", "dqn,hidden=8", "ppo", ALPHAZERO])
def test_a_trained_player_chooses_as_it_does_one_by_one(text: str, tmp_path: Path) -> None:
    player, rng = trained(text, tmp_path), np.random.default_rng(1)
    boards = [board for game in random_games(4, 8) for board in game.boards if board.legal_moves]
    assert isinstance(player, Policy)
    many = player.choose_many(Positions.of(boards), np.zeros(len(boards), np.uint64))
    assert many.tolist() == [player.choose(Game(board), rng) for board in boards]


def test_a_network_that_looks_back_thinks_of_one_game(tmp_path: Path) -> None:
    assert not isinstance(trained("dqn,hidden=8,frames=2", tmp_path), Policy)


def test_the_values_of_an_ntuple_network_are_expected_results(tmp_path: Path) -> None:
    trained("ntuple", tmp_path)
    assert make_evaluator(f"trained:{tmp_path / 'net.safetensors'}", 4).unit == EXPECTED_RESULT


UNITS = {
    "td": EXPECTED_RESULT,
    "ppo": PROBABILITY,
}
MOVES = ("dqn,hidden=16,frames=2", "dqn,hidden=16,symmetric_play=1", "mcq,network=simple", "tabular")
LEARNERS = (*MOVES, *UNITS)


@pytest.mark.parametrize("text", LEARNERS)
def test_a_policy_plays_the_move_that_it_values_most(text: str, tmp_path: Path) -> None:
    agent = make_agent(text, checkpoint_dir=tmp_path, size=4)
    assert isinstance(agent, LearningAgent)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=4, opponent="random")))
    glue.RL_init()
    for _ in range(5):
        glue.RL_episode(0)
    player = make(f"trained:{agent.save_policy('net')}", 4)
    rng = np.random.default_rng(1)
    for plies in range(2, 20, 2):
        game = Game.from_transcript("d3d4c4d2c1b4a4a3a2d1a1b1"[:plies], 4)
        if len(game.board.legal_moves) > 1:
            found = player.values(game, rng)
            assert found is not None
            assert found.unit == UNITS.get(text, EXPECTED_RETURN)
            best = [*game.board.legal_moves][int(found.values.argmax())]
            assert player.choose(game, rng) == best
