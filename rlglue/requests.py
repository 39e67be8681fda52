"""Requests over a connection: one request and its answer, and the RL_* calls of an experiment."""

import time
from math import inf
from typing import Any, Final, Self

from rlglue import wire
from rlglue.errors import ProtocolError, ServerLost
from rlglue.glue import Glue
from rlglue.transport import BLOCK, DONT_WAIT, Connection

_SIZES: Final = (BLOCK,)
_AT_ONCE: Final = (DONT_WAIT,)
_pack_header: Final = wire.HEADER.pack
_unpack_header: Final = wire.HEADER.unpack_from


class Pending:
    """The sent and received bytes of one request and its answer.

    An exception, such as Ctrl-C, can interrupt Python between any two steps. The caller stores the Pending
    until the answer is complete. After an interruption, the next call continues with the Pending:

        state                          what may follow
        -----------------------------  ---------------------------------------------------------------
        nothing is sent                send or discard the request
        a part is sent                 send the rest, because a part cannot be undone
        all is sent                    receive the answer
        a part is received             receive the rest
        the answer is complete         decode or discard the answer, then send the next request
        the connection failed          close it and raise an error that names the peer
    """

    __slots__ = ("_message", "_needed", "_received", "_sent", "message_id")

    def __init__(self, message_id: int, payload: bytes) -> None:
        self.message_id = message_id
        self._message = _pack_header(message_id, len(payload)) + payload
        self._sent: list[int] = []
        self._received: list[bytes] = []
        self._needed = 8  # The size in bytes of the header, then of the whole answer.

    @property
    def unsent(self) -> bool:
        """Whether no byte of the request has been sent."""
        return not self._sent

    @property
    def is_sent(self) -> bool:
        """Whether the whole request has been sent."""
        return sum(self._sent) == len(self._message)

    @property
    def received(self) -> int:
        """The number of received bytes of the answer."""
        return sum(map(len, self._received))

    def complete(self, connection: Connection, deadline: float = inf) -> bytes:
        """Send the rest of the request, receive the rest of the answer, and return its payload.

        Raises one of TIMED_OUT at the connection's timeout or at the deadline. The call may then be repeated.
        Raises another OSError if the connection fails or ends, and ProtocolError for a wrong answer.
        """
        # `extend` runs `map` in one call in C, which calls send or recv and stores the result. No interrupt
        # can come between these two actions, so every byte is counted.
        message, sent = self._message, self._sent
        if not sent:
            sent.extend(map(connection.send, (message,)))
        while (done := sum(sent)) < len(message):
            sent.extend(map(connection.send, (message[done:],)))
        if not self._received:
            self.receive(connection)
        while (payload := self.answer()) is None:
            if time.monotonic() >= deadline:
                raise TimeoutError
            self.receive(connection)
        return payload

    def receive(self, connection: Connection) -> None:
        """Receive some bytes of the answer. Raises OSError for a failure and at the end of the stream."""
        pieces = self._received
        for _ in range(connection.looks):  # non-blocking tries
            try:
                pieces.extend(map(connection.recv, _SIZES, _AT_ONCE))
                break
            except BlockingIOError:
                pass
        else:
            pieces.extend(map(connection.recv, _SIZES))
        if not pieces[-1]:
            raise ConnectionAbortedError("the stream has ended")
        # Join small pieces to limit the number of pieces. Each byte is copied only a few times.
        while len(pieces) > 1 and len(pieces[-1]) >= len(pieces[-2]):
            pieces[-2:] = [pieces[-2] + pieces[-1]]

    def answer(self) -> bytes | None:
        """Return the payload, or None if it is incomplete. Raises ProtocolError for a wrong answer."""
        pieces = self._received
        data = pieces[0]
        if len(pieces) > 1:
            if self.received < self._needed:
                return None
            data = b"".join(pieces)
        if len(data) < self._needed:
            return None
        if _unpack_header(data) == (self.message_id, len(data) - 8):
            return data[8:]
        message_id, length = wire.read_header(data)
        if message_id != self.message_id:
            sent, wanted = wire.NAMES[message_id], wire.NAMES[self.message_id]
            raise ProtocolError(f"answered with {sent}; expected the answer to {wanted}")
        if len(data) > 8 + length:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")
        self._needed = 8 + length
        return None


class RemoteGlue(Glue):
    """The RL_* calls of an experiment at a server. A call discards the late answer to an interrupted call."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._pending: Pending | None = None
        # Override the methods of Glue.
        vars(self).update(vars(wire.remote(wire.GLUE_CALLS, self._exchange)))

    def close(self) -> None:
        """End the experiment. A server for several experiments keeps the agent and the environment."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _exchange(self, call: wire.Call, /, *arguments: Any) -> Any:  # noqa: ANN401 - the types of the call
        payload = call.request.encode(*arguments)
        try:
            if self._pending and not self._pending.unsent:  # discard the answer to an interrupted call
                self._pending.complete(self._connection)
            pending = self._pending = Pending(call.id, payload)
            value = call.answer.decode(pending.complete(self._connection))
        except ProtocolError as error:
            self.close()
            raise ProtocolError(f"the server's answer to {call.name} cannot be read: {error}") from None
        except OSError:
            self.close()
            raise ServerLost(
                f"the server closed the connection during {call.name}: its log says who left, or why"
            ) from None
        self._pending = None
        return value
