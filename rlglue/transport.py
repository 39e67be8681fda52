"""TCP connections and all socket calls."""

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
from rlglue.errors import AddressError, GlueError

logger = logging.getLogger("rlglue")

BLOCK: Final = 1 << 16  # The maximum number of bytes in one receive.

# The flag for a non-blocking receive, or 0 if the platform has no such flag.
DONT_WAIT: Final = getattr(socket, "MSG_DONTWAIT", 0)

# The errors of a send or receive at its timeout.
TIMED_OUT: Final = (TimeoutError, BlockingIOError)

# The number of connections that may wait for accept. The system may reduce this number.
_BACKLOG: Final = 1024
RETRY_SECONDS: Final = 0.25
_LONGEST_TRY: Final = 60.0  # The timeout of one connection attempt, in seconds.
# Socket options that end a dead connection after 60 seconds. Only TCP_USER_TIMEOUT is in milliseconds.
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 20, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 60_000}


class Connection:
    """One TCP connection, with a reader that splits the received bytes into messages."""

    looks = 0  # The number of non-blocking tries in Pending.receive.

    def __init__(self, sock: socket.socket, address: Address) -> None:
        self._socket = sock
        self.address = f"{address[0]}:{address[1]}"
        self.reader = wire.Reader()
        # Cached for speed, because these methods are called for every message.
        self.recv = sock.recv
        self.send = sock.send
        self.send_all = sock.sendall
        self.fileno = sock.fileno
        self.close = sock.close
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The thinking time of a peer has no limit, but keepalive detects a dead machine within a minute.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    def set_timeout(self, seconds: float) -> None:
        """Set the timeout of a send or receive. At the timeout, the call raises one of TIMED_OUT."""
        # Use kernel timeouts, because a Python timeout costs a poll before every call.
        windows = sys.platform == "win32"
        value = struct.pack("L", int(seconds * 1000)) if windows else struct.pack("ll", 0, int(seconds * 1e6))
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, value)
        except OSError:  # the platform has another layout for these values
            self._socket.settimeout(seconds)

    def finish_sending(self) -> None:
        """End the sent stream. The other side may still send bytes."""
        self._socket.shutdown(socket.SHUT_WR)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections. Raises GlueError if the address cannot be used."""
    try:
        # Prefer IPv4, because clients try IPv4 first for localhost.
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
    """Connect to a server within `timeout` seconds. Raises GlueError if there is no server."""
    if port == 0:
        raise AddressError(
            f"the port of the server at {host} is 0, which only a server may ask for: "
            f"give the port that it has printed, by --port or RLGLUE_PORT"
        )
    deadline = time.monotonic() + timeout
    announced = timeout == inf  # the caller announces an endless wait
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
            # Use a warning, which Python prints even if logging is not configured.
            logger.warning("waiting for a server at %s:%d, up to %g s", host, port, timeout)
            announced = True
        time.sleep(RETRY_SECONDS)


def _connect_once(host: str, port: int, timeout: float) -> Connection:
    try:
        sock = socket.create_connection((host, port), timeout)
    except (socket.gaierror, UnicodeError):
        raise AddressError(f"unknown host {host!r}: check --host, or RLGLUE_HOST") from None
    try:
        # If no server listens on the port, TCP may connect this socket to itself (a self-connection).
        if sock.getsockname() == sock.getpeername():
            raise ConnectionRefusedError(errno.ECONNREFUSED, "nobody listens there")
        sock.settimeout(None)
        return Connection(sock, sock.getpeername())
    except BaseException:
        sock.close()
        raise
