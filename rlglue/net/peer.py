"""One connection of a server, what is known about it, and the terms for all of them."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final

from rlglue.codec import wire
from rlglue.errors import ProtocolError
from rlglue.net.pending import Pending
from rlglue.net.transport import Connection

AGENT: Final = "agent"
ENVIRONMENT: Final = "environment"
EXPERIMENT: Final = "experiment"
_ROLES: Final = {
    wire.AGENT_CONNECTION: AGENT,
    wire.ENVIRONMENT_CONNECTION: ENVIRONMENT,
    wire.EXPERIMENT_CONNECTION: EXPERIMENT,
}


@dataclass(frozen=True)
class Terms:
    """How a server deals with those who connect."""

    replace: bool = False
    """Whether a second peer of a kind takes the place of the first, as in the historic core."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """The roles that are not admitted, and why."""
    handshake_timeout: float = 10.0
    """Seconds in which a newcomer must say who it is."""
    answer_timeout: float = inf
    """A peer that is silent for so many seconds where an answer is due is dropped."""
    loss_level: int = logging.WARNING
    """Of the line in the log about a peer that has gone."""


class Peer:
    """One connection of the server and what is known about it."""

    def __init__(self, connection: Connection, deadline: float) -> None:
        self.connection = connection
        self.reader = connection.reader
        self.role = ""
        self.leaving = False
        self._deadline = deadline
        # The request that it has not answered yet, perhaps one that was broken off.
        self.pending: Pending | None = None

    def __str__(self) -> str:
        return f"the {self.role or 'newcomer'} ({self.connection.address})"

    @property
    def deadline(self) -> float:
        """By when a newcomer must have said who it is, and a leaving peer must have closed."""
        return inf if self.role and not self.leaving else self._deadline

    def leave(self, deadline: float) -> None:
        """It has been told to go and has until then to close its end."""
        self._deadline = deadline
        self.leaving = True

    def introduction(self) -> str | None:
        """The role that a newcomer has named, None while it has not; ProtocolError if it never can."""
        message = self.reader.next_message()
        if message is None:
            return None
        if message[0] not in _ROLES:
            raise ProtocolError(f"began with {wire.NAMES[message[0]]}; expected a handshake: id 1, 2 or 3")
        self.reader.limit = wire.MAX_PAYLOAD
        return _ROLES[message[0]]

    def discard_late_reply(self) -> None:
        """Receive the reply to an interrupted request, and discard it once it is whole."""
        pending = self.pending
        assert pending is not None  # noqa: S101  the caller has looked
        pending.receive(self.connection)
        if pending.is_sent and pending.reply() is not None:
            self.pending = None

    def check_unasked(self) -> None:
        """ProtocolError if it has sent what it may not: only an experiment speaks first."""
        waiting = self.reader.pending
        if self.role == EXPERIMENT and waiting > wire.MAX_PAYLOAD:
            raise ProtocolError(f"has sent {waiting} bytes of requests ahead of the answers")
        if self.role != EXPERIMENT and waiting:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")

    def how_it_left(self) -> str:
        """How the peer left, as words for the log: its stream has ended."""
        came = self.pending.received if self.pending else self.reader.pending
        if came:
            return f"left in the middle of a message ({came} bytes of it came)"
        return "left" if self.role else "closed without a handshake"
