"""The far ends of a connection as local objects: each call becomes a request and waits for its answer."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from rlglue.codec import payloads, wire
from rlglue.types import (
    Action,
    Observation,
    Observation_action,
    Reward_observation_action_terminal,
    Reward_observation_terminal,
)

T = TypeVar("T")


class Request(Protocol):
    """Sends a request, waits for its answer and decodes that."""

    def __call__(self, message_id: int, payload: bytes, decode: Callable[[bytes], T], /) -> T:
        """Exchange one message."""


class AgentProxy:
    """An agent behind a connection."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def agent_init(self, taskSpec: str) -> None:
        """See AgentLike."""
        self._request(wire.AGENT_INIT, payloads.encode_string(taskSpec), payloads.decode_nothing)

    def agent_start(self, observation: Observation) -> Action:
        """See AgentLike."""
        return self._request(wire.AGENT_START, payloads.encode_adt(observation), payloads.decode_action)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """See AgentLike."""
        payload = payloads.encode_reward_observation(reward, observation)
        return self._request(wire.AGENT_STEP, payload, payloads.decode_action)

    def agent_end(self, reward: float) -> None:
        """See AgentLike."""
        self._request(wire.AGENT_END, payloads.encode_double(reward), payloads.decode_nothing)

    def agent_cleanup(self) -> None:
        """See AgentLike."""
        self._request(wire.AGENT_CLEANUP, b"", payloads.decode_nothing)

    def agent_message(self, message: str) -> str:
        """See AgentLike."""
        return self._request(wire.AGENT_MESSAGE, payloads.encode_string(message), payloads.decode_string)


class EnvironmentProxy:
    """An environment behind a connection."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def env_init(self) -> str:
        """See EnvironmentLike."""
        return self._request(wire.ENV_INIT, b"", payloads.decode_string)

    def env_start(self) -> Observation:
        """See EnvironmentLike."""
        return self._request(wire.ENV_START, b"", payloads.decode_observation)

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """See EnvironmentLike."""
        return self._request(wire.ENV_STEP, payloads.encode_adt(action), payloads.decode_step)

    def env_cleanup(self) -> None:
        """See EnvironmentLike."""
        self._request(wire.ENV_CLEANUP, b"", payloads.decode_nothing)

    def env_message(self, message: str) -> str:
        """See EnvironmentLike."""
        return self._request(wire.ENV_MESSAGE, payloads.encode_string(message), payloads.decode_string)


class GlueProxy:
    """A server's Glue behind an experiment's connection."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def RL_init(self) -> str:
        """See Glue."""
        return self._request(wire.RL_INIT, b"", payloads.decode_string)

    def RL_start(self) -> Observation_action:
        """See Glue."""
        return self._request(wire.RL_START, b"", payloads.decode_observation_action)

    def RL_step(self) -> Reward_observation_action_terminal:
        """See Glue."""
        return self._request(wire.RL_STEP, b"", payloads.decode_step_action)

    def RL_episode(self, max_steps: int = 0) -> int:
        """See Glue."""
        return self._request(wire.RL_EPISODE, payloads.encode_uint(max_steps), payloads.decode_int)

    def RL_return(self) -> float:
        """See Glue."""
        return self._request(wire.RL_RETURN, b"", payloads.decode_double)

    def RL_num_steps(self) -> int:
        """See Glue."""
        return self._request(wire.RL_NUM_STEPS, b"", payloads.decode_int)

    def RL_num_episodes(self) -> int:
        """See Glue."""
        return self._request(wire.RL_NUM_EPISODES, b"", payloads.decode_int)

    def RL_agent_message(self, message: str) -> str:
        """See Glue."""
        return self._request(wire.RL_AGENT_MESSAGE, payloads.encode_string(message), payloads.decode_string)

    def RL_env_message(self, message: str) -> str:
        """See Glue."""
        return self._request(wire.RL_ENV_MESSAGE, payloads.encode_string(message), payloads.decode_string)

    def RL_cleanup(self) -> None:
        """See Glue."""
        self._request(wire.RL_CLEANUP, b"", payloads.decode_nothing)

    def RL_env_start(self) -> Observation:
        """See Glue."""
        return self._request(wire.RL_ENV_START, b"", payloads.decode_observation)

    def RL_env_step(self, action: Action) -> Reward_observation_terminal:
        """See Glue."""
        return self._request(wire.RL_ENV_STEP, payloads.encode_adt(action), payloads.decode_step)

    def RL_agent_start(self, observation: Observation) -> Action:
        """See Glue."""
        return self._request(wire.RL_AGENT_START, payloads.encode_adt(observation), payloads.decode_action)

    def RL_agent_step(self, reward: float, observation: Observation) -> Action:
        """See Glue."""
        payload = payloads.encode_reward_observation(reward, observation)
        return self._request(wire.RL_AGENT_STEP, payload, payloads.decode_action)

    def RL_agent_end(self, reward: float) -> None:
        """See Glue."""
        self._request(wire.RL_AGENT_END, payloads.encode_double(reward), payloads.decode_nothing)
