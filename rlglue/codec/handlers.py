"""A local object as the far end of a connection: which request calls which of its methods.

A table maps a request's id to a function from the request's payload to the answer's payload.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeAlias

from rlglue.codec import payloads, wire
from rlglue.codec.relay import Relay
from rlglue.glue import AgentLike, EnvironmentLike

P = ParamSpec("P")

Handler: TypeAlias = Callable[[bytes], bytes]
Handlers: TypeAlias = dict[int, Handler]


def agent_handlers(agent: AgentLike) -> Handlers:
    """What a server may ask of an agent."""
    return {
        wire.AGENT_INIT: lambda data: _done(agent.agent_init, payloads.decode_string(data)),
        wire.AGENT_START: lambda data: payloads.encode_adt(
            agent.agent_start(payloads.decode_observation(data))
        ),
        wire.AGENT_STEP: lambda data: payloads.encode_adt(
            agent.agent_step(*payloads.decode_reward_observation(data))
        ),
        wire.AGENT_END: lambda data: _done(agent.agent_end, payloads.decode_double(data)),
        wire.AGENT_CLEANUP: lambda _: _done(agent.agent_cleanup),
        wire.AGENT_MESSAGE: lambda data: payloads.encode_string(
            agent.agent_message(payloads.decode_string(data))
        ),
    }


def environment_handlers(environment: EnvironmentLike) -> Handlers:
    """What a server may ask of an environment."""
    return {
        wire.ENV_INIT: lambda _: payloads.encode_string(environment.env_init()),
        wire.ENV_START: lambda _: payloads.encode_adt(environment.env_start()),
        wire.ENV_STEP: lambda data: payloads.encode_step(environment.env_step(payloads.decode_action(data))),
        wire.ENV_CLEANUP: lambda _: _done(environment.env_cleanup),
        wire.ENV_MESSAGE: lambda data: payloads.encode_string(
            environment.env_message(payloads.decode_string(data))
        ),
    }


def relay_handlers(glue: Relay) -> Handlers:
    """What an experiment may ask of a server."""
    return {
        wire.RL_INIT: lambda _: payloads.encode_string(glue.RL_init()),
        wire.RL_START: lambda _: payloads.encode_observation_action(glue.RL_start()),
        wire.RL_STEP: lambda _: glue.RL_step_bytes(),
        wire.RL_CLEANUP: lambda _: _done(glue.RL_cleanup),
        wire.RL_RETURN: lambda _: payloads.encode_double(glue.RL_return()),
        wire.RL_NUM_STEPS: lambda _: payloads.encode_int(glue.RL_num_steps()),
        wire.RL_NUM_EPISODES: lambda _: payloads.encode_int(glue.RL_num_episodes()),
        wire.RL_EPISODE: lambda data: payloads.encode_int(glue.RL_episode(payloads.decode_uint(data))),
        wire.RL_AGENT_MESSAGE: lambda data: payloads.encode_string(
            glue.RL_agent_message(payloads.decode_string(data))
        ),
        wire.RL_ENV_MESSAGE: lambda data: payloads.encode_string(
            glue.RL_env_message(payloads.decode_string(data))
        ),
        wire.RL_ENV_START: lambda _: payloads.encode_adt(glue.RL_env_start()),
        wire.RL_ENV_STEP: lambda data: payloads.encode_step(glue.RL_env_step(payloads.decode_action(data))),
        wire.RL_AGENT_START: lambda data: payloads.encode_adt(
            glue.RL_agent_start(payloads.decode_observation(data))
        ),
        wire.RL_AGENT_STEP: lambda data: payloads.encode_adt(
            glue.RL_agent_step(*payloads.decode_reward_observation(data))
        ),
        wire.RL_AGENT_END: lambda data: _done(glue.RL_agent_end, payloads.decode_double(data)),
    }


def _done(method: Callable[P, None], *arguments: P.args, **none: P.kwargs) -> bytes:
    """The empty payload, whatever a careless method may return."""
    method(*arguments, **none)
    return b""
