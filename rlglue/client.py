"""The client side of a connection, for agents, environments and experiments outside of the server."""

import logging
from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Final

from rlglue import address, transport, wire
from rlglue.address import CONNECT_TIMEOUT
from rlglue.errors import EncodingError, ProtocolError, RequestError, ServerLost
from rlglue.types import EMPTY
from rlglue.wire import AGENT, ENVIRONMENT, EXPERIMENT

if TYPE_CHECKING:  # lazy import: agents and environments do not need `requests`
    from rlglue.glue import AgentLike, EnvironmentLike
    from rlglue.requests import RemoteGlue

logger = logging.getLogger("rlglue")

_pack_header: Final = wire.HEADER.pack

# The empty answers after a RequestError of the agent, by request id.
_EMPTY_ANSWERS: Final = {wire.AGENT_START.id: EMPTY, wire.AGENT_STEP.id: EMPTY, wire.AGENT_END.id: b""}


def serve_agent(
    agent: "AgentLike",
    host: str | None = None,
    port: int | None = None,
    connect_timeout: float = CONNECT_TIMEOUT,
    stay: bool = False,
) -> None:
    """Connect an agent to a server, and pass requests to the agent until the server sends kRLTerm.

    `host` and `port` default to RLGLUE_HOST and RLGLUE_PORT, or else to 127.0.0.1:4096. With `stay`, the
    agent then waits for the next server, without a timeout. Raises GlueError if there is no server within
    `connect_timeout` seconds, and ServerLost if the server leaves without kRLTerm. A RequestError of the
    agent is logged, and the answer is an empty action. Other exceptions of the agent propagate.
    """
    _serve(AGENT, wire.handlers(wire.AGENT_CALLS, agent), host, port, connect_timeout, stay)


def serve_environment(
    environment: "EnvironmentLike",
    host: str | None = None,
    port: int | None = None,
    connect_timeout: float = CONNECT_TIMEOUT,
    stay: bool = False,
) -> None:
    """Connect an environment to a server, with the same arguments and errors as serve_agent."""
    handlers = wire.handlers(wire.ENVIRONMENT_CALLS, environment)
    _serve(ENVIRONMENT, handlers, host, port, connect_timeout, stay)


def connect_experiment(
    host: str | None = None, port: int | None = None, connect_timeout: float = CONNECT_TIMEOUT
) -> "RemoteGlue":
    """Connect to a server as an experiment, and return an object with the RL_* methods of Glue."""
    from rlglue.requests import RemoteGlue

    return RemoteGlue(_connect(EXPERIMENT, host, port, connect_timeout))


def _connect(role: str, host: str | None, port: int | None, timeout: float) -> transport.Connection:
    connection = transport.connect(*address.resolve(host, port), timeout)
    try:
        connection.send_all(wire.encode_message(wire.HANDSHAKES[role]))
    except OSError:
        connection.close()
        raise _server_lost(role, connection) from None
    logger.info("%s connected to the server at %s", role, connection.address)
    return connection


def _server_lost(role: str, connection: transport.Connection, last: int = 0) -> ServerLost:
    lost = f"the server at {connection.address} closed the connection"
    if last:
        reason = f"without a goodbye after {wire.NAMES[last]}: its log says why, unless it was killed"
    else:
        reason = f"before its first request: is another {role} already connected? Its log says why"
    return ServerLost(f"{lost} {reason}")


def _serve(
    role: str, handlers: wire.Handlers, host: str | None, port: int | None, timeout: float, stay: bool
) -> None:
    while True:
        connection = _connect(role, host, port, timeout)
        last = 0  # the id of the last request, or 0 before the first request
        try:
            for last, payload in _requests(role, connection):
                _answer(role, connection, handlers, last, payload)
        except ServerLost as lost:
            if not (stay and last):
                raise
            logger.warning("%s", lost)
        finally:
            connection.close()
        where = connection.address
        if not stay:
            logger.info("the server at %s is done with this %s", where, role)
            return
        logger.info(
            "the experiment is over: waiting for the next one at %s; Ctrl-C ends this %s", where, role
        )
        timeout = inf


def _requests(role: str, connection: transport.Connection) -> Iterator[wire.Message]:
    """Yield the requests until the server sends kRLTerm. Raises ServerLost if the server leaves."""
    receive, reader = connection.recv, connection.reader
    last = 0
    while True:
        try:
            data = receive(transport.BLOCK)
        except OSError:  # a reset also ends the connection
            data = b""
        if not data:
            raise _server_lost(role, connection, last)
        try:
            message = reader.take(data)
            while message:
                last = message[0]
                if last == wire.RL_TERM:
                    return
                yield message
                message = reader.next_message() if reader.buffer else None
        except ProtocolError as error:
            raise ProtocolError(f"the server at {connection.address} {error}") from None


def _answer(
    role: str, connection: transport.Connection, handlers: wire.Handlers, message_id: int, payload: bytes
) -> None:
    handler = handlers.get(message_id)
    if handler is None:
        raise ProtocolError(f"the server sent {wire.NAMES[message_id]}, which is no request to an {role}")
    try:
        answer = handler(payload)
    except RequestError as error:
        if message_id not in _EMPTY_ANSWERS:
            raise
        logger.error("%s is answered with nothing: %s", wire.NAMES[message_id], error)
        answer = _EMPTY_ANSWERS[message_id]
    except ProtocolError as error:
        raise ProtocolError(f"the server's {wire.NAMES[message_id]} cannot be read: {error}") from None
    except EncodingError as error:
        raise EncodingError(f"the answer to {wire.NAMES[message_id]} cannot be sent: {error}") from error
    try:
        connection.send_all(_pack_header(message_id, len(answer)) + answer)
    except OSError:
        raise _server_lost(role, connection, message_id) from None
