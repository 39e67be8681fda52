"""TCP, and nothing else in this project imports `socket`."""

import contextlib
import errno
import logging
import socket
import struct
import sys
import time
from math import inf
from typing import Final

from rlglue.codec import wire
from rlglue.errors import AddressError, GlueError
from rlglue.net.address import Address

logger = logging.getLogger("rlglue")

BLOCK: Final = 1 << 16
"""How many bytes are taken from the network at once: any usual message whole."""

DONT_WAIT: Final = getattr(socket, "MSG_DONTWAIT", 0)
"""The flag of a receive that gives up at once; 0 where there is none."""

LOOKS: Final = 100 if DONT_WAIT else 0
"""How often a server looks for a reply before it sleeps: some 60 microseconds. To be woken costs that much
and more, of this process and of the one that wakes it, where an idle virtual machine gives its cores back.
Only the server looks: on two cores a third process that stays awake would take the time of the two others."""

PAUSE: Final = 0.05
"""Seconds to wait after an accept has failed."""

RETRY_SECONDS: Final = 0.25
_LONGEST_TRY: Final = 60.0
"""Seconds that one attempt to connect may take."""
_BACKLOG: Final = 1024
"""Connections that the system keeps until they are accepted; it may keep fewer."""

TIMED_OUT: Final = (TimeoutError, BlockingIOError)
"""What a send or receive raises when it took longer than set_timeout allows."""


class Connection:
    """One TCP connection: bytes out, bytes in, and the reader that makes messages of them."""

    def __init__(self, sock: socket.socket, address: Address) -> None:
        self._socket = sock
        self.address = f"{address[0]}:{address[1]}"
        self.reader = wire.Reader()
        # Bound once: these are called for every message.
        self.recv = sock.recv
        self.looks = 0
        """How often to look for a reply before sleeping; a server sets it to LOOKS."""
        self.send = sock.send
        self.send_all = sock.sendall
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A peer may think for ever, but a machine that lost its power is noticed some time.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def fileno(self) -> int:
        """The descriptor, for selectors."""
        return self._socket.fileno()

    def set_timeout(self, seconds: float) -> None:
        """How long one send or receive may block before it raises TimeoutError or BlockingIOError."""
        # The kernel's own time-outs: those of Python cost a poll before every call.
        windows = sys.platform == "win32"
        value = struct.pack("L", int(seconds * 1000)) if windows else struct.pack("ll", 0, int(seconds * 1e6))
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, value)
        except OSError:  # a platform that lays these out in another way
            self._socket.settimeout(seconds)

    def receive(self) -> bytes:
        """Some bytes; none at the end of the stream, which a reset is too."""
        try:
            return self.recv(BLOCK)
        except TIMED_OUT:
            raise
        except OSError:
            return b""

    def finish_sending(self) -> None:
        """Say that no more bytes follow; the other side may still send."""
        with contextlib.suppress(OSError):  # already gone
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close; a second time does nothing."""
        self._socket.close()


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
        """The next connection, None if there is none after all."""
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
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # Elsewhere than on Unix this option would let two servers share the port.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(_BACKLOG)
    except OSError as error:
        sock.close()
        raise _bind_error(host, port, error) from None
    return sock


def _bind_error(host: str, port: int, error: OSError) -> GlueError:
    if error.errno == errno.EADDRINUSE:
        return GlueError(
            f"port {port} on {host} is in use: stop the other server, choose another --port, "
            f"or join it with --glue {host}:{port}"
        )
    reason = error.strerror or str(error)
    return AddressError(f"cannot listen on {host}:{port} ({reason}): choose another --host or --port")


def connect(host: str, port: int, timeout: float) -> Connection:
    """Connect to a server; wait up to `timeout` seconds for it to start, and log that once.

    A wait without a limit is not logged here: its caller says how it ends.
    """
    if port == 0:
        raise AddressError(
            f"the port of the server at {host} is 0, which only a server may ask for: "
            f"give the port that it has printed, by --port or RLGLUE_PORT"
        )
    deadline = time.monotonic() + timeout
    said = timeout == inf
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
        if not said:
            logger.info("waiting for a server at %s:%d, up to %g s", host, port, timeout)
            said = True
        time.sleep(RETRY_SECONDS)


def _connect_once(host: str, port: int, timeout: float) -> Connection:
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.settimeout(timeout)
        sock.connect((host, port))
        # On a free port of the ephemeral range TCP may connect a socket to itself.
        if sock.getsockname() == sock.getpeername():
            raise ConnectionRefusedError(errno.ECONNREFUSED, "nobody listens there")
        sock.settimeout(None)
        return Connection(sock, sock.getpeername())
    except (socket.gaierror, UnicodeError):
        sock.close()
        raise AddressError(f"unknown host {host!r}: check --host, or RLGLUE_HOST") from None
    except BaseException:
        sock.close()
        raise
