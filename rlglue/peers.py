"""The connections of a server: the state of each, the terms for all, and which of them can be read."""

import logging
import selectors
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Final

from rlglue import wire
from rlglue.errors import ProtocolError
from rlglue.transport import Connection, Listener, Pending

AGENT: Final = "agent"
ENVIRONMENT: Final = "environment"
EXPERIMENT: Final = "experiment"
logger = logging.getLogger("rlglue")
_ROLES: Final = {
    wire.AGENT_CONNECTION: AGENT,
    wire.ENVIRONMENT_CONNECTION: ENVIRONMENT,
    wire.EXPERIMENT_CONNECTION: EXPERIMENT,
}


@dataclass(frozen=True)
class Terms:
    """How a server treats the programs that connect."""

    replace: bool = False
    """Whether a second peer of a kind takes the place of the first, as in the historic core."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """The roles that are not admitted, and why."""
    handshake_timeout: float = 10.0
    """Seconds in which a newcomer must send its handshake."""
    answer_timeout: float = inf
    """Seconds of silence where an answer is due, after which a peer is dropped."""
    loss_level: int = logging.WARNING
    """Level of the log line about a peer that has left."""
    on_silence: Callable[[str], None] = logger.warning
    """Takes the line about a peer that has not answered for a long time."""


class Peer:
    """One connection of the server."""

    def __init__(self, connection: Connection, deadline: float) -> None:
        self.connection = connection
        self.reader = connection.reader
        self.role = ""
        self.leaving = False
        self._deadline = deadline
        self.pending: Pending | None = None
        """The request that it has not answered yet, perhaps one that was interrupted."""

    def __str__(self) -> str:
        return f"the {self.role or 'newcomer'} ({self.connection.address})"

    @property
    def deadline(self) -> float:
        """When the time of a newcomer to send its handshake ends, or that of a leaving peer to close."""
        return inf if self.role and not self.leaving else self._deadline

    def leave(self, deadline: float) -> None:
        """Mark it as dismissed; it has until the deadline to close its end."""
        self._deadline = deadline
        self.leaving = True

    def introduction(self) -> str | None:
        """Return the role in a newcomer's handshake, None while it is incomplete; may raise ProtocolError."""
        message = self.reader.next_message()
        if message is None:
            return None
        if message[0] not in _ROLES:
            raise ProtocolError(f"began with {wire.NAMES[message[0]]}; expected a handshake: id 1, 2 or 3")
        self.reader.limit = wire.MAX_PAYLOAD
        return _ROLES[message[0]]

    def discard_late_answer(self, pending: Pending) -> None:
        """Receive the answer to an interrupted request, and discard it once it is whole."""
        pending.receive(self.connection)
        if pending.is_sent and pending.answer() is not None:
            self.pending = None

    def check_unasked(self) -> None:
        """ProtocolError if it has sent what it may not: only an experiment speaks first."""
        waiting = len(self.reader.buffer)
        if self.role == EXPERIMENT and waiting > wire.MAX_PAYLOAD:
            raise ProtocolError(f"has sent {waiting} bytes of requests ahead of the answers")
        if self.role != EXPERIMENT and waiting:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")

    def how_it_left(self) -> str:
        """Return, for the log, how a peer left whose stream has ended."""
        came = self.pending.received if self.pending else len(self.reader.buffer)
        if came:
            return f"left in the middle of a message ({came} bytes of it came)"
        return "left" if self.role else "closed without a handshake"


class Watchlist:
    """A server's listener and its peers, in the order in which they came."""

    def __init__(self, listener: Listener) -> None:
        # No epoll: it would cost something for every message, and waits for all are rare.
        self._selector = getattr(selectors, "PollSelector", selectors.SelectSelector)()
        self._selector.register(listener, selectors.EVENT_READ, None)
        self._listener = listener
        self.peers: dict[Peer, None] = {}

    def add(self, peer: Peer) -> None:
        """Listen to a peer."""
        self.peers[peer] = None
        self._selector.register(peer.connection, selectors.EVENT_READ, peer)

    def close(self, peer: Peer) -> None:
        """Close a peer's connection and forget it; a second time does nothing."""
        with suppress(KeyError, ValueError):  # by an earlier call, which may have been interrupted
            self._selector.unregister(peer.connection)
        peer.connection.close()
        self.peers.pop(peer, None)

    def ready(self, timeout: float) -> tuple[list[Peer], bool]:
        """Wait until a peer can be read, a peer's deadline has come, or `timeout` seconds are over.

        Returns the peers that can be read, and whether somebody wants to connect.
        """
        now = time.monotonic()
        until = min([timeout, *(peer.deadline - now for peer in self.peers)])
        events = self._selector.select(max(0.0, until))
        peers = [key.data for key, _ in events if key.data is not None]
        return peers, len(peers) < len(events)

    def close_listener(self) -> None:
        """Accept no more connections."""
        self._selector.unregister(self._listener)
        self._listener.close()

    def end(self) -> None:
        """Free what waiting needs; nothing else may be called after it."""
        self._selector.close()
