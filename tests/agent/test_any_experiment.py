import logging
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.make import make_agent
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import Board, Colour, observation
from rlglue.client import connect_experiment, serve_agent, serve_environment
from rlglue.errors import GlueError, RequestError
from rlglue.glue import AgentLike
from rlglue.requests import RemoteGlue
from rlglue.server import Server
from rlglue.types import Action, Observation
from tests.rlglue.parts import Background, standalone

pytestmark = pytest.mark.slow

SIZE = 4
NUMBERS = 4 * SIZE * SIZE
LEARNERS = (
    "dqn,hidden=16,warm_up=20,batch=8,replay=200",
    "td",
    "tabular",
    "ntuple",
    "mcq",
    "alphazero,simulations=2",
    "ppo,horizon=10",
)
PLAYERS = ("greedy", "alphabeta:depth=2")


@contextmanager
def served(agent: AgentLike) -> Iterator[Server]:
    config = EnvironmentConfig(size=SIZE, opponent="random")
    with standalone() as server:
        parts = [
            Background(lambda: serve_agent(agent, *server.address, 5.0)),
            Background(lambda: serve_environment(OthelloEnvironment(config), *server.address, 5.0)),
        ]
        yield server
    for part in parts:
        part.result()


def check_next_experiment(server: Server) -> None:
    """Play a game with legal moves. The call fails if the agent or the environment has left."""

    def play() -> None:
        with connect_experiment(*server.address) as glue:
            glue.RL_init()
            assert glue.RL_episode() == 1
            assert '"illegal": 0' in glue.RL_env_message("stats")
            glue.RL_cleanup()

    Background(play).result()


def seen(ints: object, doubles: object = ()) -> Observation:
    found = Observation()
    found.intArray, found.doubleArray = ints, doubles
    return found


def start() -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return observation.encode(Board.start(SIZE), Colour.BLACK)


def start_with(plane: int, more: object) -> Observation:
    planes = start().reshape(4, -1).copy()
    planes[plane] |= more
    return seen(planes.ravel())


NO_POSITIONS = {
    "0 numbers, expected 64": seen([]),
    "65 numbers": seen([0] * (NUMBERS + 1)),
    "256 numbers": seen([0] * 256),
    "1000000 numbers": seen(np.zeros(10**6, np.int32)),
    "its planes are not": seen([2**31 - 1] + [0] * (NUMBERS - 1)),
    "0 numbers, exp": seen([], [math.nan] * NUMBERS),
    "two discs on one square": start_with(1, start().reshape(4, -1)[0]),
    "where the rules let": start_with(2, 1),
}


@pytest.mark.parametrize("text", [*LEARNERS, *PLAYERS])
def test_an_observation_that_is_no_position_is_told_and_answered_with_nothing(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(make_agent(text, 1, tmp_path)) as server:
        with connect_experiment(*server.address) as glue:
            glue.RL_init()
            for words, wrong in NO_POSITIONS.items():
                caplog.clear()
                assert list(glue.RL_agent_start(wrong).intArray) == []
                assert list(glue.RL_agent_step(0.0, wrong).intArray) == []
                errors = [each.getMessage() for each in caplog.records if each.levelno == logging.ERROR]
                wanted = "is answered with nothing: the environment sent no position of Othello: "
                assert all(wanted in error and words in error and error.isprintable() for error in errors)
                assert len(errors) == 2
            assert len(glue.RL_agent_start(seen(start())).intArray) == 1
            glue.RL_agent_end(1.0)
            assert glue.RL_episode() == 1
        check_next_experiment(server)


@pytest.mark.parametrize("text", LEARNERS)
def test_nothing_is_learned_from_a_reward_that_is_no_number(text: str, tmp_path: Path) -> None:
    agent = make_agent(text, 1, tmp_path)
    with served(agent) as server, connect_experiment(*server.address) as glue:
        glue.RL_init()
        for reward in (math.nan, math.inf, -math.inf, 1e300, -1e30):
            assert len(glue.RL_agent_start(seen(start())).intArray) == 1
            assert list(glue.RL_agent_step(reward, seen(start())).intArray) == []
            glue.RL_agent_end(reward)
        for _ in range(20):
            assert glue.RL_episode() == 1
        assert glue.RL_agent_message("save one").startswith("message understood")
        assert glue.RL_agent_message("load one").startswith("message understood"), (
            "all its numbers are finite"
        )


@pytest.mark.parametrize("text", [*LEARNERS, *PLAYERS])
def test_what_comes_before_agent_init_is_refused(text: str, tmp_path: Path) -> None:
    agent = make_agent(text, 1, tmp_path)
    with pytest.raises(RequestError, match="no agent_init came before it"):
        agent.agent_start(seen(start()))
    with pytest.raises(RequestError, match="no agent_init came before it"):
        agent.agent_step(0.0, seen(start()))


def any_observation(rng: np.random.Generator) -> Observation:
    black, both = (int(bits) for bits in rng.integers(0, 1 << SIZE * SIZE, 2))
    position = observation.encode(Board(SIZE, black & both, both & ~black, Colour.BLACK), Colour.BLACK)
    return [seen(position), seen(start()), seen(rng.integers(-2, 3, NUMBERS)), seen([1], [0.5])][
        int(rng.choice(4, p=(0.6, 0.2, 0.1, 0.1)))
    ]


def ask_anything(glue: RemoteGlue, rng: np.random.Generator) -> None:
    reward = float(rng.choice([0.0, 1.0, -1.0, -0.5, math.nan, math.inf, 1e300]))
    action = Action()
    action.intArray = rng.integers(-3, SIZE * SIZE + 3, int(rng.choice([0, 1, 1, 1, 2])))
    texts = "stats,help,freeze learning,unfreeze learning,save x,load x,start f5"
    messages = ["", "x" * 99, *texts.split(",")]
    requests: list[Callable[[], object]] = [
        lambda: glue.RL_agent_start(any_observation(rng)),
        lambda: glue.RL_agent_step(reward, any_observation(rng)),
        lambda: glue.RL_agent_step(reward, any_observation(rng)),
        lambda: glue.RL_agent_end(reward),
        glue.RL_env_start,
        lambda: glue.RL_env_step(action),
        glue.RL_start,
        glue.RL_step,
        glue.RL_step,
        lambda: glue.RL_episode(int(rng.integers(4))),
        lambda: glue.RL_agent_message(str(rng.choice(messages))),
        lambda: glue.RL_env_message(str(rng.choice(messages))),
        glue.RL_cleanup,
        glue.RL_init,
    ]
    requests[int(rng.integers(len(requests)))]()


@pytest.mark.parametrize("text", [*LEARNERS, *PLAYERS])
def test_requests_in_any_order_end_neither_agent_nor_environment(text: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    with served(make_agent(text, 1, tmp_path)) as server:
        for session in range(12):
            # The server closes an experiment that asks too early, so most experiments begin in order.
            with connect_experiment(*server.address) as glue, suppress(GlueError):
                if session % 4:
                    glue.RL_init()
                    glue.RL_start()
                for _ in range(40):
                    ask_anything(glue, rng)
        check_next_experiment(server)
