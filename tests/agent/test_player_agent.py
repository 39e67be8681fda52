"""A player as an agent: what it saves and how it goes on, and a player that cannot go on."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Board, Colour, Game, observation
from othello_lab.game.players.base import Forfeit, Player, UnplayableError
from rlglue.errors import RequestError
from rlglue.glue import Glue
from rlglue.types import Observation


def player(directory: Path, text: str = "random") -> PlayerAgent:
    agent = PlayerAgent(text, seed=1, directory=directory)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    return agent


def test_a_player_goes_on_from_its_checkpoint_and_removes_it(tmp_path: Path) -> None:
    agent = player(tmp_path)
    assert agent.agent_message("save one").startswith("message understood")
    path = tmp_path / "one.safetensors"
    assert agent.agent_message("load one").startswith("message understood")
    assert agent.agent_message("remove one") == f"message understood, removed {path}"
    assert not path.exists()
    assert agent.agent_message("remove one").startswith("message understood"), "it is gone, as wanted"
    assert agent.agent_message("remove ../one").startswith("error: '../one' is no checkpoint name")
    assert agent.agent_message("load one") == f"error: there is no checkpoint {path}"


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, "missing required field `player`"),
        ({"player": 3}, "Expected `str`, got `int`"),
        ({"player": "greedy", "random": {}}, "is of another agent"),
        ({"player": "random"}, "missing required field `random`"),
        ({"player": "random", "random": {"bit_generator": "MT19937"}}, "holds no valid random state"),
    ],
)
def test_a_player_refuses_a_checkpoint_and_stays_as_it_was(
    tmp_path: Path, values: dict[str, Any], complaint: str
) -> None:
    agent = player(tmp_path)
    agent.agent_message("save before")
    checkpoint.save(tmp_path / "odd.safetensors", "player", {}, values)
    answer = agent.agent_message("load odd")
    assert answer.startswith("error: ")
    assert complaint in answer
    agent.agent_message("save after")
    assert (tmp_path / "after.safetensors").read_bytes() == (tmp_path / "before.safetensors").read_bytes()


@pytest.mark.parametrize("initialised", [False, True])
def test_games_of_an_evaluation_leave_a_player_as_it_was(tmp_path: Path, initialised: bool) -> None:
    def saved(name: str) -> bytes:
        assert agent.agent_message(f"save {name}").startswith("message understood")
        return (tmp_path / f"{name}.safetensors").read_bytes()

    agent = player(tmp_path)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=4)))
    glue.RL_init()
    before = saved("before")
    assert agent.agent_message("freeze exploring").startswith("message understood")
    glue.RL_episode()
    assert '"exploring": false' in agent.agent_message("stats")
    assert saved("frozen") == before
    if initialised:  # by the experiment that follows one that was killed
        glue.RL_init()
    else:
        assert agent.agent_message("unfreeze exploring").startswith("message understood")
    assert '"exploring": true' in agent.agent_message("stats")
    assert saved("after") == before
    glue.RL_episode()
    assert saved("later") != before


class Dead(Player):
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        raise Forfeit("engine died")


def test_the_agent_gives_the_game_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello_lab.agent.player_agent.make", lambda text, size: Dead())
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
    monkeypatch.setattr("othello_lab.agent.player_agent.make", lambda text, size: ByMoves())
    agent = PlayerAgent("random", size=4)
    for _ in range(2):
        with pytest.raises(RequestError, match="set up by moves"):
            agent.agent_start(seen(Board.parse("XO" + "-" * 14 + " X")))
        assert agent.agent_start(seen(Board.start(4))).intArray == [next(iter(Board.start(4).legal_moves))]


def test_a_player_for_no_game_of_the_task_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ByMoves, "start", lambda *_: (_ for _ in ()).throw(UnplayableError("no 4x4")))
    monkeypatch.setattr("othello_lab.agent.player_agent.make", lambda text, size: ByMoves())
    with pytest.raises(UnplayableError, match="no 4x4"):
        PlayerAgent("random", size=4).agent_start(seen(Board.start(4)))
