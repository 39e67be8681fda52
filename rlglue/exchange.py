"""A server's conversation: one request at a time, over the connections of a hub."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from rlglue import wire
from rlglue.errors import PeerLost, ProtocolError
from rlglue.hub import EXPERIMENT, Hub
from rlglue.peer import Peer
from rlglue.transport import BLOCK, OUT_OF_PATIENCE

T = TypeVar("T")

_HEADER: Final = wire.HEADER


def request(hub: Hub, role: str, message_id: int, payload: bytes, decode: Callable[[bytes], T]) -> T:
    """Ask a peer and decode its answer. PeerLost if anyone of the trio goes meanwhile."""
    peer = hub.peers.get(role)
    if peer is None or peer.owes or time.monotonic() > hub.next_look:
        peer = _look_first(hub, role)
    hub.busy_with = message_id
    try:
        # As it usually goes: sent in one piece, answered in one piece. All else is left to the slow way.
        message = _HEADER.pack(message_id, len(payload)) + payload
        sent, data = 0, b""
        try:
            sent = peer.connection.send(message)
            if sent == len(message):
                data = peer.connection.take_soon()
        except OSError:
            pass  # also out of patience; the slow way tells them apart
        if len(data) >= 8 and _HEADER.unpack_from(data) == (message_id, len(data) - 8):
            return decode(data[8:])
        _send(hub, peer, message, sent)
        peer.owes = message_id
        peer.reader.feed(data)
        return decode(_answer(hub, peer))
    except ProtocolError as error:
        raise hub.lose(peer, str(error)) from None
    finally:
        hub.busy_with = 0


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
        hub.poll(3600.0)


def reply(hub: Hub, message_id: int, payload: bytes) -> None:
    """Answer the experiment."""
    _send(hub, _present(hub, EXPERIMENT), wire.encode_message(message_id, payload))


def _present(hub: Hub, role: str) -> Peer:
    hub.raise_if_lost()
    peer = hub.peers.get(role)
    if peer is None:
        raise PeerLost(f"no {role} is connected")
    return peer


def _look_first(hub: Hub, role: str) -> Peer:
    """Look at everybody, and hear the answer that an interrupted request has left outstanding."""
    hub.poll(0)
    peer = _present(hub, role)
    if peer.owes:
        hub.busy_with = peer.owes
        try:
            _answer(hub, peer)
        except ProtocolError as error:
            raise hub.lose(peer, str(error)) from None
        finally:
            hub.busy_with = 0
    return peer


def _send(hub: Hub, peer: Peer, data: bytes, sent: int = 0) -> None:
    while sent < len(data):
        try:
            sent += peer.connection.send(data[sent:])
        except OUT_OF_PATIENCE:  # it does not read; perhaps it or another one is gone
            hub.poll(0)
            _give_up_if_lost(hub, peer, sent)
        except OSError:
            raise hub.lose(peer, peer.farewell()) from None


def _give_up_if_lost(hub: Hub, peer: Peer, sent: int) -> None:
    """Half a message cannot be taken back, so its receiver has to go as well."""
    try:
        hub.raise_if_lost()
    except PeerLost:
        if sent and hub.peers.get(peer.role) is peer:
            hub.lose(peer, "has not read the whole request and cannot be kept in step")
        raise


def _answer(hub: Hub, peer: Peer) -> bytes:
    """The payload of the answer that `peer` owes."""
    while (payload := peer.take_answer()) is None:
        peer.reader.feed(_receive(hub, peer))
    return payload


def _receive(hub: Hub, peer: Peer) -> bytes:
    """Some bytes from a peer that owes an answer, however long it takes."""
    while True:
        try:
            data = peer.connection.recv(BLOCK)
        except OUT_OF_PATIENCE:
            hub.wait_for(peer)
            continue
        except OSError:
            data = b""
        if not data:
            raise hub.lose(peer, peer.farewell())
        return data
