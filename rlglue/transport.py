"""TCP connections, the listener, and the exchange of one request and its answer."""

import contextlib
import errno
import logging
import socket
import struct
import sys
import time
from math import inf
from typing import Final

from rlglue import wire
from rlglue.address import Address
from rlglue.errors import AddressError, GlueError, ProtocolError

logger = logging.getLogger("rlglue")

BLOCK: Final = 1 << 16
"""The largest number of bytes of one receive."""

DONT_WAIT: Final = getattr(socket, "MSG_DONTWAIT", 0)
"""The flag for a receive that does not wait, or 0 if the platform has no such flag."""

LOOKS: Final = 100 if DONT_WAIT else 0
"""The number of times that a server tries to receive without waiting, before the process sleeps. All tries
take about 60 microseconds, which is often less than a sleep. Agents and environments always sleep, because
too many busy processes slow each other down."""

PAUSE: Final = 0.05
"""The time in seconds to wait after a failed accept."""

RETRY_SECONDS: Final = 0.25
_LONGEST_TRY: Final = 60.0
"""The longest time in seconds of one attempt to connect."""
_BACKLOG: Final = 1024
"""The number of connections that may wait for accept. The system may reduce this number."""
_KEEPALIVE: Final = {
    "TCP_KEEPIDLE": 20,
    "TCP_KEEPINTVL": 10,
    "TCP_KEEPCNT": 4,
    "TCP_USER_TIMEOUT": 60_000,
}
"""Socket options that end a dead connection after 60 seconds, with times in seconds. TCP_USER_TIMEOUT is in
milliseconds."""
_SIZES: Final = (BLOCK,)
_AT_ONCE: Final = (DONT_WAIT,)
_pack_header: Final = wire.HEADER.pack
_unpack_header: Final = wire.HEADER.unpack_from

TIMED_OUT: Final = (TimeoutError, BlockingIOError)
"""The errors of a send or receive that takes longer than the time limit."""


class Connection:
    """One TCP connection, with a reader that splits the received bytes into messages."""

    def __init__(self, sock: socket.socket, address: Address) -> None:
        self._socket = sock
        self.address = f"{address[0]}:{address[1]}"
        self.reader = wire.Reader()
        # Stored as attributes for speed, because they are called for every message.
        self.recv = sock.recv
        self.looks = 0
        """The number of times that Pending.receive tries without waiting."""
        self.send = sock.send
        self.send_all = sock.sendall
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The thinking time of a peer has no limit, but a dead machine is noticed within a minute.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def fileno(self) -> int:
        """The descriptor, for selectors."""
        return self._socket.fileno()

    def set_timeout(self, seconds: float) -> None:
        """Limit the time of one send or receive. A longer call raises one of TIMED_OUT."""
        # These are timeouts of the kernel, because a timeout of Python costs a poll before every call.
        windows = sys.platform == "win32"
        value = struct.pack("L", int(seconds * 1000)) if windows else struct.pack("ll", 0, int(seconds * 1e6))
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, value)
        except OSError:  # the platform has another layout for these values
            self._socket.settimeout(seconds)

    def finish_sending(self) -> None:
        """End the sent stream. The other side may still send bytes."""
        with contextlib.suppress(OSError):  # the connection is already closed
            self._socket.shutdown(socket.SHUT_WR)

    def drain(self, deadline: float) -> None:
        """Discard all bytes until the other side closes, because old clients send one more message."""
        while time.monotonic() < deadline:
            try:
                if not self.recv(BLOCK):
                    return
            except TIMED_OUT:
                pass
            except OSError:
                return

    def close(self) -> None:
        """Close the connection. A second call is a no-op."""
        self._socket.close()


class Pending:
    """The sent and received bytes of one request and its answer.

    An exception, such as Ctrl-C, can interrupt Python between any two steps. The caller stores the Pending
    until the answer is complete. After an interruption, the next call continues with the Pending:

        state                          what may follow
        -----------------------------  ---------------------------------------------------------------
        nothing is sent                send the request, or forget it
        a part is sent                 send the rest, because half a message cannot be taken back
        all is sent                    receive the answer
        a part is received             receive the rest
        the answer is complete         decode or discard the answer, then send the next request
        the connection failed          close it and raise an error that says which peer left
    """

    __slots__ = ("_message", "_needed", "_received", "_sent", "message_id")

    def __init__(self, message_id: int, payload: bytes) -> None:
        self.message_id = message_id
        self._message = _pack_header(message_id, len(payload)) + payload
        self._sent: list[int] = []
        self._received: list[bytes] = []
        self._needed = 8
        """The size in bytes of the header, or of the whole answer after the header has come."""

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

        Raises one of TIMED_OUT after the time limit of the connection. Raises TimeoutError if the answer is
        still incomplete at the deadline. After a timeout, the caller may call `complete` again. Raises
        another OSError if the connection fails or ends, and ProtocolError for bytes that are not an answer.
        """
        # `extend` runs `map` in one call in C, which calls send or recv and stores the result. So no
        # exception can come between the call and the storing, and every byte is counted.
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
        for _ in range(connection.looks):  # try to receive without waiting
            try:
                pieces.extend(map(connection.recv, _SIZES, _AT_ONCE))
                break
            except BlockingIOError:
                pass
        else:
            pieces.extend(map(connection.recv, _SIZES))
        if not pieces[-1]:
            raise ConnectionAbortedError("the stream has ended")
        # Join small pieces, so that their number stays small. Each byte is copied only a few times.
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
        if len(data) >= self._needed:
            if _unpack_header(data) == (self.message_id, len(data) - 8):
                return data[8:]
            self._needed = self._whole_size(data)
        return None

    def _whole_size(self, data: bytes) -> int:
        """Return the size in bytes of an answer with its header. Raises ProtocolError for a wrong header."""
        message_id, length = wire.read_header(data)
        if message_id != self.message_id:
            sent, wanted = wire.NAMES[message_id], wire.NAMES[self.message_id]
            raise ProtocolError(f"answered with {sent}; expected the answer to {wanted}")
        if len(data) > 8 + length:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")
        return 8 + length


class Listener:
    """A socket that accepts connections at an address."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = _bind(host, port)
        self._socket.setblocking(False)
        name = self._socket.getsockname()
        self.address: Address = (name[0], name[1])

    def fileno(self) -> int:
        """The descriptor, for selectors."""
        return self._socket.fileno()

    def accept(self) -> Connection | None:
        """Return the next connection, or None if there is none."""
        try:
            sock, address = self._socket.accept()
        except (BlockingIOError, ConnectionError):
            return None
        except OSError as error:  # usually because there are no free file descriptors
            logger.warning("nobody can be let in: %s", error.strerror or error)
            time.sleep(PAUSE)  # without the pause, the caller would retry immediately
            return None
        try:
            sock.setblocking(True)
            return Connection(sock, address)
        except OSError:  # the client closed the connection before it was accepted
            sock.close()
            return None

    def close(self) -> None:
        """Stop listening. A second call is a no-op."""
        self._socket.close()


def _bind(host: str, port: int) -> socket.socket:
    try:
        # Prefer IPv4, because clients try it first for localhost.
        families = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = min(families, key=lambda entry: entry[0] != socket.AF_INET)
        dualstack = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        return socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=dualstack)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise GlueError(
                f"port {port} on {host} is in use: stop the other server, choose another --port, "
                f"or join it with --glue {host}:{port}"
            ) from None
        reason = (error.strerror or str(error)).partition(" (while")[0]
        raise AddressError(
            f"cannot listen on {host}:{port} ({reason}): choose another --host or --port"
        ) from None


def connect(host: str, port: int, timeout: float) -> Connection:
    """Connect to a server, and wait up to `timeout` seconds for the server to start.

    One log line tells the user about the wait. If `timeout` is infinite, the caller must log the wait.
    """
    if port == 0:
        raise AddressError(
            f"the port of the server at {host} is 0, which only a server may ask for: "
            f"give the port that it has printed, by --port or RLGLUE_PORT"
        )
    deadline = time.monotonic() + timeout
    announced = timeout == inf
    while True:
        try:
            return _connect_once(host, port, min(_LONGEST_TRY, max(1.0, deadline - time.monotonic())))
        except OSError as error:
            reason = error.strerror or str(error)
        if time.monotonic() + RETRY_SECONDS > deadline:
            raise GlueError(
                f"no server at {host}:{port} within {timeout:g} s ({reason}): start one with `othello glue` "
                f"or an experiment, or wait longer with --connect-timeout"
            )
        if not announced:
            # Python prints a warning even if the program has not set up logging.
            logger.warning("waiting for a server at %s:%d, up to %g s", host, port, timeout)
            announced = True
        time.sleep(RETRY_SECONDS)


def _connect_once(host: str, port: int, timeout: float) -> Connection:
    try:
        sock = socket.create_connection((host, port), timeout)
    except (socket.gaierror, UnicodeError):
        raise AddressError(f"unknown host {host!r}: check --host, or RLGLUE_HOST") from None
    try:
        # If no server listens on the port, TCP may give the port to this socket and connect it to itself.
        if sock.getsockname() == sock.getpeername():
            raise ConnectionRefusedError(errno.ECONNREFUSED, "nobody listens there")
        sock.settimeout(None)
        return Connection(sock, sock.getpeername())
    except BaseException:
        sock.close()
        raise
