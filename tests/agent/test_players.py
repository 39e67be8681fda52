"""Players as agents."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.agent.make import make_agent
from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.agent.task import TaskError
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Board, Colour, Game, observation
from othello_lab.game.observation import follow
from othello_lab.game.players import RegistryError, make
from rlglue.glue import Glue
from rlglue.types import Observation


def seen_by(game: Game, colour: Colour) -> NDArray[Any]:
    return observation.encode(game.board, colour)


@pytest.mark.parametrize("colour", list(Colour))
@pytest.mark.parametrize("size", [4, 8])
def test_the_game_behind_the_observations_is_found(colour: Colour, size: int) -> None:
    """Passes of either side included, a followed game has the colours, boards and moves of the real one."""
    rng, player = np.random.default_rng(2), make("random", size)
    for _ in range(30):
        real, followed = Game(Board.start(size)), None
        while not real.board.is_over:
            move = -1 if real.board.must_pass else player.choose(real, rng)
            if real.board.turn is colour:
                followed = follow(followed, seen_by(real, colour))
                assert followed.board == real.board
                assert followed.moves == real.moves
                followed.play(move)
            real.play(move)


@pytest.mark.parametrize("size", [4, 8])
def test_a_game_against_itself_is_followed(size: int) -> None:
    rng, player = np.random.default_rng(2), make("random", size)
    for _ in range(10):
        real, followed = Game(Board.start(size)), None
        while not real.board.is_over:
            followed = follow(followed, seen_by(real, real.board.turn))
            assert followed.boards == real.boards
            move = -1 if real.board.must_pass else player.choose(real, rng)
            followed.play(move)
            real.play(move)


def test_a_game_from_a_strange_position_is_followed_from_there() -> None:
    real = Game.from_transcript("d3c3c4")
    followed = follow(None, seen_by(Game(real.board), Colour.WHITE))
    assert (followed.board.own, followed.board.opponent) == (real.board.own, real.board.opponent)


@pytest.mark.parametrize("numbers", [[1] * 64, [0] * 63])
def test_an_observation_that_is_no_position_is_told_in_a_line(numbers: list[int]) -> None:
    agent, seen = PlayerAgent("random", size=4), Observation()
    seen.intArray = numbers
    with pytest.raises(TaskError, match="the environment sent no position of Othello: "):
        agent.agent_start(seen)


def test_a_player_agent_plays_as_its_player_does() -> None:
    environment = OthelloEnvironment(EnvironmentConfig(opponent="greedy", seed=4))
    glue = Glue(PlayerAgent("corner-greedy", seed=4), environment)
    glue.RL_init()
    returns = []
    for _ in range(40):
        glue.RL_episode(0)
        returns.append(glue.RL_return())
    assert np.mean(np.array(returns) > 0) > 0.5
    assert json.loads(glue.RL_env_message("stats"))["illegal_total"] == 0
    assert glue.RL_agent_message("freeze exploring").startswith("message understood")


def test_a_players_random_state_is_saved_and_taken_up(tmp_path: Path) -> None:
    def games(agent: PlayerAgent, count: int) -> list[str]:
        environment = OthelloEnvironment(EnvironmentConfig(size=4))
        glue = Glue(agent, environment)
        glue.RL_init()
        return [(glue.RL_episode(0), glue.RL_env_message("transcript"))[1] for _ in range(count)]

    agent, other = (PlayerAgent("random", seed=seed, directory=tmp_path) for seed in (1, 2))
    games(agent, 3)
    assert agent.agent_message("save here").startswith("message understood, saved")
    wanted = games(agent, 5)
    assert other.agent_message("load here").startswith("message understood")
    assert games(other, 5) == wanted
    greedy = PlayerAgent("greedy", directory=tmp_path)
    assert "another agent" in greedy.agent_message("load here")
    with pytest.raises(RegistryError, match="is not of a dqn agent"):
        make(f"dqn:{tmp_path / 'here.safetensors'}", 4)


def test_a_player_for_another_size_is_refused() -> None:
    spec = OthelloEnvironment(EnvironmentConfig(size=8)).env_init()
    with pytest.raises(TaskError, match=r"6x6.*8x8"):
        make_agent("greedy", size=6).agent_init(spec)


def test_unknown_agents_are_refused_with_what_there_is() -> None:
    with pytest.raises(RegistryError, match="random, greedy, corner-greedy"):
        make_agent("nobody")
    with pytest.raises(ValueError, match="no option 'depth'"):
        make_agent("dqn,depth=3")


def test_dqn_without_a_path_is_no_player() -> None:
    with pytest.raises(RegistryError, match="dqn:PATH"):
        make("dqn", 8)
    with pytest.raises(RegistryError, match="there is no checkpoint"):
        make("dqn:nowhere", 8)
