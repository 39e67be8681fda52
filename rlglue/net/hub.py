"""A server's connections: who is there, who comes, who has left.

Every long wait covers all sockets: a peer's death is seen while another one thinks. Whoever breaks the
protocol is dropped, with one line in the log; the others stay.
"""

import logging
import time
from typing import Final

from rlglue.codec import wire
from rlglue.errors import PeerLost, ProtocolError
from rlglue.net.address import Address
from rlglue.net.peer import AGENT, ENVIRONMENT, EXPERIMENT, Peer, Terms
from rlglue.net.transport import LOOKS, TIMED_OUT, Connection, Listener
from rlglue.net.watchlist import Watchlist

logger = logging.getLogger("rlglue")

SOCKET_TIMEOUT: Final = 0.05
"""Seconds that one send or receive may block: a peer as quick as that is waited for alone, at less cost."""

LOOK_EVERY: Final = 0.05
"""Seconds between two looks at everybody while answers come that fast."""

LINGER: Final = 2.0
"""Seconds that a dismissed peer has to close its end."""

_MAX_NEWCOMERS: Final = 128
"""Connections without a handshake. One more drops the oldest: real peers send theirs at once."""

_MAX_ACCEPTS: Final = 64
"""Connections accepted in one look: a few milliseconds' work."""


class Hub:
    """Listens, admits peers and notices when they go."""

    def __init__(self, host: str, port: int, terms: Terms) -> None:
        self._listener = Listener(host, port)
        self.address: Address = self._listener.address
        self._terms = terms
        self._watchlist = Watchlist(self._listener)
        self._closed = False
        self.peers: dict[str, Peer] = {}
        self._losses: list[PeerLost] = []
        self.serving = 0  # the experiment's request in hand, for the log
        self.next_look = 0.0

    # Waiting

    def poll(self, timeout: float, awaited: Peer | None = None) -> bool:
        """Wait up to `timeout` seconds for something to happen anywhere, and deal with it.

        The awaited peer's bytes are left alone; True if it has some.
        """
        ready, connecting = self._watchlist.ready(timeout)
        self.next_look = time.monotonic() + LOOK_EVERY
        for peer in ready:
            if peer is not awaited and peer.connection.fileno() >= 0:  # not closed in this round
                self._on_readable(peer)
        if connecting:
            self._accept()
        for peer in self._watchlist.overdue():
            self._on_overdue(peer)
        return awaited in ready

    def answer_deadline(self) -> float:
        """Return until when a request that is made now is to be answered, by `time.monotonic`."""
        return time.monotonic() + self._terms.answer_timeout

    def wait_for(self, awaited: Peer, deadline: float) -> None:
        """Wait until `awaited` has something to read, and deal with all others.

        PeerLost if one goes, or if `awaited` has nothing in time.
        """
        while not self.poll(min(3600.0, max(0.0, deadline - time.monotonic())), awaited):
            self.raise_if_lost()
            if time.monotonic() >= deadline:
                raise self.lose_late(awaited)
        self.raise_if_lost()

    def lose_late(self, peer: Peer) -> PeerLost:
        """Close the connection of a peer whose answer is not here in time; return what to raise."""
        return self.lose(peer, f"gave no answer within {self._terms.answer_timeout:g} s")

    def _on_overdue(self, peer: Peer) -> None:
        if peer.leaving:
            self._forget(peer)
        else:
            self._drop(peer, f"sent no handshake within {self._terms.handshake_timeout:g} s")

    def _on_readable(self, peer: Peer) -> None:
        """Handle bytes, or the end of the stream, from a peer that is not waited for."""
        try:
            self._receive_from(peer)
        except TIMED_OUT:
            pass
        except ProtocolError as error:
            self._drop(peer, str(error))
        except OSError:
            self._on_end(peer)

    def _receive_from(self, peer: Peer) -> None:
        if peer.pending and not peer.leaving:
            peer.discard_late_reply()
            return
        data = peer.connection.receive()
        if not data:
            self._on_end(peer)
        elif not peer.leaving:
            peer.reader.feed(data)
            self._handle_unasked(peer)

    def _on_end(self, peer: Peer) -> None:
        if peer.leaving:
            self._forget(peer)
        else:
            self._drop(peer, peer.how_it_left())

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
        """Give a new connection some time to say who it is."""
        if len(newcomers := self._watchlist.newcomers()) >= _MAX_NEWCOMERS:
            self._drop(newcomers[0], "sent no handshake while many others came")
        connection.set_timeout(SOCKET_TIMEOUT)
        connection.looks = LOOKS
        connection.reader.limit = 0  # a handshake has no payload
        self._watchlist.add(Peer(connection, time.monotonic() + self._terms.handshake_timeout))

    def _admit(self, peer: Peer, role: str) -> None:
        """Take a newcomer in as what it says it is."""
        if self._turned_away(peer, role):
            return
        self.peers[role] = peer
        peer.role = role
        logger.info("%s connected from %s", role, peer.connection.address)
        peer.check_unasked()

    def _turned_away(self, peer: Peer, role: str) -> bool:
        old = self.peers.get(role)
        reason = self._terms.refused.get(role)
        if old and not reason and not self._terms.replace:
            reason = f"{old} is already connected"
        if reason:
            logger.warning("refused an %s (%s): %s", role, peer.connection.address, reason)
            self._forget(peer)
        elif old:
            self._evict(old)
        return reason is not None

    def _evict(self, old: Peer) -> None:
        logger.warning("%s is replaced", old)
        self._losses.append(PeerLost(f"{old} was replaced{self._during()}"))
        (self._forget if old.role == EXPERIMENT else self._dismiss)(old)

    # Going

    def raise_if_lost(self) -> None:
        """Raise PeerLost if one of the trio has gone since the last call."""
        if self._losses:
            loss, self._losses = self._losses[0], []
            raise loss

    def forget_losses(self) -> None:
        """Continue without the peers that have left; the log names them."""
        self._losses = []

    def lose(self, peer: Peer, reason: str) -> PeerLost:
        """Drop one of the trio; gives the exception to raise."""
        self._drop(peer, reason)
        loss, self._losses = self._losses[0], []
        return loss

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
        """Which request was in hand: one to agent or environment, else the experiment's."""
        asked = [peer.pending.message_id for peer in self.peers.values() if peer.pending]
        message_id = asked[0] if asked else self.serving
        return f" during {wire.NAMES[message_id]}" if message_id else ""

    def _forget(self, peer: Peer) -> None:
        if self.peers.get(peer.role) is peer:
            del self.peers[peer.role]
        self._watchlist.close(peer)

    def release(self, role: str) -> None:
        """Close the connection of that role without a word, if there is one."""
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
        """Stop listening, say kRLTerm to the agent, then the environment, and close everything."""
        if self._closed:
            return
        self._closed = True
        # First of all, so that a client that waits for the next server does not come back to this one.
        self._watchlist.close_listener()
        for role in (AGENT, ENVIRONMENT):
            if role in self.peers:
                self._dismiss(self.peers[role])
        self.release(EXPERIMENT)
        for newcomer in self._watchlist.newcomers():
            self._forget(newcomer)
        while self._watchlist.leaving():
            self.poll(LINGER)
        self._watchlist.end()
