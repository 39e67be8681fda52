"""A player that cannot go on, in the agent's seat."""

import numpy as np
import pytest

from agent.player_agent import PlayerAgent
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from game import Board, Colour, Game, observation
from game.players.base import Forfeit, Player, UnplayableError
from rlglue.errors import RequestError
from rlglue.glue import Glue
from rlglue.types import Observation


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


class ByMoves(Player):
    """Plays from the standard start alone."""

    def start(self, game: Game) -> None:
        if game.boards[0] != Board.start(game.size):
            raise UnplayableError("it is set up by moves")

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return next(iter(game.board.legal_moves))


def seen(board: Board) -> Observation:
    found = Observation()
    found.intArray = observation.encode(board, Colour.BLACK)
    return found


def test_a_position_that_the_player_cannot_be_shown_is_refused_and_the_next_game_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agent.player_agent.make", lambda text, size: ByMoves())
    agent = PlayerAgent("random", size=4)
    for _ in range(2):
        with pytest.raises(RequestError, match="set up by moves"):
            agent.agent_start(seen(Board.parse("XO" + "-" * 14 + " X")))
        assert agent.agent_start(seen(Board.start(4))).intArray == [next(iter(Board.start(4).legal_moves))]


def test_a_player_for_no_game_of_the_task_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ByMoves, "start", lambda *_: (_ for _ in ()).throw(UnplayableError("no 4x4")))
    monkeypatch.setattr("agent.player_agent.make", lambda text, size: ByMoves())
    with pytest.raises(UnplayableError, match="no 4x4"):
        PlayerAgent("random", size=4).agent_start(seen(Board.start(4)))
