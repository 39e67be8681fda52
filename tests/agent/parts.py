"""A DQN agent, and a small one with its environment in one process, as many tests here need them."""

from pathlib import Path

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.learner import DQNLearner
from othello_lab.agent.dqn.method import DQN
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from rlglue.glue import Glue

DQNAgent = LearningAgent[DQNConfig, DQNLearner]


def dqn_agent(
    options: dict[str, str], seed: int = 0, size: int | None = None, directory: Path | None = None
) -> DQNAgent:
    return LearningAgent(DQN, options, seed, size, directory)


SMALL = {
    "hidden": "16",
    "warm_up": "20",
    "replay": "300",
    "batch": "8",
    "epsilon_steps": "100",
    "frames": "2",
}


def trio(
    seed: int = 1,
    directory: Path | None = None,
    size: int = 4,
    more: dict[str, str] | None = None,
    **options: str,
) -> tuple[Glue, DQNAgent, OthelloEnvironment]:
    agent = dqn_agent({**SMALL, **options, **(more or {})}, seed=seed, directory=directory)
    environment = OthelloEnvironment(EnvironmentConfig(size=size, opponent="random", seed=seed))
    glue = Glue(agent, environment)
    glue.RL_init()
    return glue, agent, environment


def play(glue: Glue, games: int) -> list[str]:
    transcripts = []
    for _ in range(games):
        glue.RL_episode(0)
        transcripts.append(glue.RL_env_message("transcript"))
    return transcripts


def freeze(glue: Glue) -> None:
    for message in ("freeze learning", "freeze exploring"):
        assert glue.RL_agent_message(message).startswith("message understood")


def games_of_policy(path: Path, games: int = 100) -> list[str]:
    """Return games, from episode 5000 on, of a policy as a player in the agent's seat."""
    seat = Glue(
        make_agent(f"trained:{path}"),
        OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=1)),
    )
    seat.RL_init()
    seat.RL_env_message("episode 5000")
    return play(seat, games)
