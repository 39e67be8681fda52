"""The connections of a server to its peers: an agent, an environment and an experiment.

While one peer computes, the server watches all sockets.
"""

import logging
import selectors
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any, Final, Self, TypeVar

from rlglue import wire
from rlglue.address import Address, resolve
from rlglue.errors import PeerLost, ProtocolError
from rlglue.requests import Pending
from rlglue.transport import BLOCK, DONT_WAIT, TIMED_OUT, Connection, listen
from rlglue.wire import EXPERIMENT

logger = logging.getLogger("rlglue")

T = TypeVar("T")

# The time in seconds for which a send or receive may block before all sockets are polled.
SOCKET_TIMEOUT: Final = 0.05

LOOK_EVERY: Final = 0.05  # The time in seconds between two polls of all sockets.

# The time in seconds without an answer after which the server logs a line, once for each request.
SILENCE: Final = 60.0

LINGER: Final = 2.0  # The time in seconds in which a peer must close its connection after kRLTerm.

PAUSE: Final = 0.05  # The time in seconds to wait after a failed accept.

# The largest number of connections without a handshake. A further connection closes the oldest one.
_MAX_NEWCOMERS: Final = 128


class Peer(Connection):
    """A connection of the server."""

    looks = 100 if DONT_WAIT else 0
    # All tries take about 60 microseconds, which is often less than a sleep. Agents and environments always
    # sleep, because too many busy processes slow each other down.

    def __init__(self, accepted: tuple[Any, Address], deadline: float) -> None:
        super().__init__(*accepted)
        self.reader.limit = 0  # a handshake has no payload
        self.deadline = deadline
        """The time at which a newcomer is dropped, else infinity."""
        self.role = ""
        self.pending: Pending | None = None
        """The request that the peer has not answered yet."""
        self.set_timeout(SOCKET_TIMEOUT)

    def __str__(self) -> str:
        return f"the {self.role or 'newcomer'} ({self.address})"

    def read_handshake(self) -> str | None:
        """Return the role in a handshake, or None if it is incomplete. Raises ProtocolError if wrong."""
        message = self.reader.next_message()
        if message is None:
            return None
        for role, message_id in wire.HANDSHAKES.items():
            if message_id == message[0]:
                self.reader.limit = wire.MAX_PAYLOAD
                return role
        raise ProtocolError(f"began with {wire.NAMES[message[0]]}; expected a handshake: id 1, 2 or 3")

    def check_unasked(self) -> None:
        """Raise ProtocolError for bytes without a request. Only an experiment may send early requests."""
        waiting = len(self.reader.buffer)
        if self.role == EXPERIMENT and waiting > wire.MAX_PAYLOAD:
            raise ProtocolError(f"has sent {waiting} bytes of requests ahead of the answers")
        if self.role != EXPERIMENT and waiting:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")

    def send_goodbye(self) -> bool:
        """Send kRLTerm. Return False if the peer cannot read it, for example after a part of a request."""
        if self.pending and not (self.pending.unsent or self.pending.is_sent):
            return False
        try:
            self.send_all(wire.encode_message(wire.RL_TERM))
            self.finish_sending()
        except OSError:
            return False
        return True

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

    def how_it_left(self) -> str:
        """Describe for the log how the peer left, after the end of its stream."""
        received = self.pending.received if self.pending else len(self.reader.buffer)
        if received:
            return f"left in the middle of a message ({received} bytes of it came)"
        return "left" if self.role else "closed without a handshake"


class Hub:
    """A part of a server that admits peers, exchanges messages, and notices when a peer leaves.

    Use the hub as a context manager, or call close().
    """

    def __init__(
        self,
        host: str | None = None,
        port: int | None = None,
        *,
        handshake_timeout: float = 10.0,
        experiments: bool = False,
        answer_timeout: float = inf,
        loss_level: int = logging.WARNING,
        on_silence: Callable[[str], None] = logger.warning,
    ) -> None:
        """Bind the port.

        `host` and `port` default to RLGLUE_HOST and RLGLUE_PORT, or else to 127.0.0.1:4096.
        `handshake_timeout` is the time in seconds in which a newcomer must send its handshake.
        `experiments` tells whether experiments may connect. Use False if the server is inside an experiment.
        `answer_timeout` is the time in seconds after which a peer without an answer is dropped.
        `loss_level` is the level of the log line about a peer that has left.
        `on_silence` is called with a text if a peer has not answered for SILENCE seconds.
        """
        self._listener = listen(*resolve(host, port))
        self._listener.setblocking(False)
        self.address: Address = self._listener.getsockname()[:2]
        """The host and port to which the socket is bound. The port is never 0."""
        self._handshake_timeout, self._experiments = handshake_timeout, experiments
        self._answer_timeout, self._loss_level, self._on_silence = answer_timeout, loss_level, on_silence
        # epoll is slower here, because every message costs extra time and waits for all sockets are rare.
        self._selector = getattr(selectors, "PollSelector", selectors.SelectSelector)()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self.peers: dict[str, Peer] = {}
        self._losses: list[PeerLost] = []
        self._closed = False
        self.serving = 0
        """The id of the experiment's current request, or 0."""
        self.next_look = 0.0
        """The time of the next poll of all sockets, on the clock of `time.monotonic`."""
        logger.info("listening on %s:%d", *self.address)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Requests

    def request(self, role: str, call: wire.Call, /, *arguments: Any) -> Any:  # noqa: ANN401 - those of the call
        """Return the answer of the peer with this role. Raises PeerLost if any admitted peer leaves."""
        return self.exchange(role, call.id, call.request.encode(*arguments), call.answer.decode)

    def exchange(self, role: str, message_id: int, payload: bytes, decode: Callable[[bytes], T]) -> T:
        """Return the decoded answer to a request. Raises the same as `request`."""
        peer, now = self.peers.get(role), time.monotonic()
        if peer is None or peer.pending or now > self.next_look:
            self.poll(0)
            peer, now = self._present(role), time.monotonic()
            if peer.pending and not peer.pending.unsent:
                self._complete(peer, peer.pending, now + self._answer_timeout)  # discard an earlier answer
                now = time.monotonic()
        pending = peer.pending = Pending(message_id, payload)
        deadline = now + self._answer_timeout
        try:
            try:
                data = pending.complete(peer, deadline)
            except OSError:  # the peer is slow or has left
                data = self._complete(peer, pending, deadline)
            value = decode(data)
        except ProtocolError as error:
            raise self.lose(peer, str(error)) from None
        peer.pending = None
        return value

    def _complete(self, peer: Peer, pending: Pending, deadline: float) -> bytes:
        notice = time.monotonic() + SILENCE
        while True:
            try:
                return pending.complete(peer, deadline)
            except TIMED_OUT:
                now = time.monotonic()
                if now >= deadline:
                    reason = f"gave no answer within {self._answer_timeout:g} s"
                    raise self.lose(peer, reason) from None
                if now >= notice:
                    self._on_silence(f"no answer from {peer} for {SILENCE:g} s; still waiting")
                    notice = inf
                if pending.is_sent:
                    self.poll(min(notice, deadline) - now, peer)
                else:  # the peer does not read
                    self.poll(0)
                self.raise_if_lost()
            except ProtocolError as error:
                raise self.lose(peer, str(error)) from None
            except OSError:
                raise self.lose(peer, peer.how_it_left()) from None

    def next_request(self) -> wire.Message:
        """Return the next request of the experiment. Raises PeerLost if any admitted peer leaves."""
        while True:
            peer = self._present(EXPERIMENT)
            try:
                message = peer.reader.next_message()
            except ProtocolError as error:
                raise self.lose(peer, str(error)) from None
            if message is not None:
                return message
            self._receive_from_experiment(peer)

    def answer(self, message_id: int, payload: bytes) -> None:
        """Send an answer to the experiment."""
        peer = self._present(EXPERIMENT)
        data = wire.encode_message(message_id, payload)
        sent = 0
        while sent < len(data):
            try:
                sent += peer.send(data[sent:])
            except TIMED_OUT:  # the experiment does not read, so check whether a peer has left
                self.poll(0)
                self.raise_if_lost()
            except OSError:
                raise self.lose(peer, peer.how_it_left()) from None

    def _present(self, role: str) -> Peer:
        self.raise_if_lost()
        peer = self.peers.get(role)
        if peer is None:
            raise PeerLost(f"no {role} is connected")
        return peer

    def _receive_from_experiment(self, peer: Peer) -> None:
        """Wait only for the experiment if all sockets were polled recently, and otherwise for all peers."""
        if time.monotonic() < self.next_look:
            with suppress(OSError):  # the poll below finds out whether the experiment is slow or has left
                if data := peer.recv(BLOCK):
                    peer.reader.buffer += data
                    return
        self.poll(inf)

    # All sockets

    def _connected(self) -> list[Peer]:
        """Return all peers with the newcomers, in the order of arrival."""
        return [key.data for key in self._selector.get_map().values() if key.data]

    def poll(self, timeout: float, awaited: Peer | None = None) -> None:
        """Wait up to `timeout` seconds for an event on any socket, and handle all events.

        Bytes from the peer `awaited` stay unread.
        """
        now = time.monotonic()
        until = min([timeout, 3600.0, *(peer.deadline - now for peer in self._connected())])
        ready = [key.data for key, _ in self._selector.select(max(0.0, until))]
        now = time.monotonic()
        self.next_look = now + LOOK_EVERY
        for peer in ready:
            if peer not in (None, awaited) and peer.fileno() >= 0:  # peer is still open
                self._on_readable(peer)
        if None in ready:  # the listener
            self._accept()
        for peer in self._connected():
            if peer.deadline <= now:
                self._drop(peer, f"sent no handshake within {self._handshake_timeout:g} s")

    def _on_readable(self, peer: Peer) -> None:
        try:
            if peer.pending:  # these bytes answer an interrupted request
                peer.pending.receive(peer)
                if peer.pending.is_sent and peer.pending.answer() is not None:
                    peer.pending = None
            elif not (data := peer.recv(BLOCK)):
                self._drop(peer, peer.how_it_left())
            else:
                peer.reader.buffer += data
                if peer.role:
                    peer.check_unasked()
                elif role := peer.read_handshake():
                    self._admit(peer, role)
        except TIMED_OUT:
            pass
        except ProtocolError as error:
            self._drop(peer, str(error))
        except OSError:
            self._drop(peer, peer.how_it_left())

    # Coming

    def _accept(self) -> None:
        """Accept one connection, so that a crowd cannot stop the server."""
        try:
            accepted = self._listener.accept()
        except (BlockingIOError, ConnectionError):
            return
        except OSError as error:  # usually because there are no free file descriptors
            logger.warning("nobody can be let in: %s", error.strerror or error)
            time.sleep(PAUSE)  # without the pause, the server would retry immediately
            return
        try:
            accepted[0].setblocking(True)
            peer = Peer(accepted, time.monotonic() + self._handshake_timeout)
        except OSError:  # the client closed the connection before it was accepted
            accepted[0].close()
            return
        self.next_look = 0.0  # poll soon, because the handshake comes immediately
        newcomers = [peer for peer in self._connected() if not peer.role]
        if len(newcomers) >= _MAX_NEWCOMERS:
            self._drop(newcomers[0], "sent no handshake while many others came")
        self._selector.register(peer, selectors.EVENT_READ, peer)

    def _admit(self, peer: Peer, role: str) -> None:
        reason = ""
        if role == EXPERIMENT and not self._experiments:
            reason = "this server belongs to the experiment that started it"
        elif role in self.peers:
            reason = f"{self.peers[role]} is already connected"
        if reason:
            logger.warning("refused an %s (%s): %s", role, peer.address, reason)
            self._forget(peer)
            return
        self.peers[role] = peer
        peer.role, peer.deadline = role, inf
        logger.info("%s connected from %s", role, peer.address)
        peer.check_unasked()

    # Going

    def raise_if_lost(self) -> None:
        """Raise PeerLost if an admitted peer has left since the last call."""
        if self._losses:
            loss, self._losses = self._losses[0], []
            raise loss

    def lose(self, peer: Peer, reason: str) -> PeerLost:
        """Drop an admitted peer and return the exception to raise."""
        self._drop(peer, reason)
        loss, self._losses = self._losses[0], []
        return loss

    def _drop(self, peer: Peer, reason: str) -> None:
        during = self._during() if peer.role else ""
        line = f"{peer} {reason}{during}"
        expected = peer.role == EXPERIMENT and not during
        logger.log(logging.INFO if expected else self._loss_level, "%s", line)
        if peer.role:
            self._losses.append(PeerLost(line))
        self._forget(peer)

    def _during(self) -> str:
        pending = [peer.pending.message_id for peer in self.peers.values() if peer.pending]
        message_id = pending[0] if pending else self.serving
        return f" during {wire.NAMES[message_id]}" if message_id else ""

    def _forget(self, peer: Peer) -> None:
        if self.peers.get(peer.role) is peer:
            del self.peers[peer.role]
        with suppress(KeyError, ValueError):  # an earlier call that was interrupted may have done this
            self._selector.unregister(peer)
        peer.close()

    def release(self, role: str) -> None:
        """Close the connection of the peer with this role, if there is one, without kRLTerm."""
        if role in self.peers:
            self._forget(self.peers[role])

    def close(self) -> None:
        """Send kRLTerm to agent and environment, and close all sockets. A second call is a no-op."""
        if self._closed:
            return
        self._closed = True
        # The listener closes first, because a client that waits for the next server must not connect here.
        self._listener.close()
        self.release(EXPERIMENT)
        leaving = [peer for peer in self.peers.values() if peer.send_goodbye()]
        deadline = time.monotonic() + LINGER
        for peer in leaving:
            peer.drain(deadline)
        for peer in self._connected():
            self._forget(peer)
        self._selector.close()
