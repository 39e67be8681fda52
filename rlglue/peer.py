"""One connection of a server, and what is known about it."""

from rlglue import wire
from rlglue.errors import ProtocolError
from rlglue.transport import Connection


class Peer:
    """One connection of the server and what is known about it."""

    def __init__(self, connection: Connection, deadline: float) -> None:
        self.connection = connection
        self.reader = connection.reader
        self.role = ""
        # A newcomer must have said who it is, and a leaving peer must have closed, by this time.
        self.deadline = deadline
        self.leaving = False
        # The id of the request that it has not answered yet, 0 if none.
        self.owes = 0

    def __str__(self) -> str:
        return f"the {self.role or 'newcomer'} ({self.connection.address})"

    def take_answer(self) -> bytes | None:
        """The payload of the answer it owes, None while incomplete; ProtocolError if it is something else."""
        message = self.reader.next_message()
        if message is None:
            return None
        if message[0] != self.owes:
            raise ProtocolError(
                f"answered with {wire.NAMES[message[0]]}; expected the answer to {wire.NAMES[self.owes]}"
            )
        self.owes = 0
        self.check_quiet()
        return message[1]

    def check_quiet(self) -> None:
        """ProtocolError if it has said something that nobody asked for."""
        if self.reader.pending:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")

    def farewell(self) -> str:
        """What it did, now that its stream has ended."""
        if self.reader.pending:
            return f"left in the middle of a message ({self.reader.pending} bytes of it came)"
        return "left" if self.role else "closed without a handshake"
