"""A server's conversation: one request at a time, over the connections of a hub."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from rlglue.codec import wire
from rlglue.errors import PeerLost, ProtocolError
from rlglue.net.hub import Hub
from rlglue.net.peer import EXPERIMENT, Peer
from rlglue.net.pending import Pending
from rlglue.net.transport import BLOCK, TIMED_OUT

T = TypeVar("T")


def request(hub: Hub, role: str, message_id: int, payload: bytes, decode: Callable[[bytes], T]) -> T:
    """Ask a peer and decode its reply. PeerLost if anyone of the trio goes meanwhile."""
    peer = hub.peers.get(role)
    if peer is None or peer.pending or time.monotonic() > hub.next_look:
        peer = _poll_first(hub, role)
    pending = peer.pending = Pending(message_id, payload)
    try:
        reply = decode(_complete(hub, peer, pending))
    except ProtocolError as error:
        raise hub.lose(peer, str(error)) from None
    peer.pending = None
    return reply


def next_request(hub: Hub) -> wire.Message:
    """The experiment's next request; PeerLost if anyone of the trio goes first."""
    while True:
        peer = _present(hub, EXPERIMENT)
        try:
            message = peer.reader.next_message()
        except ProtocolError as error:
            raise hub.lose(peer, str(error)) from None
        if message is not None:
            return message
        _receive_from_experiment(hub, peer)


def reply(hub: Hub, message_id: int, payload: bytes) -> None:
    """Answer the experiment."""
    peer = _present(hub, EXPERIMENT)
    data = wire.encode_message(message_id, payload)
    sent = 0
    while sent < len(data):
        try:
            sent += peer.connection.send(data[sent:])
        except TIMED_OUT:  # it does not read; perhaps it or another one is gone
            hub.poll(0)
            hub.raise_if_lost()
        except OSError:
            raise hub.lose(peer, peer.how_it_left()) from None


def _present(hub: Hub, role: str) -> Peer:
    hub.raise_if_lost()
    peer = hub.peers.get(role)
    if peer is None:
        raise PeerLost(f"no {role} is connected")
    return peer


def _poll_first(hub: Hub, role: str) -> Peer:
    """Poll all peers, and complete a request that was interrupted; its reply is discarded."""
    hub.poll(0)
    peer = _present(hub, role)
    if peer.pending and not peer.pending.unsent:
        try:
            _complete(hub, peer, peer.pending)
        except ProtocolError as error:
            raise hub.lose(peer, str(error)) from None
    peer.pending = None
    return peer


def _complete(hub: Hub, peer: Peer, pending: Pending) -> bytes:
    """The reply's payload, however long it takes within the time for an answer."""
    deadline = hub.answer_deadline()
    while True:
        try:
            return pending.complete(peer.connection, deadline)
        except TIMED_OUT:
            _on_timeout(hub, peer, pending, deadline)
        except OSError:
            raise hub.lose(peer, peer.how_it_left()) from None


def _on_timeout(hub: Hub, peer: Peer, pending: Pending, deadline: float) -> None:
    """Handle the other peers while this one is slow; PeerLost if one of the trio leaves."""
    if pending.is_sent:
        if pending.received and time.monotonic() >= deadline:
            raise hub.lose_late(peer)
        hub.wait_for(peer, deadline)
        return
    hub.poll(0)
    try:
        hub.raise_if_lost()
    except PeerLost:
        # Half a message cannot be taken back, so its receiver has to go as well.
        if not pending.unsent and hub.peers.get(peer.role) is peer:
            hub.lose(peer, "has not read the whole request and cannot be kept in step")
        raise


def _receive_from_experiment(hub: Hub, peer: Peer) -> None:
    """Wait for the experiment alone while it is quick, else for all peers."""
    if time.monotonic() < hub.next_look:
        with suppress(OSError):  # slow, or gone: the poll below finds out
            if data := peer.connection.recv(BLOCK):
                peer.reader.feed(data)
                return
    hub.poll(3600.0)
