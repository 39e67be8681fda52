"""What becomes of a game whose opponent cannot go on."""

import json
import logging

import numpy as np
import pytest

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Board, Game
from othello_lab.game.players.base import Forfeit, Player, UnplayableError
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


class Particular(Quitter):
    """Cannot play from one position, or from any other than the standard start."""

    def __init__(self, refused: Board | None = None) -> None:
        super().__init__(99)
        self.refused = refused

    def start(self, game: Game) -> None:
        standard = Board.start(game.size)
        if game.boards[0] == self.refused or (self.refused is None and game.boards[0] != standard):
            raise UnplayableError("it is set up by moves")


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


def test_a_start_that_an_experiment_names_ends_no_environment(caplog: pytest.LogCaptureFixture) -> None:
    environment = environment_with(moves=0)
    environment.settings.opponent = Particular()
    position = "-" * 27 + "XO------OX" + "-" * 27 + " X"
    assert environment.env_message(f"start {position}").startswith("message understood")
    environment.env_start()
    step = environment.env_step(act(next(iter(environment.game.board.legal_moves))))
    assert (step.r, bool(step.terminal)) == (3.0, True)
    assert "by forfeit: it is set up by moves" in caplog.text
    environment.env_message("start standard")
    environment.env_start()
    assert not environment.env_step(act(19)).terminal


def test_an_opponent_for_no_game_of_this_environment_is_told() -> None:
    environment = environment_with(moves=0)
    environment.settings.opponent = Particular(refused=Board.start(8))
    environment.env_start()
    with pytest.raises(UnplayableError, match="set up by moves"):
        environment.env_step(act(19))
