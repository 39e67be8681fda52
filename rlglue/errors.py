"""Errors between agent, environment and experiment. A message is one line: what happened and what to do."""


class GlueError(Exception):
    """The base class: a failure between agent, environment and experiment."""


class PeerLost(GlueError):
    """A peer of this server left, or was dropped because it broke the protocol."""


class ServerLost(GlueError):
    """The server closed a client's connection without saying goodbye (kRLTerm)."""


class ProtocolError(GlueError, ValueError):
    """Bytes that the protocol does not allow: the fault of the other side."""


class RequestError(GlueError, ValueError):
    """A request that an agent cannot carry out, such as an observation that does not fit its task.

    Over a connection, the error is logged, and the answer is an empty action: the protocol has no error
    message. The agent continues after a wrong request of an experiment.
    """


class EncodingError(GlueError, ValueError):
    """A value that cannot be encoded: the fault of this side."""


class AddressError(GlueError, ValueError):
    """A host or port that cannot be used as given."""
