"""The connections that a server listens to: which have something to say, and which have had their time."""

import selectors
import time
from contextlib import suppress

from rlglue.net.peer import Peer
from rlglue.net.transport import Listener


class Watchlist:
    """A server's listener and its peers, in the order in which they came."""

    def __init__(self, listener: Listener) -> None:
        # No epoll: it would cost something for every message, and waits for all are rare.
        self._selector = getattr(selectors, "PollSelector", selectors.SelectSelector)()
        self._selector.register(listener, selectors.EVENT_READ, None)
        self._listener = listener
        self._peers: dict[Peer, None] = {}

    def add(self, peer: Peer) -> None:
        """Listen to a peer."""
        self._peers[peer] = None
        self._selector.register(peer.connection, selectors.EVENT_READ, peer)

    def close(self, peer: Peer) -> None:
        """Close a peer's connection and forget it; a second time does nothing."""
        with suppress(KeyError, ValueError):  # by an earlier call, which may have been broken off
            self._selector.unregister(peer.connection)
        peer.connection.close()
        self._peers.pop(peer, None)

    def ready(self, timeout: float) -> tuple[list[Peer], bool]:
        """Wait until somebody can be read, a peer's time is up, or `timeout` seconds are over.

        Gives the peers that can be read, and whether somebody wants to connect.
        """
        events = self._selector.select(self._until_deadline(timeout))
        peers = [key.data for key, _ in events if key.data is not None]
        return peers, len(peers) < len(events)

    def _until_deadline(self, timeout: float) -> float:
        now = time.monotonic()
        return max(0.0, min([timeout, *(peer.deadline - now for peer in self._peers)]))

    def overdue(self) -> list[Peer]:
        """The peers whose time is up."""
        now = time.monotonic()
        return [peer for peer in self._peers if peer.deadline <= now]

    def newcomers(self) -> list[Peer]:
        """The peers that have not said who they are."""
        return [peer for peer in self._peers if not peer.role]

    def leaving(self) -> list[Peer]:
        """The peers that have been told to go and have not closed yet."""
        return [peer for peer in self._peers if peer.leaving]

    def close_listener(self) -> None:
        """Let nobody in any more."""
        self._selector.unregister(self._listener)
        self._listener.close()

    def end(self) -> None:
        """Free what waiting needs; nothing else may be called after it."""
        self._selector.close()
