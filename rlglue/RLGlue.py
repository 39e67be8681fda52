"""The RL_* calls as functions, as in rlglue-py3. The first call connects to the server."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from rlglue.client import connect_experiment
from rlglue.glue import Glue
from rlglue.scripts import configure_logging

P = ParamSpec("P")
R = TypeVar("R")


@cache
def _glue() -> Glue:
    configure_logging()
    return connect_experiment()


def _function(method: Callable[Concatenate[Glue, P], R]) -> Callable[P, R]:
    @wraps(method)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        result: R = getattr(_glue(), method.__name__)(*arguments, **named)
        return result

    return call


RL_init = _function(Glue.RL_init)
RL_start = _function(Glue.RL_start)
RL_step = _function(Glue.RL_step)
RL_return = _function(Glue.RL_return)
RL_num_steps = _function(Glue.RL_num_steps)
RL_num_episodes = _function(Glue.RL_num_episodes)
RL_agent_message = _function(Glue.RL_agent_message)
RL_env_message = _function(Glue.RL_env_message)
RL_cleanup = _function(Glue.RL_cleanup)
RL_env_start = _function(Glue.RL_env_start)
RL_env_step = _function(Glue.RL_env_step)
RL_agent_start = _function(Glue.RL_agent_start)
RL_agent_step = _function(Glue.RL_agent_step)
RL_agent_end = _function(Glue.RL_agent_end)


def RL_episode(num_steps: int = 0) -> int:
    """Run an episode of at most `num_steps` actions (0: no limit), and return the terminal flag, 0 or 1."""
    return _glue().RL_episode(num_steps)
