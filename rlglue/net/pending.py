"""A request from before its first byte goes out until its reply is wholly here.

An exception may come between any two steps of Python: Ctrl-C in a notebook, a timer. So whoever asks first
puts the Pending where the next call finds it, and takes it away with one assignment when the reply is there.
The next call goes on from wherever this one was broken off:

    state                          what may follow
    -----------------------------  ---------------------------------------------------------------
    nothing is sent                sending; or it is forgotten, as if it had never been
    a part is sent                 sending the rest, since half a message cannot be taken back
    all is sent                    receiving
    the reply is here in part      receiving the rest
    the reply is here              decoding it, or discarding it; then the next request
    the connection failed          closing it: an error that says who left
"""

import time
from math import inf
from typing import Final

from rlglue.codec import wire
from rlglue.errors import ProtocolError
from rlglue.net.transport import BLOCK, DONT_WAIT, Connection

_SIZES: Final = (BLOCK,)
_AT_ONCE: Final = (DONT_WAIT,)


class Pending:
    """One request and its reply, as far as they have come."""

    __slots__ = ("_message", "_needed", "_received", "_sent", "message_id")

    def __init__(self, message_id: int, payload: bytes) -> None:
        self.message_id = message_id
        self._message = wire.HEADER.pack(message_id, len(payload)) + payload
        self._sent: list[int] = []
        self._received: list[bytes] = []
        self._needed = wire.HEADER.size

    @property
    def unsent(self) -> bool:
        """True while no byte of it is sent."""
        return not self._sent

    @property
    def is_sent(self) -> bool:
        """True once all of it is sent."""
        return sum(self._sent) == len(self._message)

    @property
    def received(self) -> int:
        """How many bytes of the reply are here."""
        return sum(map(len, self._received))

    def complete(self, connection: Connection, deadline: float = inf) -> bytes:
        """Send what is left and receive until the reply is whole; gives its payload.

        Call it again after any exception that is not the connection's fault. Raises OSError if the
        connection fails or ends, one of TIMED_OUT as set_timeout says or if only a part of the reply is
        here at the deadline, ProtocolError for bytes that are no reply.
        """
        # send and recv are each called, and their outcome is kept, within one call in C: map is lazy, and
        # extend exhausts it. So no exception can come between, and no byte goes or comes uncounted.
        message, sent = self._message, self._sent
        if not sent:
            sent.extend(map(connection.send, (message,)))
        while (done := sum(sent)) < len(message):
            sent.extend(map(connection.send, (message[done:],)))
        if not self._received:
            self.receive(connection)
        while (reply := self.reply()) is None:
            if time.monotonic() >= deadline:
                raise TimeoutError
            self.receive(connection)
        return reply

    def receive(self, connection: Connection) -> None:
        """Take some bytes of the reply; raises OSError, at the end of the stream too."""
        pieces = self._received
        if not self._look(connection):
            pieces.extend(map(connection.recv, _SIZES))
        if not pieces[-1]:
            raise ConnectionAbortedError("the stream has ended")
        # Joined so that they stay few however small they come, and no byte is copied more than a few times.
        while len(pieces) > 1 and len(pieces[-1]) >= len(pieces[-2]):
            pieces[-2:] = [pieces[-2] + pieces[-1]]

    def _look(self, connection: Connection) -> bool:
        """Look for bytes for a little while, without sleeping; True if there were any."""
        for _ in range(connection.looks):
            try:
                self._received.extend(map(connection.recv, _SIZES, _AT_ONCE))
                return True
            except BlockingIOError:
                pass
        return False

    def reply(self) -> bytes | None:
        """The reply's payload, None while it is incomplete; ProtocolError if it is something else."""
        pieces = self._received
        if len(pieces) > 1 and self.received < self._needed:
            return None
        data = b"".join(pieces)
        if len(data) < self._needed:
            return None
        if wire.HEADER.unpack_from(data) != (self.message_id, len(data) - 8):
            self._needed = self._whole_size(data)
            return None
        return data[8:]

    def _whole_size(self, data: bytes) -> int:
        """How long a reply that comes in pieces will be; ProtocolError if it never can be the reply."""
        message_id, length = wire.read_header(data)
        if message_id != self.message_id:
            said, wanted = wire.NAMES[message_id], wire.NAMES[self.message_id]
            raise ProtocolError(f"answered with {said}; expected the answer to {wanted}")
        if len(data) > 8 + length:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")
        return 8 + length
