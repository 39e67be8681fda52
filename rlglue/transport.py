"""TCP: connections, the listener, and one request with its answer.

Nothing else in this project imports `socket`.
"""

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
"""The largest number of bytes of one receive: enough for any usual message."""

DONT_WAIT: Final = getattr(socket, "MSG_DONTWAIT", 0)
"""The flag of a receive that does not wait; 0 if the platform has none."""

LOOKS: Final = 100 if DONT_WAIT else 0
"""Receives without waiting that a server tries before it sleeps: some 60 microseconds. Waking up costs this
process and its waker at least as much where an idle virtual machine gives its cores back. Only the server
spins: on two cores a third process that stays awake would take the time of the two others."""

PAUSE: Final = 0.05
"""The seconds to wait after a failed accept."""

RETRY_SECONDS: Final = 0.25
_LONGEST_TRY: Final = 60.0
"""The most seconds of one attempt to connect."""
_BACKLOG: Final = 1024
"""Connections that the system keeps until they are accepted; it may keep fewer."""
_KEEPALIVE: Final = {
    "TCP_KEEPIDLE": 20,
    "TCP_KEEPINTVL": 10,
    "TCP_KEEPCNT": 4,
    "TCP_USER_TIMEOUT": 60_000,
}
"""Socket options: seconds of silence before the first probe, seconds between probes, how many probes, and
milliseconds that sent bytes may stay unconfirmed. Either limit ends a connection after 60 seconds."""
_SIZES: Final = (BLOCK,)
_AT_ONCE: Final = (DONT_WAIT,)
_unpack_header: Final = wire.HEADER.unpack_from

TIMED_OUT: Final = (TimeoutError, BlockingIOError)
"""The errors of a send or receive that takes longer than the timeout of set_timeout."""


class Connection:
    """One TCP connection: bytes out, bytes in, and the reader that makes messages of them."""

    def __init__(self, sock: socket.socket, address: Address) -> None:
        self._socket = sock
        self.address = f"{address[0]}:{address[1]}"
        self.reader = wire.Reader()
        # Bound once: these are called for every message.
        self.recv = sock.recv
        self.looks = 0
        """Receives to try before sleeping; a server sets it to LOOKS."""
        self.send = sock.send
        self.send_all = sock.sendall
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A peer may think for ever, but a machine that does not answer is noticed within a minute.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def fileno(self) -> int:
        """The descriptor, for selectors."""
        return self._socket.fileno()

    def set_timeout(self, seconds: float) -> None:
        """Limit the seconds of one send or receive; a longer one raises TimeoutError or BlockingIOError."""
        # Timeouts of the kernel: those of Python cost a poll before every call.
        windows = sys.platform == "win32"
        value = struct.pack("L", int(seconds * 1000)) if windows else struct.pack("ll", 0, int(seconds * 1e6))
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, value)
        except OSError:  # a platform that lays these out in another way
            self._socket.settimeout(seconds)

    def receive(self) -> bytes:
        """Receive some bytes; return none at the end of the stream or after a reset."""
        try:
            return self.recv(BLOCK)
        except TIMED_OUT:
            raise
        except OSError:
            return b""

    def finish_sending(self) -> None:
        """Announce the end of the stream; the other side may still send."""
        with contextlib.suppress(OSError):  # already gone
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close; a second time does nothing."""
        self._socket.close()


class Pending:
    """One request and its answer, as far as they have come: from before the first byte goes out until the
    whole answer is here.

    An exception may come between any two steps of Python: Ctrl-C in a notebook, a timer. So the caller stores
    the Pending where the next call finds it, and removes it with one assignment when the answer is here. The
    next call goes on from wherever this one was interrupted:

        state                          what may follow
        -----------------------------  ---------------------------------------------------------------
        nothing is sent                sending; or it is forgotten, as if it had never been
        a part is sent                 sending the rest, since half a message cannot be taken back
        all is sent                    receiving
        the answer is here in part     receiving the rest
        the answer is here             decoding it, or discarding it; then the next request
        the connection failed          closing it: an error that says who left
    """

    __slots__ = ("_message", "_needed", "_received", "_sent", "message_id")

    def __init__(self, message_id: int, payload: bytes) -> None:
        self.message_id = message_id
        self._message = wire.encode_message(message_id, payload)
        self._sent: list[int] = []
        self._received: list[bytes] = []
        self._needed = 8
        """Bytes of the answer that are needed to go on: those of the header, then all."""

    @property
    def unsent(self) -> bool:
        """Whether no byte of the request is sent."""
        return not self._sent

    @property
    def is_sent(self) -> bool:
        """Whether the whole request is sent."""
        return sum(self._sent) == len(self._message)

    @property
    def received(self) -> int:
        """Bytes of the answer that are here."""
        return sum(map(len, self._received))

    def complete(self, connection: Connection, deadline: float = inf) -> bytes:
        """Send what is left and receive until the answer is whole; return its payload.

        May be called again after any exception that is not the connection's fault. Raises OSError if the
        connection fails or ends, one of TIMED_OUT as set_timeout says or if only a part of the answer is
        here at the deadline, ProtocolError for bytes that are no answer.
        """
        # send and recv are each called, and their outcome is stored, within one call in C: map is lazy, and
        # extend exhausts it. So no exception can come between, and no byte goes or comes uncounted.
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
        """Take some bytes of the answer; raises OSError, at the end of the stream too."""
        pieces = self._received
        for _ in range(connection.looks):  # without sleeping
            try:
                pieces.extend(map(connection.recv, _SIZES, _AT_ONCE))
                break
            except BlockingIOError:
                pass
        else:
            pieces.extend(map(connection.recv, _SIZES))
        if not pieces[-1]:
            raise ConnectionAbortedError("the stream has ended")
        # Joined so that they stay few however small they come, and no byte is copied more than a few times.
        while len(pieces) > 1 and len(pieces[-1]) >= len(pieces[-2]):
            pieces[-2:] = [pieces[-2] + pieces[-1]]

    def answer(self) -> bytes | None:
        """Return the answer's payload, None while it is incomplete; ProtocolError if it is something else."""
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
        """Return the size of an answer that comes in pieces; ProtocolError if it never can be the answer."""
        message_id, length = wire.read_header(data)
        if message_id != self.message_id:
            sent, wanted = wire.NAMES[message_id], wire.NAMES[self.message_id]
            raise ProtocolError(f"answered with {sent}; expected the answer to {wanted}")
        if len(data) > 8 + length:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")
        return 8 + length


class Listener:
    """A bound, listening socket."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = _bind(host, port)
        self._socket.setblocking(False)
        name = self._socket.getsockname()
        self.address: Address = (name[0], name[1])

    def fileno(self) -> int:
        """The descriptor, for selectors."""
        return self._socket.fileno()

    def accept(self) -> Connection | None:
        """Return the next connection, None if there is none after all."""
        try:
            sock, address = self._socket.accept()
        except (BlockingIOError, ConnectionError):
            return None
        except OSError as error:  # no file descriptors left, as a rule
            logger.warning("nobody can be let in: %s", error.strerror or error)
            time.sleep(PAUSE)  # the connection stays pending, and the caller must not spin
            return None
        try:
            sock.setblocking(True)
            return Connection(sock, address)
        except OSError:  # closed between its connect and our accept
            sock.close()
            return None

    def close(self) -> None:
        """Stop listening; a second time does nothing."""
        self._socket.close()


def _bind(host: str, port: int) -> socket.socket:
    try:
        # IPv4 first: that is where clients look for localhost.
        families = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = min(families, key=lambda entry: entry[0] != socket.AF_INET)
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            # On Windows SO_REUSEADDR would let two servers share the port.
            exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
            sock.setsockopt(socket.SOL_SOCKET, exclusive or socket.SO_REUSEADDR, 1)
            sock.bind(address)
            sock.listen(_BACKLOG)
        except BaseException:
            sock.close()
            raise
        return sock
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise GlueError(
                f"port {port} on {host} is in use: stop the other server, choose another --port, "
                f"or join it with --glue {host}:{port}"
            ) from None
        reason = error.strerror or str(error)
        raise AddressError(
            f"cannot listen on {host}:{port} ({reason}): choose another --host or --port"
        ) from None


def connect(host: str, port: int, timeout: float) -> Connection:
    """Connect to a server; wait up to `timeout` seconds for it to start, and log that once.

    A wait without a limit is not logged here: the caller logs how to end it.
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
            # A warning, so that a program that has not set up logging prints it.
            logger.warning("waiting for a server at %s:%d, up to %g s", host, port, timeout)
            announced = True
        time.sleep(RETRY_SECONDS)


def _connect_once(host: str, port: int, timeout: float) -> Connection:
    try:
        sock = socket.create_connection((host, port), timeout)
    except (socket.gaierror, UnicodeError):
        raise AddressError(f"unknown host {host!r}: check --host, or RLGLUE_HOST") from None
    try:
        # On a free port of the ephemeral range TCP may connect a socket to itself.
        if sock.getsockname() == sock.getpeername():
            raise ConnectionRefusedError(errno.ECONNREFUSED, "nobody listens there")
        sock.settimeout(None)
        return Connection(sock, sock.getpeername())
    except BaseException:
        sock.close()
        raise
