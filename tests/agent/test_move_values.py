"""What trained players say moves are worth: it is what they choose by."""

from pathlib import Path

import numpy as np
import pytest

from agent.learning_agent import LearningAgent
from agent.make import make_agent
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from game import Game
from game.evaluators.evaluator import EXPECTED_RESULT, EXPECTED_RETURN
from game.players import make
from rlglue.glue import Glue

LEARNERS = ("dqn,hidden=16,frames=2", "dqn,hidden=16,symmetric_play=1", "mcq,network=simple", "td", "tabular")


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
            assert found.unit == (EXPECTED_RESULT if text == "td" else EXPECTED_RETURN)
            best = [*game.board.legal_moves][int(found.values.argmax())]
            assert player.choose(game, rng) == best
