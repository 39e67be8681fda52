"""Errors between the parts of a trio. Every message is one line: what happened, what to do."""


class GlueError(Exception):
    """Something about the connection between agent, environment and experiment failed."""


class PeerLost(GlueError):
    """A peer of this server left, or was dropped because it broke the protocol."""


class ServerLost(GlueError):
    """The server closed a client's connection without saying goodbye (kRLTerm)."""


class ProtocolError(GlueError, ValueError):
    """The bytes of the other side are not what the protocol allows: the other side's fault."""


class RequestError(GlueError, ValueError):
    """A request that an agent cannot carry out, such as an observation that does not fit its task.

    Over a connection it is logged and answered with nothing, an empty action: the wire has no error message,
    and an agent outlives a mistaken experiment.
    """


class EncodingError(GlueError, ValueError):
    """A value of this side cannot be put on the wire: our own fault."""


class AddressError(GlueError, ValueError):
    """A host or port that cannot be used as given."""
