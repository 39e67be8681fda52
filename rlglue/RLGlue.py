"""The RL_* calls as functions, as experiments written for rlglue-py3 use them.

The first call connects, to RLGLUE_HOST and RLGLUE_PORT; the end of the process ends the experiment.
"""

from functools import cache

from rlglue.client import RemoteGlue, connect_experiment
from rlglue.logs import configure_logging
from rlglue.types import (
    Action,
    Observation,
    Observation_action,
    Reward_observation_action_terminal,
    Reward_observation_terminal,
)


@cache
def _glue() -> RemoteGlue:
    configure_logging()
    return connect_experiment()


def RL_init() -> str:
    """See Glue."""
    return _glue().RL_init()


def RL_start() -> Observation_action:
    """See Glue."""
    return _glue().RL_start()


def RL_step() -> Reward_observation_action_terminal:
    """See Glue."""
    return _glue().RL_step()


def RL_episode(num_steps: int = 0) -> int:
    """See Glue."""
    return _glue().RL_episode(num_steps)


def RL_return() -> float:
    """See Glue."""
    return _glue().RL_return()


def RL_num_steps() -> int:
    """See Glue."""
    return _glue().RL_num_steps()


def RL_num_episodes() -> int:
    """See Glue."""
    return _glue().RL_num_episodes()


def RL_agent_message(message: str) -> str:
    """See Glue."""
    return _glue().RL_agent_message(message)


def RL_env_message(message: str) -> str:
    """See Glue."""
    return _glue().RL_env_message(message)


def RL_cleanup() -> None:
    """See Glue."""
    _glue().RL_cleanup()


def RL_env_start() -> Observation:
    """See Glue."""
    return _glue().RL_env_start()


def RL_env_step(action: Action) -> Reward_observation_terminal:
    """See Glue."""
    return _glue().RL_env_step(action)


def RL_agent_start(observation: Observation) -> Action:
    """See Glue."""
    return _glue().RL_agent_start(observation)


def RL_agent_step(reward: float, observation: Observation) -> Action:
    """See Glue."""
    return _glue().RL_agent_step(reward, observation)


def RL_agent_end(reward: float) -> None:
    """See Glue."""
    _glue().RL_agent_end(reward)
