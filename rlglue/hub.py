"""A server's connections: who is there, who comes, who has left.

Every wait covers all sockets, so that a peer's death is seen while another one thinks. Whoever breaks the
protocol is dropped, with one line in the log; the others stay.
"""

import logging
import selectors
import time
from collections.abc import Iterator
from typing import Final

from rlglue import wire
from rlglue.address import Address
from rlglue.errors import PeerLost, ProtocolError
from rlglue.peer import Peer
from rlglue.transport import OUT_OF_PATIENCE, Listener

logger = logging.getLogger("rlglue")

AGENT: Final = "agent"
ENVIRONMENT: Final = "environment"
EXPERIMENT: Final = "experiment"
_ROLES: Final = {
    wire.AGENT_CONNECTION: AGENT,
    wire.ENVIRONMENT_CONNECTION: ENVIRONMENT,
    wire.EXPERIMENT_CONNECTION: EXPERIMENT,
}

PATIENCE: Final = 0.05
"""Seconds that one send or receive may block. A peer that answers within them is waited for alone, which
costs less than a wait for all."""

LOOK_EVERY: Final = 0.25
"""Seconds between two looks at everybody while answers come that fast."""

LINGER: Final = 2.0
"""Seconds that a dismissed peer has to close its end."""

_MAX_NEWCOMERS: Final = 32


class Hub:
    """Listens, admits peers and notices when they go.

    `refused` names the roles that are not admitted and says why; `replace` lets a second peer of a kind
    take the place of the first, as the historic core did.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        replace: bool = False,
        handshake_timeout: float = 10.0,
        refused: dict[str, str] | None = None,
    ) -> None:
        self._listener = Listener(host, port)
        self.address: Address = self._listener.address
        self._replace = replace
        self._handshake_timeout = handshake_timeout
        self._refused = refused or {}
        # No epoll: it would cost something for every message, and waits for all are rare.
        self._selector = getattr(selectors, "PollSelector", selectors.SelectSelector)()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._closed = False
        self.peers: dict[str, Peer] = {}
        self._timed: set[Peer] = set()
        self._losses: list[PeerLost] = []
        # The experiment's request in hand, and the one made of it to agent or environment: for the log.
        self.serving = 0
        self.busy_with = 0
        self.next_look = 0.0

    # Waiting

    def poll(self, timeout: float) -> None:
        """Wait up to `timeout` seconds for something to happen anywhere, and deal with it."""
        for _ in self._ready(timeout, None):
            pass

    def wait_for(self, awaited: Peer) -> None:
        """Wait until `awaited` has something to read, and deal with all others; PeerLost if one goes."""
        while not list(self._ready(3600.0, awaited)):
            self.raise_if_lost()
        self.raise_if_lost()

    def _ready(self, timeout: float, awaited: Peer | None) -> Iterator[Peer]:
        """Deal with everything that happens; the awaited peer's bytes are left alone and it is yielded."""
        for key, _ in self._selector.select(self._until_deadline(timeout)):
            peer: Peer | None = key.data
            if peer is None:
                self._accept()
            elif peer is awaited:
                yield peer
            elif peer.connection.fileno() >= 0:  # not closed by an earlier event of this round
                self._on_readable(peer)
        self._expire()
        self.next_look = time.monotonic() + LOOK_EVERY

    def _until_deadline(self, timeout: float) -> float:
        now = time.monotonic()
        return max(0.0, min([timeout, *(peer.deadline - now for peer in self._timed)]))

    def _expire(self) -> None:
        now = time.monotonic()
        for peer in [peer for peer in self._timed if peer.deadline <= now]:
            if peer.leaving:
                self._forget(peer)
            else:
                self._drop(peer, f"sent no handshake within {self._handshake_timeout:g} s")

    def _on_readable(self, peer: Peer) -> None:
        """Bytes, or the end of them, came from a peer that is not being waited for."""
        try:
            data = peer.connection.receive()
        except OUT_OF_PATIENCE:
            return
        if not data:
            self._on_end(peer)
        elif not peer.leaving:
            peer.reader.feed(data)
            try:
                self._judge(peer)
            except ProtocolError as error:
                self._drop(peer, str(error))

    def _on_end(self, peer: Peer) -> None:
        if peer.leaving:
            self._forget(peer)
        else:
            self._drop(peer, peer.farewell())

    def _judge(self, peer: Peer) -> None:
        """Decide about bytes that came unasked."""
        if not peer.role:
            self._admit(peer)
        elif peer.role == EXPERIMENT:
            if peer.reader.pending > wire.MAX_PAYLOAD:
                raise ProtocolError(f"has sent {peer.reader.pending} bytes of requests ahead of the answers")
        elif peer.owes:
            peer.take_answer()  # to a request that was broken off; nobody wants it any more
        else:
            peer.check_quiet()

    # Coming

    def _accept(self) -> None:
        connection = self._listener.accept()
        if connection is None:
            return
        if len(self._timed) >= _MAX_NEWCOMERS:
            logger.warning("refused %s: too many connections without a handshake", connection.address)
            connection.close()
            return
        connection.set_patience(PATIENCE)
        connection.reader.limit = 0  # a handshake has no payload
        peer = Peer(connection, time.monotonic() + self._handshake_timeout)
        self._timed.add(peer)
        self._selector.register(connection, selectors.EVENT_READ, peer)

    def _admit(self, peer: Peer) -> None:
        """Take a newcomer in once it has said who it is."""
        message = peer.reader.next_message()
        if message is None:
            return
        role = _ROLES.get(message[0])
        if role is None:
            raise ProtocolError(f"began with {wire.NAMES[message[0]]}; expected a handshake: id 1, 2 or 3")
        if self._turned_away(peer, role):
            return
        peer.reader.limit = wire.MAX_PAYLOAD
        self._timed.discard(peer)
        peer.role = role
        self.peers[role] = peer
        logger.info("%s connected from %s", role, peer.connection.address)
        if role != EXPERIMENT:  # which may send its first request at once
            peer.check_quiet()

    def _turned_away(self, peer: Peer, role: str) -> bool:
        old = self.peers.get(role)
        reason = self._refused.get(role)
        if reason is None and old is not None:
            if self._replace:
                self._evict(old)
            else:
                reason = f"{old} is already connected"
        if reason is None:
            return False
        logger.warning("refused an %s (%s): %s", role, peer.connection.address, reason)
        self._forget(peer)
        return True

    def _evict(self, old: Peer) -> None:
        logger.warning("%s is replaced", old)
        self._losses.append(PeerLost(f"{old} was replaced{self._during()}"))
        if old.role == EXPERIMENT:
            self._forget(old)
        else:
            self._dismiss(old)

    # Going

    def raise_if_lost(self) -> None:
        """Raise PeerLost if one of the trio has gone since the last call."""
        if self._losses:
            raise self._take_loss()

    def forget_losses(self) -> None:
        """Go on without the ones that have gone; the log names them."""
        self._losses = []

    def lose(self, peer: Peer, reason: str) -> PeerLost:
        """Drop one of the trio; gives the exception to raise."""
        self._drop(peer, reason)
        return self._take_loss()

    def _take_loss(self) -> PeerLost:
        loss = self._losses[0]
        self._losses = []
        return loss

    def _drop(self, peer: Peer, reason: str) -> None:
        """Close a peer that left or is at fault, with one line about it in the log."""
        line = f"{peer} {reason}{self._during() if peer.role else ''}"
        expected = peer.role == EXPERIMENT and not self._during()
        logger.log(logging.INFO if expected else logging.WARNING, "%s", line)
        if peer.role:
            self._losses.append(PeerLost(line))
        self._forget(peer)

    def _during(self) -> str:
        message_id = self.busy_with or self.serving
        return f" during {wire.NAMES[message_id]}" if message_id else ""

    def _forget(self, peer: Peer) -> None:
        self._selector.unregister(peer.connection)
        peer.connection.close()
        self._timed.discard(peer)
        if self.peers.get(peer.role) is peer:
            del self.peers[peer.role]

    def release(self, role: str) -> None:
        """Close the connection of that role without a word, if there is one."""
        peer = self.peers.get(role)
        if peer is not None:
            self._forget(peer)

    def _dismiss(self, peer: Peer) -> None:
        """Send kRLTerm and hear the peer out until it closes: historic clients say one thing more."""
        del self.peers[peer.role]
        peer.leaving, peer.deadline = True, time.monotonic() + LINGER
        self._timed.add(peer)
        try:
            peer.connection.send(wire.encode_message(wire.RL_TERM))
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
        self._selector.unregister(self._listener)
        self._listener.close()
        for role in (AGENT, ENVIRONMENT):
            if role in self.peers:
                self._dismiss(self.peers[role])
        self.release(EXPERIMENT)
        for peer in [peer for peer in self._timed if not peer.leaving]:
            self._forget(peer)
        while self._timed:
            self.poll(LINGER)
        self._selector.close()
