"""RL-Glue 3 as bytes: the table of all calls, the encoding of their values, and the reader of a stream.

A message is id:int32 length:uint32 payload[length], big-endian. A call is two messages with the same id. An
encoder raises EncodingError. A decoder raises ProtocolError, and ignores bytes after the last field.
"""

import struct
from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias

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
    Text,
    wire_end,
)

# The maximum size of a payload in bytes: the answer to RL_step with full arrays.
MAX_PAYLOAD: Final = 12 + 2 * (12 + (4 + 8 + 1) * MAX_COUNT)
HEADER: Final = struct.Struct(">iI")
_unpack_header: Final = HEADER.unpack_from
_DOUBLE: Final = struct.Struct(">d")
_INT: Final = struct.Struct(">i")
_UINT: Final = struct.Struct(">I")
_STEP: Final = struct.Struct(">id")


# An encoder and a decoder for each kind of payload


class Format(NamedTuple):
    """An encoder from values to the bytes of a payload, and a decoder from the bytes to values."""

    encode: Callable[..., bytes]
    decode: Callable[[bytes], Any]


def _encode_text(text: str | bytes | None) -> bytes:
    """Encode the length in bytes, then the text in UTF-8."""
    data = text if isinstance(text, bytes) else (text or "").encode("utf-8")
    if b"\0" in data:
        raise EncodingError(f"the text {text!r} has a NUL character, which other codecs cut off")
    if len(data) + 4 > MAX_PAYLOAD:
        raise EncodingError(f"the text has {len(data)} bytes; expected at most {MAX_PAYLOAD - 4}")
    return _UINT.pack(len(data)) + data


def _decode_text(payload: bytes) -> Text:
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


def _encode_value(value: RL_Abstract_Type | None) -> bytes:
    if isinstance(value, RL_Abstract_Type):
        return value.to_bytes()
    if value is None:
        return EMPTY
    raise EncodingError(f"got {type(value).__name__}; expected an Observation or an Action (rlglue.types)")


def _number(layout: struct.Struct, name: str, expected: str) -> Format:
    def encode(value: Any) -> bytes:  # noqa: ANN401 - any number, also a numpy scalar
        try:
            return layout.pack(value)
        except struct.error:
            raise EncodingError(f"the {name} is {value!r}; expected {expected}") from None

    return Format(encode, lambda payload: _unpack(layout, payload)[0])


def _encode_reward_observation(reward: Any, observation: Observation | None) -> bytes:  # noqa: ANN401
    return REWARD.encode(reward) + _encode_value(observation)


def _decode_reward_observation(payload: bytes) -> tuple[float, Observation]:
    observation = Observation.from_buffer(payload, 8)  # also fails if the reward is cut off
    return _DOUBLE.unpack_from(payload)[0], observation


def _encode_step(step: Reward_observation_terminal) -> bytes:
    """Encode first terminal, then reward, then observation."""
    terminal, reward = step.terminal, step.r
    if terminal not in (0, 1):
        raise EncodingError(f"the terminal flag is {terminal!r}; expected 0 or 1")
    try:
        head = _STEP.pack(bool(terminal), reward)
    except struct.error:
        raise EncodingError(f"the reward is {reward!r}; expected a number") from None
    return head + _encode_value(step.o)


def read_step(payload: bytes) -> tuple[int, float, bytes]:
    """Return terminal, reward, and all bytes of an answer to env_step. The observation is not decoded."""
    end = wire_end(payload, 12)  # also fails if terminal or reward are cut off
    terminal, reward = _STEP.unpack_from(payload)
    if terminal not in (0, 1):
        raise ProtocolError(f"sent the terminal flag {terminal}; expected 0 or 1")
    return terminal, reward, payload[:end]


def _decode_step(payload: bytes) -> Reward_observation_terminal:
    terminal, reward, step = read_step(payload)
    return Reward_observation_terminal(reward, Observation.from_buffer(step, 12), terminal)


def _encode_observation_action(value: Observation_action) -> bytes:
    return _encode_value(value.o) + _encode_value(value.a)


def _decode_observation_action(payload: bytes) -> Observation_action:
    end = wire_end(payload, 0)
    return Observation_action(Observation.from_buffer(payload), Action.from_buffer(payload, end))


def _encode_step_action(step: Reward_observation_action_terminal) -> bytes:
    """Encode first terminal, then reward, then observation, then action."""
    return _encode_step(Reward_observation_terminal(step.r, step.o, step.terminal)) + _encode_value(step.a)


def _decode_step_action(payload: bytes) -> Reward_observation_action_terminal:
    step, action = _decode_step(payload), Action.from_buffer(payload, wire_end(payload, 12))
    return Reward_observation_action_terminal(step.r, step.o, action, step.terminal)


def _unpack(layout: struct.Struct, payload: bytes) -> tuple[Any, ...]:
    try:
        return layout.unpack_from(payload)
    except struct.error:
        raise ProtocolError(
            f"cut off: {len(payload)} bytes where at least {layout.size} were expected"
        ) from None


NOTHING: Final = Format(lambda *_: b"", lambda _: None)
TEXT: Final = Format(_encode_text, _decode_text)
OBSERVATION: Final = Format(_encode_value, Observation.from_buffer)
ACTION: Final = Format(_encode_value, Action.from_buffer)
REWARD: Final = _number(_DOUBLE, "reward", "a number")
COUNT: Final = _number(_INT, "count", "an int of 32 bits")
_LIMIT: Final = _number(_UINT, "step limit", "0 (none) to 4294967295")
LIMIT: Final = Format(lambda limit=0: _LIMIT.encode(limit), _LIMIT.decode)
REWARD_OBSERVATION: Final = Format(_encode_reward_observation, _decode_reward_observation)
STEP: Final = Format(_encode_step, _decode_step)
OBSERVATION_ACTION: Final = Format(_encode_observation_action, _decode_observation_action)
STEP_ACTION: Final = Format(_encode_step_action, _decode_step_action)


# The calls


class Call(NamedTuple):
    """A remote method of an agent, an environment or a Glue."""

    id: int
    name: str
    request: Format
    answer: Format


AGENT_INIT: Final = Call(4, "agent_init", TEXT, NOTHING)
AGENT_START: Final = Call(5, "agent_start", OBSERVATION, ACTION)
AGENT_STEP: Final = Call(6, "agent_step", REWARD_OBSERVATION, ACTION)
AGENT_END: Final = Call(7, "agent_end", REWARD, NOTHING)
AGENT_CLEANUP: Final = Call(8, "agent_cleanup", NOTHING, NOTHING)
AGENT_MESSAGE: Final = Call(10, "agent_message", TEXT, TEXT)
AGENT_CALLS: Final = (AGENT_INIT, AGENT_START, AGENT_STEP, AGENT_END, AGENT_CLEANUP, AGENT_MESSAGE)

ENV_INIT: Final = Call(11, "env_init", NOTHING, TEXT)
ENV_START: Final = Call(12, "env_start", NOTHING, OBSERVATION)
ENV_STEP: Final = Call(13, "env_step", ACTION, STEP)
ENV_CLEANUP: Final = Call(14, "env_cleanup", NOTHING, NOTHING)
ENV_MESSAGE: Final = Call(19, "env_message", TEXT, TEXT)
ENVIRONMENT_CALLS: Final = (ENV_INIT, ENV_START, ENV_STEP, ENV_CLEANUP, ENV_MESSAGE)

GLUE_CALLS: Final = (
    Call(20, "RL_init", NOTHING, TEXT),
    Call(21, "RL_start", NOTHING, OBSERVATION_ACTION),
    Call(22, "RL_step", NOTHING, STEP_ACTION),
    Call(23, "RL_cleanup", NOTHING, NOTHING),
    Call(24, "RL_return", NOTHING, REWARD),
    Call(25, "RL_num_steps", NOTHING, COUNT),
    Call(26, "RL_num_episodes", NOTHING, COUNT),
    Call(27, "RL_episode", LIMIT, COUNT),
    Call(33, "RL_agent_message", TEXT, TEXT),
    Call(34, "RL_env_message", TEXT, TEXT),
    Call(36, "RL_env_start", NOTHING, OBSERVATION),
    Call(37, "RL_env_step", ACTION, STEP),
    Call(38, "RL_agent_start", OBSERVATION, ACTION),
    Call(39, "RL_agent_step", REWARD_OBSERVATION, ACTION),
    Call(40, "RL_agent_end", REWARD, NOTHING),
)

# The first and the last message on a connection have no answer.
AGENT: Final = "agent"
ENVIRONMENT: Final = "environment"
EXPERIMENT: Final = "experiment"
# The id of the first message on a connection, by the role of the connecting program.
HANDSHAKES: Final = {EXPERIMENT: 1, AGENT: 2, ENVIRONMENT: 3}
RL_TERM: Final = 35

NAMES: Final[dict[int, str]] = {
    **{message_id: f"{role} connection" for role, message_id in HANDSHAKES.items()},
    RL_TERM: "RL_term",
    **{call.id: call.name for call in (*AGENT_CALLS, *ENVIRONMENT_CALLS, *GLUE_CALLS)},
}


def remote(calls: Iterable[Call], request: Callable[..., Any]) -> Any:  # noqa: ANN401 - AgentLike or EnvironmentLike
    """Return an object with a method for each Call, which calls `request` with the Call and arguments."""
    return SimpleNamespace(**{call.name: partial(request, call) for call in calls})


Handler: TypeAlias = Callable[[bytes], bytes]
Handlers: TypeAlias = dict[int, Handler]


def handlers(calls: Iterable[Call], target: object) -> Handlers:
    """Return handlers by request id: decode the payload, call the method of `target`, encode the result."""
    return {call.id: _handler(call, target) for call in calls}


def _handler(call: Call, target: object) -> Handler:
    _, name, (_, decode), (encode, _) = call
    # The method is looked up at each call, so a missing method is an error only when a request calls it.
    if call.request is NOTHING:
        return lambda _: encode(getattr(target, name)())
    if call.request is REWARD_OBSERVATION:
        return lambda payload: encode(getattr(target, name)(*decode(payload)))
    return lambda payload: encode(getattr(target, name)(decode(payload)))


# Messages in a stream of bytes


Message: TypeAlias = tuple[int, bytes]  # An id and a payload.


def encode_message(message_id: int, payload: bytes = b"") -> bytes:
    """Return the bytes of a message with its header and payload."""
    return HEADER.pack(message_id, len(payload)) + payload


def read_header(data: bytes | bytearray, limit: int = MAX_PAYLOAD) -> tuple[int, int]:
    """Return the id and the length of the payload. Raises ProtocolError for an illegal header."""
    message_id, length = _unpack_header(data)
    if message_id not in NAMES:
        raise ProtocolError(f"sent the unknown message id {message_id}")
    if length > limit:
        count = f"{length - 2**32} ({length} unsigned)" if length >= 2**31 else f"{length}"
        raise ProtocolError(f"announced {count} bytes for {NAMES[message_id]}; expected 0 to {limit}")
    return message_id, length


class Reader:
    """A reader that splits a stream of bytes into messages. `limit` is the maximum payload in bytes."""

    def __init__(self, limit: int = MAX_PAYLOAD) -> None:
        self.limit = limit
        self.buffer = bytearray()  # The received bytes of the messages that are not returned yet.

    def take(self, data: bytes) -> Message | None:
        """Add the next bytes of the stream, and return the next message like `next_message`."""
        if not self.buffer and len(data) >= 8:  # the usual case of one whole message
            message_id, length = _unpack_header(data)
            if length == len(data) - 8 <= self.limit and message_id in NAMES:
                return message_id, data[8:]
        self.buffer += data
        return self.next_message()

    def next_message(self) -> Message | None:
        """Return the next message, or None if it is incomplete. Raises ProtocolError for a wrong header."""
        if len(self.buffer) < 8:
            return None
        message_id, length = read_header(self.buffer, self.limit)
        if len(self.buffer) < 8 + length:
            return None
        payload = bytes(self.buffer[8 : 8 + length])
        del self.buffer[: 8 + length]
        return message_id, payload
