"""What messages change between episodes."""

import pytest

from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from environment.settings import Settings
from game import Board, Game
from game.players.simple import RandomPlayer
from rlglue.types import Action


class Listener(RandomPlayer):
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def start(self, game: Game) -> None:
        self.heard.append("start")

    def observe(self, move: int) -> None:
        self.heard.append("move")

    def close(self) -> None:
        self.heard.append("close")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (str(Board.start(6)), "the position is 6x6, but this environment plays 4x4"),
        ("XXXXXXXX-------- O", "already over"),
        ("d9", "d9"),
    ],
)
def test_a_start_that_no_episode_can_go_on_with_is_refused(text: str, why: str) -> None:
    settings = Settings(EnvironmentConfig(size=4))
    with pytest.raises(ValueError, match=why):
        settings.set_start(text)
    assert settings.start_text == "standard"


def test_an_opponent_that_was_replaced_hears_no_more_of_the_game() -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent="random"))
    listener = Listener()
    environment.settings.opponent = listener
    environment.env_start()
    step(environment)
    assert listener.heard[:2] == ["start", "move"]
    environment.env_message("opponent greedy")
    before = list(listener.heard)
    assert before[-1] == "close"
    step(environment)
    assert listener.heard == before


def step(environment: OthelloEnvironment) -> None:
    action = Action()
    action.intArray = [min(environment.game.board.legal_moves)]
    environment.env_step(action)
