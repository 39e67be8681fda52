"""A trained player asked about many positions at once chooses as it does one by one."""

from pathlib import Path

import numpy as np
import pytest

from agent.learning_agent import LearningAgent
from agent.make import make_agent
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from game import Game
from game.batch.positions import Positions
from game.players import Player, make
from game.players.base import Policy
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


@pytest.mark.parametrize("text", ["td,hidden=8", "mcq", "tabular", "dqn,hidden=8"])
def test_a_trained_player_chooses_as_it_does_one_by_one(text: str, tmp_path: Path) -> None:
    player, rng = trained(text, tmp_path), np.random.default_rng(1)
    boards = [board for game in random_games(4, 8) for board in game.boards if board.legal_moves]
    assert isinstance(player, Policy)
    many = player.choose_many(Positions.of(boards), np.zeros(len(boards), np.uint64))
    assert many.tolist() == [player.choose(Game(board), rng) for board in boards]


def test_a_network_that_looks_back_thinks_of_one_game(tmp_path: Path) -> None:
    assert not isinstance(trained("dqn,hidden=8,frames=2", tmp_path), Policy)
