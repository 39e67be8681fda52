"""A player that cannot go on, in the agent's seat."""

import numpy as np
import pytest

from agent.player_agent import PlayerAgent
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from game import Game
from game.players.base import Forfeit, Player
from rlglue.glue import Glue


class Dead(Player):
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        raise Forfeit("engine died")


def test_the_agent_gives_the_game_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent.player_agent.make", lambda text, size: Dead())
    glue = Glue(PlayerAgent("random"), OthelloEnvironment(EnvironmentConfig(size=4)))
    glue.RL_init()
    for _ in range(2):
        glue.RL_start()
        step = glue.RL_step()
        assert (step.r, bool(step.terminal)) == (-1.0, True)
