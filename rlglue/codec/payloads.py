"""The payloads of RL-Glue 3 messages: an encoder and a decoder for each kind, side by side.

Encoders raise EncodingError for what cannot be sent, decoders ProtocolError for bytes that are not what
they should be. Bytes after the fields of a payload are ignored, as every codec does.
"""

import struct
from typing import Any, Final

from rlglue.codec.text import Text
from rlglue.codec.wire import MAX_PAYLOAD
from rlglue.errors import EncodingError, ProtocolError
from rlglue.types import (
    EMPTY,
    Action,
    Observation,
    Observation_action,
    Reward_observation_action_terminal,
    Reward_observation_terminal,
    RL_Abstract_Type,
    wire_end,
)

_DOUBLE: Final = struct.Struct(">d")
_INT: Final = struct.Struct(">i")
_UINT: Final = struct.Struct(">I")
_FLAGS: Final = (0, 1)
_STEP: Final = struct.Struct(">id")


def decode_nothing(payload: bytes) -> None:
    """An empty payload; whatever it holds is ignored."""


def encode_string(text: str | bytes | None) -> bytes:
    """A string as UTF-8, its length in bytes; None is the empty string, bytes are taken as they are."""
    data = text if isinstance(text, bytes) else (text or "").encode("utf-8")
    if b"\0" in data:
        raise EncodingError(f"the text {text!r} has a NUL character, which other codecs cut off")
    if len(data) + 4 > MAX_PAYLOAD:
        raise EncodingError(f"the text has {len(data)} bytes; expected at most {MAX_PAYLOAD - 4}")
    return _UINT.pack(len(data)) + data


def decode_string(payload: bytes) -> Text:
    """A string, which may be treated as bytes too."""
    (length,) = _unpack(_UINT, payload)
    if 4 + length > len(payload):
        raise ProtocolError(f"cut off: a text of {length} bytes announced, {len(payload) - 4} present")
    data = payload[4 : 4 + length]
    if b"\0" in data:
        raise ProtocolError("sent a text with a NUL character; expected text without one")
    try:
        return Text(data, "utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolError(f"sent a text that is not UTF-8: {error.reason} at byte {error.start}") from None


def encode_adt(value: RL_Abstract_Type | None) -> bytes:
    """An observation or an action; None is the empty one."""
    if isinstance(value, RL_Abstract_Type):
        return value.to_bytes()
    if value is None:
        return EMPTY
    raise EncodingError(f"got {type(value).__name__}; expected an Observation or an Action (rlglue.types)")


decode_observation: Final = Observation.from_buffer
"""An observation."""

decode_action: Final = Action.from_buffer
"""An action."""


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
    observation = decode_observation(payload, 8)  # which finds out whether the reward is there too
    return _DOUBLE.unpack_from(payload)[0], observation


def encode_step(step: Reward_observation_terminal) -> bytes:
    """The answer of env_step: terminal, reward, observation, in this order."""
    terminal, reward = step.terminal, step.r
    if terminal not in _FLAGS:
        raise EncodingError(f"the terminal flag is {terminal!r}; expected 0 or 1")
    try:
        head = _STEP.pack(bool(terminal), reward)
    except struct.error:
        raise EncodingError(f"the reward is {reward!r}; expected a number") from None
    return head + encode_adt(step.o)


def decode_step(payload: bytes) -> Reward_observation_terminal:
    """The answer of env_step."""
    terminal, reward, step = relay_step(payload)
    return Reward_observation_terminal(reward, Observation.from_buffer(step, 12), terminal)


def relay_step(payload: bytes) -> tuple[int, float, bytes]:
    """The answer of env_step: terminal and reward, and the whole of it to be passed on without decoding."""
    end = wire_end(payload, 12)  # which finds out whether the rest is there too
    terminal, reward = _STEP.unpack_from(payload)
    if terminal not in _FLAGS:
        raise ProtocolError(_bad_terminal(terminal))
    return terminal, reward, payload[:end]


def encode_observation_action(value: Observation_action) -> bytes:
    """The answer of RL_start."""
    return encode_adt(value.o) + encode_adt(value.a)


def decode_observation_action(payload: bytes) -> Observation_action:
    """The answer of RL_start."""
    end = wire_end(payload, 0)
    return Observation_action(Observation.from_buffer(payload), Action.from_buffer(payload, end))


def decode_step_action(payload: bytes) -> Reward_observation_action_terminal:
    """The answer of RL_step."""
    terminal, reward = _unpack(_STEP, payload)
    if terminal not in _FLAGS:
        raise ProtocolError(_bad_terminal(terminal))
    end = wire_end(payload, 12)
    observation, action = Observation.from_buffer(payload, 12), Action.from_buffer(payload, end)
    return Reward_observation_action_terminal(reward, observation, action, terminal)


def _bad_terminal(terminal: int) -> str:
    return f"sent the terminal flag {terminal}; expected 0 or 1"


def _unpack(layout: struct.Struct, payload: bytes) -> tuple[Any, ...]:
    try:
        return layout.unpack_from(payload)
    except struct.error:
        raise ProtocolError(
            f"cut off: {len(payload)} bytes where at least {layout.size} were expected"
        ) from None
