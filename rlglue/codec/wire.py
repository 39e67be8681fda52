"""RL-Glue 3 messages as bytes and back. No sockets here; see `transport` for those, `payloads` for payloads.

A message is id:int32 length:uint32 payload[length], all numbers big-endian.
"""

import struct
from typing import Final, TypeAlias

from rlglue.errors import ProtocolError
from rlglue.types import MAX_COUNT

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
_unpack_header: Final = HEADER.unpack_from


def encode_message(message_id: int, payload: bytes = b"") -> bytes:
    """A whole message, header and payload in one piece."""
    return HEADER.pack(message_id, len(payload)) + payload


def read_header(data: bytes | bytearray, limit: int = MAX_PAYLOAD) -> tuple[int, int]:
    """The id and the length of the payload; ProtocolError for what no legal message begins with."""
    message_id, length = HEADER.unpack_from(data)
    if length > limit or message_id not in NAMES:
        raise ProtocolError(_bad_header(message_id, length, limit))
    return message_id, length


class Reader:
    """Takes bytes as they arrive and gives messages back.

    `limit` is the longest payload accepted. A header that no legal message has is refused as soon as it
    is there, before anything is kept for its body.
    """

    def __init__(self, limit: int = MAX_PAYLOAD) -> None:
        self.limit = limit
        # bytes in the usual case of exactly one whole message, so that it is not copied; else a bytearray.
        self.buffer: bytes | bytearray = b""
        """What has come and is not given back yet."""

    @property
    def pending(self) -> int:
        """How many bytes wait: part of a message, or messages nobody asked for yet."""
        return len(self.buffer)

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        if not self.buffer:
            self.buffer = data
            return
        if isinstance(self.buffer, bytes):
            self.buffer = bytearray(self.buffer)
        self.buffer += data

    def take(self, data: bytes) -> Message | None:
        """The next bytes of the stream, if any, then the next message: `feed` and `next_message` in one."""
        # One whole message, as most often, is not kept at all.
        if not self.buffer and len(data) >= 8:
            message_id, length = _unpack_header(data)
            if length == len(data) - 8 <= self.limit and message_id in NAMES:
                return message_id, data[8:]
        if data:
            self.feed(data)
        return self.next_message()

    def next_message(self) -> Message | None:
        """The next whole message, None while it is incomplete; ProtocolError if it can never be one."""
        buffer = self.buffer
        if len(buffer) < 8:
            return None
        message_id, length = read_header(buffer, self.limit)
        end = 8 + length
        if len(buffer) < end:
            return None
        payload = bytes(buffer[8:end])
        if len(buffer) == end:
            self.buffer = b""
        else:
            self.buffer = buffer = bytearray(buffer) if isinstance(buffer, bytes) else buffer
            del buffer[:end]
        return message_id, payload


def _bad_header(message_id: int, length: int, limit: int) -> str:
    if message_id not in NAMES:
        return f"sent the unknown message id {message_id}"
    said = f"{length - 2**32} ({length} unsigned)" if length >= 2**31 else f"{length}"
    return f"announced {said} bytes for {NAMES[message_id]}; expected 0 to {limit}"
