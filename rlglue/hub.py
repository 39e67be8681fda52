"""A server's connections and its conversation: who is connected, and one request at a time.

Every long wait covers all sockets: the server notices that a peer has left while another one thinks. A peer
that breaks the protocol is dropped, with one line in the log; the others stay.
"""

import logging
import time
from contextlib import suppress
from math import inf
from typing import Any, Final

from rlglue import wire
from rlglue.address import Address
from rlglue.errors import PeerLost, ProtocolError
from rlglue.peers import AGENT, ENVIRONMENT, EXPERIMENT, Peer, Terms, Watchlist
from rlglue.transport import BLOCK, LOOKS, TIMED_OUT, Connection, Listener, Pending

logger = logging.getLogger("rlglue")

SOCKET_TIMEOUT: Final = 0.05
"""Seconds that one send or receive may block: a peer as quick as that is waited for alone, at less cost."""

LOOK_EVERY: Final = 0.05
"""Seconds between two looks at all sockets while answers come that fast."""

SILENCE: Final = 60.0
"""Seconds without an answer after which a server says so, once for each request."""

LINGER: Final = 2.0
"""Seconds that a dismissed peer has to close its end."""

_MAX_NEWCOMERS: Final = 128
"""Connections without a handshake. One more drops the oldest: real peers send theirs at once."""

_MAX_ACCEPTS: Final = 64
"""Connections accepted in one look: a few milliseconds' work."""


class Hub:
    """Listens, admits peers, exchanges messages with them, and notices when they leave."""

    def __init__(self, host: str, port: int, terms: Terms) -> None:
        self._listener = Listener(host, port)
        self.address: Address = self._listener.address
        self._terms = terms
        self._watchlist = Watchlist(self._listener)
        self._closed = False
        self.peers: dict[str, Peer] = {}
        self._losses: list[PeerLost] = []
        self.serving = 0
        """The id of the experiment's request that is being answered, for the log."""
        self.next_look = 0.0
        """When to look at all sockets again, by `time.monotonic`."""

    # Requests

    def request(
        self,
        role: str,
        message_id: int,
        encode: wire.Encode,
        decode: wire.Decode,
        /,
        *arguments: Any,  # noqa: ANN401 - those of the call
    ) -> Any:  # noqa: ANN401 - likewise
        """Call a method of a peer. PeerLost if one of the trio leaves meanwhile."""
        payload = encode(*arguments)
        peer, now = self.peers.get(role), time.monotonic()
        if peer is None or peer.pending or now > self.next_look:
            peer, now = self._poll_first(role), time.monotonic()
        pending = peer.pending = Pending(message_id, payload)
        deadline = now + self._terms.answer_timeout
        try:
            try:
                data = pending.complete(peer.connection, deadline)
            except OSError:  # slow, or gone
                data = self._complete(peer, pending, deadline)
            value = decode(data)
        except ProtocolError as error:
            raise self.lose(peer, str(error)) from None
        peer.pending = None
        return value

    def next_request(self) -> wire.Message:
        """Return the experiment's next request; PeerLost if one of the trio leaves first."""
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
        """Answer the experiment."""
        peer = self._present(EXPERIMENT)
        data = wire.encode_message(message_id, payload)
        sent = 0
        while sent < len(data):
            try:
                sent += peer.connection.send(data[sent:])
            except TIMED_OUT:  # it does not read; perhaps it or another one is gone
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

    def _poll_first(self, role: str) -> Peer:
        """Poll all peers, and complete a request that was interrupted; its answer is discarded."""
        self.poll(0)
        peer = self._present(role)
        if peer.pending and not peer.pending.unsent:
            try:
                self._complete(peer, peer.pending, time.monotonic() + self._terms.answer_timeout)
            except ProtocolError as error:
                raise self.lose(peer, str(error)) from None
        peer.pending = None
        return peer

    def _complete(self, peer: Peer, pending: Pending, deadline: float) -> bytes:
        """Return the answer's payload, however long it takes until the deadline."""
        while True:
            try:
                return pending.complete(peer.connection, deadline)
            except TIMED_OUT:
                self._on_timeout(peer, pending, deadline)
            except OSError:
                raise self.lose(peer, peer.how_it_left()) from None

    def _on_timeout(self, peer: Peer, pending: Pending, deadline: float) -> None:
        """Handle the other peers while this one is slow; PeerLost if one of the trio leaves."""
        if pending.is_sent:
            if pending.received and time.monotonic() >= deadline:
                raise self._lose_late(peer)
            self._wait_for(peer, deadline)
            return
        self.poll(0)
        try:
            self.raise_if_lost()
            if time.monotonic() >= deadline:
                raise self._lose_late(peer)
        except PeerLost:
            # Half a message cannot be taken back, so its receiver has to go as well.
            if not pending.unsent and self.peers.get(peer.role) is peer:
                self.lose(peer, "has not read the whole request and cannot be kept in step")
            raise

    def _wait_for(self, awaited: Peer, deadline: float) -> None:
        """Wait until `awaited` has something to read, and deal with all others.

        PeerLost if one leaves, or if `awaited` has nothing in time.
        """
        notice = time.monotonic() + SILENCE
        while not self.poll(min(3600.0, max(0.0, min(notice, deadline) - time.monotonic())), awaited):
            self.raise_if_lost()
            if time.monotonic() >= deadline:
                raise self._lose_late(awaited)
            if time.monotonic() >= notice:
                self._terms.on_silence(f"no answer from {awaited} for {SILENCE:g} s; still waiting")
                notice = inf
        self.raise_if_lost()

    def _lose_late(self, peer: Peer) -> PeerLost:
        return self.lose(peer, f"gave no answer within {self._terms.answer_timeout:g} s")

    def _receive_from_experiment(self, peer: Peer) -> None:
        """Wait for the experiment alone while it is quick, else for all peers."""
        if time.monotonic() < self.next_look:
            with suppress(OSError):  # slow, or gone: the poll below finds out
                if data := peer.connection.recv(BLOCK):
                    peer.reader.feed(data)
                    return
        self.poll(3600.0)

    # All sockets

    def poll(self, timeout: float, awaited: Peer | None = None) -> bool:
        """Wait up to `timeout` seconds for something to happen on any socket, and deal with it.

        The awaited peer's bytes are left alone; True if it has some.
        """
        ready, connecting = self._watchlist.ready(timeout)
        now = time.monotonic()
        self.next_look = now + LOOK_EVERY
        for peer in ready:
            if peer is not awaited and peer.connection.fileno() >= 0:  # not closed in this round
                self._on_readable(peer)
        if connecting:
            self._accept()
        for peer in [peer for peer in self._watchlist.peers if peer.deadline <= now]:
            if peer.leaving:
                self._forget(peer)
            else:
                self._drop(peer, f"sent no handshake within {self._terms.handshake_timeout:g} s")
        return awaited in ready

    def _on_readable(self, peer: Peer) -> None:
        """Handle bytes, or the end of the stream, from a peer that is not waited for."""
        try:
            if peer.pending and not peer.leaving:
                peer.discard_late_answer(peer.pending)
            elif not (data := peer.connection.receive()):
                self._on_end(peer)
            elif not peer.leaving:
                peer.reader.feed(data)
                self._handle_unasked(peer)
        except TIMED_OUT:
            pass
        except ProtocolError as error:
            self._drop(peer, str(error))
        except OSError:
            self._on_end(peer)

    def _handle_unasked(self, peer: Peer) -> None:
        """Handle bytes that came unasked: a handshake, or what this peer may not send."""
        if peer.role:
            peer.check_unasked()
        elif role := peer.introduction():
            self._admit(peer, role)

    # Coming

    def _accept(self) -> None:
        """Accept new connections; the next poll follows soon, since their handshakes will come at once."""
        for _ in range(_MAX_ACCEPTS):
            connection = self._listener.accept()
            if connection is None:
                return
            self.next_look = 0.0
            self._greet(connection)

    def _greet(self, connection: Connection) -> None:
        """Give a new connection some time to send its handshake."""
        newcomers = [peer for peer in self._watchlist.peers if not peer.role]
        if len(newcomers) >= _MAX_NEWCOMERS:
            self._drop(newcomers[0], "sent no handshake while many others came")
        connection.set_timeout(SOCKET_TIMEOUT)
        connection.looks = LOOKS
        connection.reader.limit = 0  # a handshake has no payload
        self._watchlist.add(Peer(connection, time.monotonic() + self._terms.handshake_timeout))

    def _admit(self, peer: Peer, role: str) -> None:
        """Admit a newcomer in the role of its handshake, or turn it away."""
        old = self.peers.get(role)
        reason = self._terms.refused.get(role)
        if old and not reason and not self._terms.replace:
            reason = f"{old} is already connected"
        if reason:
            logger.warning("refused an %s (%s): %s", role, peer.connection.address, reason)
            self._forget(peer)
            return
        if old:
            logger.warning("%s is replaced", old)
            self._losses.append(PeerLost(f"{old} was replaced{self._during()}"))
            (self._forget if role == EXPERIMENT else self._dismiss)(old)
        self.peers[role] = peer
        peer.role = role
        logger.info("%s connected from %s", role, peer.connection.address)
        peer.check_unasked()

    # Going

    def raise_if_lost(self) -> None:
        """Raise PeerLost if one of the trio has left since the last call."""
        if self._losses:
            loss, self._losses = self._losses[0], []
            raise loss

    def forget_losses(self) -> None:
        """Continue without the peers that have left; the log names them."""
        self._losses = []

    def lose(self, peer: Peer, reason: str) -> PeerLost:
        """Drop one of the trio; return the exception to raise."""
        self._drop(peer, reason)
        loss, self._losses = self._losses[0], []
        return loss

    def _on_end(self, peer: Peer) -> None:
        if peer.leaving:
            self._forget(peer)
        else:
            self._drop(peer, peer.how_it_left())

    def _drop(self, peer: Peer, reason: str) -> None:
        """Close a peer that left or is at fault, with one line about it in the log."""
        during = self._during() if peer.role else ""
        line = f"{peer} {reason}{during}"
        expected = peer.role == EXPERIMENT and not during
        logger.log(logging.INFO if expected else self._terms.loss_level, "%s", line)
        if peer.role:
            self._losses.append(PeerLost(line))
        self._forget(peer)

    def _during(self) -> str:
        """Name the request in progress: one to agent or environment, else the experiment's."""
        pending = [peer.pending.message_id for peer in self.peers.values() if peer.pending]
        message_id = pending[0] if pending else self.serving
        return f" during {wire.NAMES[message_id]}" if message_id else ""

    def _forget(self, peer: Peer) -> None:
        if self.peers.get(peer.role) is peer:
            del self.peers[peer.role]
        self._watchlist.close(peer)

    def release(self, role: str) -> None:
        """Close the connection of that role without a goodbye, if there is one."""
        if role in self.peers:
            self._forget(self.peers[role])

    def _dismiss(self, peer: Peer) -> None:
        """Send kRLTerm and read until the peer closes: historic clients send one message more."""
        peer.leave(time.monotonic() + LINGER)
        del self.peers[peer.role]
        if peer.pending and not (peer.pending.unsent or peer.pending.is_sent):
            self._forget(peer)  # it would take kRLTerm for the rest of its request
            return
        try:
            peer.connection.send_all(wire.encode_message(wire.RL_TERM))
        except OSError:
            self._forget(peer)
            return
        peer.connection.finish_sending()

    def close(self) -> None:
        """Stop listening, send kRLTerm to the agent, then the environment, and close everything."""
        if self._closed:
            return
        self._closed = True
        # First of all, so that a client that waits for the next server does not come back to this one.
        self._watchlist.close_listener()
        for role in (AGENT, ENVIRONMENT):
            if role in self.peers:
                self._dismiss(self.peers[role])
        self.release(EXPERIMENT)
        for newcomer in [peer for peer in self._watchlist.peers if not peer.role]:
            self._forget(newcomer)
        while any(peer.leaving for peer in self._watchlist.peers):
            self.poll(LINGER)
        self._watchlist.end()
