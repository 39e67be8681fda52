"""Errors between agent, environment and experiment."""


class GlueError(Exception):
    """The base class of all errors between agent, environment and experiment."""


class PeerLost(GlueError):
    """An agent, environment or experiment left the server, or the server dropped the connection."""


class ServerLost(GlueError):
    """The server closed the connection to a client without the message kRLTerm."""


class ProtocolError(GlueError, ValueError):
    """The other side sent bytes that the protocol does not allow."""


class RequestError(GlueError, ValueError):
    """A request that an agent cannot carry out, such as an observation that does not fit the task."""


class EncodingError(GlueError, ValueError):
    """This side tried to send a value that cannot be encoded."""


class AddressError(GlueError, ValueError):
    """A host or port that cannot be used."""
