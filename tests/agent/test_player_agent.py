import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.make import make_agent
from othello_lab.agent.player_agent import PlayerAgent, follow
from othello_lab.agent.task import TaskError
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Board, Colour, Game, observation
from othello_lab.game.catalogue import make
from othello_lab.game.errors import UnplayableError
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.registry import RegistryError
from rlglue.errors import RequestError
from rlglue.glue import Glue
from rlglue.types import Observation
from tests.agent.parts import AGAINST_RANDOM, play, seated, won


@pytest.mark.parametrize("colour", [*Colour, None])
@pytest.mark.parametrize("size", [4, 8])
def test_the_game_behind_the_observations_is_found(colour: Colour | None, size: int) -> None:
    """The colour None means a game in which the agent plays both sides."""
    rng, player = np.random.default_rng(2), make("random", size)
    for _ in range(20):
        real, followed = Game(Board.start(size)), None
        while not real.board.is_over:
            move = -1 if real.board.must_pass else player.choose(real, rng)
            if colour in (real.board.turn, None):
                followed = follow(followed, observation.encode(real.board, real.board.turn))
                assert (followed.boards, followed.moves) == (real.boards, real.moves)
                followed.play(move)
            real.play(move)


def test_a_game_from_a_strange_position_is_followed_from_there() -> None:
    real = Game.from_transcript("d3c3c4")
    followed = follow(None, observation.encode(real.board, Colour.WHITE))
    assert (followed.board.own, followed.board.opponent) == (real.board.own, real.board.opponent)


def test_a_player_agent_plays_as_its_player_does() -> None:
    config = EnvironmentConfig(size=6, opponent="greedy", seed=4)
    glue = seated(PlayerAgent("corner-greedy", seed=4), OthelloEnvironment(config))
    assert won(glue, 40) > 0.5
    assert json.loads(glue.RL_env_message("stats"))["illegal_total"] == 0


def test_a_players_random_state_is_saved_and_taken_up(tmp_path: Path) -> None:
    agent, other = (PlayerAgent("random", seed=seed, directory=tmp_path) for seed in (1, 2))
    play(seated(agent, OthelloEnvironment(AGAINST_RANDOM)), 3)
    assert agent.agent_message("save here").startswith("message understood, saved")
    wanted = play(seated(agent, OthelloEnvironment(AGAINST_RANDOM)), 5)
    assert other.agent_message("load here").startswith("message understood")
    assert play(seated(other, OthelloEnvironment(AGAINST_RANDOM)), 5) == wanted
    with pytest.raises(RegistryError, match="is not of a dqn agent"):
        make(f"dqn:{tmp_path / 'here.safetensors'}", 4)


def test_a_player_for_another_size_is_refused() -> None:
    spec = OthelloEnvironment(EnvironmentConfig(size=8)).env_init()
    with pytest.raises(TaskError, match=r"6x6.*8x8"):
        make_agent("greedy", size=6).agent_init(spec)


def test_unknown_agents_are_refused_with_what_there_is() -> None:
    with pytest.raises(RegistryError, match="random, greedy, corner-greedy"):
        make_agent("nobody")


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
def test_a_player_refuses_checkpoints(tmp_path: Path, values: dict[str, Any], complaint: str) -> None:
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
    def start(self, game: Game) -> None:
        if game.boards[0] != Board.start(game.size):
            raise UnplayableError("it is set up by moves")

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return next(iter(game.board.legal_moves))


def seen(board: Board) -> Observation:
    found = Observation()
    found.intArray = observation.encode(board, Colour.BLACK)
    return found


def test_a_position_that_a_player_cannot_know_is_refused_and_the_next_is_played(
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


@pytest.mark.parametrize("text", ["random", "minimax:depth=1"])
def test_a_wrong_observation_within_an_episode_brings_no_illegal_move(text: str) -> None:
    agent = PlayerAgent(text, size=4)
    agent.agent_start(seen(Board.start(4)))
    with pytest.raises(RequestError, match="0 numbers, expected 64"):
        agent.agent_step(0.0, Observation())
    overlapping = seen(Board.start(4))
    overlapping.intArray[16:32] |= overlapping.intArray[:16]
    try:
        (move,) = agent.agent_step(0.0, overlapping).intArray
    except RequestError as error:
        assert "two discs on one square" in str(error)  # noqa: PT017  a player that follows the game sees it
    else:
        assert move == -1 or overlapping.intArray[32 + move]


def test_the_planes_are_compared_with_the_rules_at_the_first_observation_alone() -> None:
    agent, wrong = PlayerAgent("random", size=4), seen(Board.start(4))
    wrong.intArray[48:] = 0
    with pytest.raises(RequestError, match="where the rules let them move"):
        agent.agent_start(wrong)
    with pytest.raises(RequestError, match="where the rules let them move"):
        agent.agent_step(0.0, wrong)
    agent.agent_start(seen(Board.start(4)))
    assert len(agent.agent_step(0.0, wrong).intArray) == 1
