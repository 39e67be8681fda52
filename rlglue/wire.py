"""RL-Glue 3 messages as bytes and back. No sockets here; see `transport` for those.

A message is id:int32 length:uint32 payload[length], all numbers big-endian. Each kind of payload has an
encoder and a decoder, side by side. Bytes after the fields of a payload are ignored, as every codec does.
"""

import struct
from typing import Any, Final, TypeAlias

from rlglue.errors import EncodingError, ProtocolError
from rlglue.types import (
    EMPTY,
    MAX_COUNT,
    Action,
    Observation,
    Observation_action,
    Reward_observation_action_terminal,
    Reward_observation_terminal,
    RL_Abstract_Type,
    wire_end,
)

Message: TypeAlias = tuple[int, bytes]
"""An id and a payload."""

EXPERIMENT_CONNECTION: Final = 1
AGENT_CONNECTION: Final = 2
ENVIRONMENT_CONNECTION: Final = 3
AGENT_INIT: Final = 4
AGENT_START: Final = 5
AGENT_STEP: Final = 6
AGENT_END: Final = 7
AGENT_CLEANUP: Final = 8
AGENT_MESSAGE: Final = 10
ENV_INIT: Final = 11
ENV_START: Final = 12
ENV_STEP: Final = 13
ENV_CLEANUP: Final = 14
ENV_MESSAGE: Final = 19
RL_INIT: Final = 20
RL_START: Final = 21
RL_STEP: Final = 22
RL_CLEANUP: Final = 23
RL_RETURN: Final = 24
RL_NUM_STEPS: Final = 25
RL_NUM_EPISODES: Final = 26
RL_EPISODE: Final = 27
RL_AGENT_MESSAGE: Final = 33
RL_ENV_MESSAGE: Final = 34
RL_TERM: Final = 35
RL_ENV_START: Final = 36
RL_ENV_STEP: Final = 37
RL_AGENT_START: Final = 38
RL_AGENT_STEP: Final = 39
RL_AGENT_END: Final = 40

NAMES: Final[dict[int, str]] = {
    EXPERIMENT_CONNECTION: "experiment connection",
    AGENT_CONNECTION: "agent connection",
    ENVIRONMENT_CONNECTION: "environment connection",
    AGENT_INIT: "agent_init",
    AGENT_START: "agent_start",
    AGENT_STEP: "agent_step",
    AGENT_END: "agent_end",
    AGENT_CLEANUP: "agent_cleanup",
    AGENT_MESSAGE: "agent_message",
    ENV_INIT: "env_init",
    ENV_START: "env_start",
    ENV_STEP: "env_step",
    ENV_CLEANUP: "env_cleanup",
    ENV_MESSAGE: "env_message",
    RL_INIT: "RL_init",
    RL_START: "RL_start",
    RL_STEP: "RL_step",
    RL_CLEANUP: "RL_cleanup",
    RL_RETURN: "RL_return",
    RL_NUM_STEPS: "RL_num_steps",
    RL_NUM_EPISODES: "RL_num_episodes",
    RL_EPISODE: "RL_episode",
    RL_AGENT_MESSAGE: "RL_agent_message",
    RL_ENV_MESSAGE: "RL_env_message",
    RL_TERM: "RL_term",
    RL_ENV_START: "RL_env_start",
    RL_ENV_STEP: "RL_env_step",
    RL_AGENT_START: "RL_agent_start",
    RL_AGENT_STEP: "RL_agent_step",
    RL_AGENT_END: "RL_agent_end",
}

MAX_PAYLOAD: Final = 12 + 2 * (12 + (4 + 8 + 1) * MAX_COUNT)
"""The longest legal payload: RL_step's answer with two full observations or actions."""

HEADER: Final = struct.Struct(">iI")
_DOUBLE: Final = struct.Struct(">d")
_INT: Final = struct.Struct(">i")
_UINT: Final = struct.Struct(">I")
_FLAGS: Final = (0, 1)
_STEP: Final = struct.Struct(">id")


def whole_message(data: bytes) -> int:
    """The id, if `data` is exactly one whole message, else 0: the usual case, told apart without a Reader."""
    if len(data) >= 8:
        message_id: int
        message_id, length = HEADER.unpack_from(data)
        if length == len(data) - 8 and message_id in NAMES:
            return message_id
    return 0


def encode_message(message_id: int, payload: bytes = b"") -> bytes:
    """A whole message, header and payload in one piece."""
    return HEADER.pack(message_id, len(payload)) + payload


class Reader:
    """Takes bytes as they arrive and gives messages back.

    `limit` is the longest payload accepted. A header that no legal message has is refused as soon as it
    is there, before anything is kept for its body.
    """

    def __init__(self, limit: int = MAX_PAYLOAD) -> None:
        self.limit = limit
        # bytes in the usual case of exactly one whole message, so that it is not copied; else a bytearray.
        self._buffer: bytes | bytearray = b""

    @property
    def pending(self) -> int:
        """How many bytes wait: part of a message, or messages nobody asked for yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        if not self._buffer:
            self._buffer = data
            return
        if isinstance(self._buffer, bytes):
            self._buffer = bytearray(self._buffer)
        self._buffer += data

    def next_message(self) -> Message | None:
        """The next whole message, None while it is incomplete; ProtocolError if it can never be one."""
        buffer = self._buffer
        if len(buffer) < 8:
            return None
        message_id, length = HEADER.unpack_from(buffer)
        if length > self.limit or message_id not in NAMES:
            raise ProtocolError(_bad_header(message_id, length, self.limit))
        end = 8 + length
        if len(buffer) < end:
            return None
        payload = bytes(buffer[8:end])
        if len(buffer) == end:
            self._buffer = b""
        else:
            self._buffer = buffer = bytearray(buffer) if isinstance(buffer, bytes) else buffer
            del buffer[:end]
        return message_id, payload


def _bad_header(message_id: int, length: int, limit: int) -> str:
    if message_id not in NAMES:
        return f"sent the unknown message id {message_id}"
    said = f"{length - 2**32} ({length} unsigned)" if length >= 2**31 else f"{length}"
    return f"announced {said} bytes for {NAMES[message_id]}; expected 0 to {limit}"


def decode_nothing(payload: bytes) -> None:
    """An empty payload; whatever it holds is ignored."""


def encode_string(text: str | None) -> bytes:
    """A string as UTF-8, its length in bytes; None is the empty string."""
    data = (text or "").encode("utf-8")
    if b"\0" in data:
        raise EncodingError(f"the text {text!r} has a NUL character, which other codecs cut off")
    if len(data) + 4 > MAX_PAYLOAD:
        raise EncodingError(f"the text has {len(data)} bytes; expected at most {MAX_PAYLOAD - 4}")
    return _UINT.pack(len(data)) + data


def decode_string(payload: bytes) -> str:
    """A string."""
    (length,) = _unpack(_UINT, payload)
    if 4 + length > len(payload):
        raise ProtocolError(f"cut off: a text of {length} bytes announced, {len(payload) - 4} present")
    data = payload[4 : 4 + length]
    if b"\0" in data:
        raise ProtocolError("sent a text with a NUL character; expected text without one")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolError(f"sent a text that is not UTF-8: {error.reason} at byte {error.start}") from None


def encode_adt(value: RL_Abstract_Type | None) -> bytes:
    """An observation or an action; None is the empty one."""
    if value is None:
        return EMPTY
    if not isinstance(value, RL_Abstract_Type):
        raise EncodingError(
            f"got {type(value).__name__}; expected an Observation or an Action (rlglue.types)"
        )
    return value.to_bytes()


def decode_observation(payload: bytes) -> Observation:
    """An observation."""
    return Observation.from_buffer(payload)


def decode_action(payload: bytes) -> Action:
    """An action."""
    return Action.from_buffer(payload)


def encode_double(value: Any) -> bytes:  # noqa: ANN401 - any number, also a numpy scalar
    """A reward or a return."""
    try:
        return _DOUBLE.pack(value)
    except struct.error:
        raise EncodingError(f"the reward is {value!r}; expected a number") from None


def decode_double(payload: bytes) -> float:
    """A reward or a return."""
    value: float = _unpack(_DOUBLE, payload)[0]
    return value


def encode_int(value: int) -> bytes:
    """A count or a terminal flag."""
    return _INT.pack(value)


def decode_int(payload: bytes) -> int:
    """A count or a terminal flag."""
    value: int = _unpack(_INT, payload)[0]
    return value


def encode_uint(value: int) -> bytes:
    """A step limit."""
    try:
        return _UINT.pack(value)
    except struct.error:
        raise EncodingError(f"the step limit is {value!r}; expected 0 (none) to 4294967295") from None


def decode_uint(payload: bytes) -> int:
    """A step limit."""
    value: int = _unpack(_UINT, payload)[0]
    return value


def encode_reward_observation(reward: Any, observation: Observation | None) -> bytes:  # noqa: ANN401
    """What agent_step is told; the reward is any number, also a numpy scalar."""
    return encode_double(reward) + encode_adt(observation)


def decode_reward_observation(payload: bytes) -> tuple[float, Observation]:
    """What agent_step is told."""
    (reward,) = _unpack(_DOUBLE, payload)
    return reward, Observation.from_buffer(payload, 8)


def encode_step(step: Reward_observation_terminal) -> bytes:
    """The answer of env_step: terminal, reward, observation, in this order."""
    return _encode_step_head(step.terminal, step.r) + encode_adt(step.o)


def decode_step(payload: bytes) -> Reward_observation_terminal:
    """The answer of env_step."""
    terminal, reward = _unpack(_STEP, payload)
    if terminal not in _FLAGS:
        raise ProtocolError(_bad_terminal(terminal))
    return Reward_observation_terminal(reward, Observation.from_buffer(payload, 12), terminal)


def encode_observation_action(value: Observation_action) -> bytes:
    """The answer of RL_start."""
    return encode_adt(value.o) + encode_adt(value.a)


def decode_observation_action(payload: bytes) -> Observation_action:
    """The answer of RL_start."""
    end = wire_end(payload, 0)
    return Observation_action(Observation.from_buffer(payload), Action.from_buffer(payload, end))


def encode_step_action(value: Reward_observation_action_terminal) -> bytes:
    """The answer of RL_step."""
    return _encode_step_head(value.terminal, value.r) + encode_adt(value.o) + encode_adt(value.a)


def decode_step_action(payload: bytes) -> Reward_observation_action_terminal:
    """The answer of RL_step."""
    terminal, reward = _unpack(_STEP, payload)
    if terminal not in _FLAGS:
        raise ProtocolError(_bad_terminal(terminal))
    end = wire_end(payload, 12)
    observation, action = Observation.from_buffer(payload, 12), Action.from_buffer(payload, end)
    return Reward_observation_action_terminal(reward, observation, action, terminal)


def _encode_step_head(terminal: Any, reward: Any) -> bytes:  # noqa: ANN401 - numbers, also numpy scalars
    if terminal not in _FLAGS:
        raise EncodingError(f"the terminal flag is {terminal!r}; expected 0 or 1")
    try:
        return _STEP.pack(bool(terminal), reward)
    except struct.error:
        raise EncodingError(f"the reward is {reward!r}; expected a number") from None


def _bad_terminal(terminal: int) -> str:
    return f"sent the terminal flag {terminal}; expected 0 or 1"


def _unpack(layout: struct.Struct, payload: bytes) -> tuple[Any, ...]:
    try:
        return layout.unpack_from(payload)
    except struct.error:
        raise ProtocolError(
            f"cut off: {len(payload)} bytes where at least {layout.size} were expected"
        ) from None
