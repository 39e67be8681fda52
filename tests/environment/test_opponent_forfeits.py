"""What becomes of a game whose opponent cannot go on."""

import json
import logging

import numpy as np
import pytest

from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from game import Game
from game.players.base import Forfeit, Player
from rlglue.types import Action


class Quitter(Player):
    """Plays the first legal move so many times, then forfeits."""

    def __init__(self, moves: int) -> None:
        self.left = moves

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        if not self.left:
            raise Forfeit("engine died")
        self.left -= 1
        return next(iter(game.board.legal_moves))


def act(square: int) -> Action:
    action = Action()
    action.intArray = [square]
    return action


def environment_with(moves: int, first: str = "agent") -> OthelloEnvironment:
    environment = OthelloEnvironment(EnvironmentConfig(size=8, first=first, reward_win=3.0))
    environment.settings.opponent = Quitter(moves)
    environment.env_init()
    return environment


def test_the_agent_wins_by_forfeit(caplog: pytest.LogCaptureFixture) -> None:
    environment = environment_with(moves=0)
    environment.env_start()
    with caplog.at_level(logging.WARNING):
        step = environment.env_step(act(19))
    assert (step.r, bool(step.terminal)) == (3.0, True)
    assert "the agent wins episode 0 by forfeit: engine died" in caplog.text
    assert json.loads(environment.env_message("stats"))["opponent_forfeits"] == 1
    environment.settings.opponent = Quitter(99)
    environment.env_start()
    step = environment.env_step(act(19))
    assert (step.r, bool(step.terminal)) == (0.0, False)


def test_an_opponent_that_cannot_open_loses_at_the_first_step() -> None:
    environment = environment_with(moves=0, first="opponent")
    before = environment.env_start()
    step = environment.env_step(act(0))
    assert (step.r, bool(step.terminal)) == (3.0, True)
    assert list(step.o.intArray) == list(before.intArray)
    assert json.loads(environment.env_message("stats"))["illegal_total"] == 0
