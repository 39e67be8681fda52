"""The side that connects: agents, environments, and experiments of a server elsewhere."""

import logging
from collections.abc import Callable
from math import inf
from typing import Final, NoReturn, Self, TypeVar

from rlglue.codec import payloads, wire
from rlglue.codec.handlers import Handlers, agent_handlers, environment_handlers
from rlglue.codec.proxies import GlueProxy
from rlglue.errors import EncodingError, ProtocolError, RequestError, ServerLost
from rlglue.glue import AgentLike, EnvironmentLike
from rlglue.net import address, transport
from rlglue.net.address import CONNECT_TIMEOUT
from rlglue.net.pending import Pending
from rlglue.types import EMPTY

logger = logging.getLogger("rlglue")

T = TypeVar("T")

_HEADER: Final = wire.HEADER
_NOTHING: Final = {wire.AGENT_START: EMPTY, wire.AGENT_STEP: EMPTY, wire.AGENT_END: b""}
"""The answers to what an agent cannot carry out."""


def serve_agent(
    agent: AgentLike,
    host: str | None = None,
    port: int | None = None,
    connect_timeout: float = CONNECT_TIMEOUT,
    stay: bool = False,
) -> None:
    """Connect an agent and answer for it until the server says goodbye.

    Host and port default to RLGLUE_HOST and RLGLUE_PORT, else 127.0.0.1:4096. With `stay` the agent then
    waits for the next server, however long that takes, also after a server that was killed: Ctrl-C ends it.
    Raises ServerLost if the server goes without a goodbye, GlueError if none can be reached in
    `connect_timeout` seconds. An exception of the agent comes through, but a RequestError is logged and
    answered.
    """
    _serve("agent", wire.AGENT_CONNECTION, agent_handlers(agent), host, port, connect_timeout, stay)


def serve_environment(
    environment: EnvironmentLike,
    host: str | None = None,
    port: int | None = None,
    connect_timeout: float = CONNECT_TIMEOUT,
    stay: bool = False,
) -> None:
    """Connect an environment and answer for it, as serve_agent does for an agent."""
    handlers = environment_handlers(environment)
    _serve("environment", wire.ENVIRONMENT_CONNECTION, handlers, host, port, connect_timeout, stay)


def connect_experiment(
    host: str | None = None, port: int | None = None, connect_timeout: float = CONNECT_TIMEOUT
) -> "RemoteGlue":
    """Connect as an experiment to a server elsewhere; its RL_* methods are those of Glue."""
    return RemoteGlue(_connect("experiment", wire.EXPERIMENT_CONNECTION, host, port, connect_timeout))


def _connect(
    role: str, message_id: int, host: str | None, port: int | None, timeout: float
) -> transport.Connection:
    connection = transport.connect(*address.resolve(host, port), timeout)
    try:
        connection.send_all(wire.encode_message(message_id))
    except OSError:
        connection.close()
        raise ServerLost(_closed_at_once(role, connection.address)) from None
    logger.info("%s connected to the server at %s", role, connection.address)
    return connection


def _serve(
    role: str,
    message_id: int,
    handlers: Handlers,
    host: str | None,
    port: int | None,
    timeout: float,
    stay: bool,
) -> None:
    while True:
        connection = _connect(role, message_id, host, port, timeout)
        session = _Session(role, connection, handlers)
        try:
            session.run()
        except ServerLost as lost:
            if not (stay and session.last):
                raise
            logger.warning("%s", lost)
        finally:
            connection.close()
        if not stay:
            logger.info("the server at %s is done with this %s", connection.address, role)
            return
        logger.info(
            "the experiment is over: waiting for the next one at %s; Ctrl-C ends this %s",
            connection.address,
            role,
        )
        timeout = inf


class _Session:
    """One connection of an agent or environment, from its handshake to kRLTerm."""

    def __init__(self, role: str, connection: transport.Connection, handlers: Handlers) -> None:
        self._role = role
        self._connection = connection
        self._handlers = handlers
        self.last = 0
        """The id of the last request, 0 before the first."""

    def run(self) -> None:
        """Answer requests until kRLTerm, which is not answered."""
        receive, reader = self._connection.recv, self._connection.reader
        while True:
            try:
                data = receive(transport.BLOCK)
            except OSError:  # a reset, which is an end too
                data = b""
            if not data:
                raise ServerLost(_lost(self._role, self._connection.address, self.last))
            if self._answer_all(reader, data):
                return

    def _answer_all(self, reader: wire.Reader, data: bytes) -> bool:
        """Answer what these bytes make complete; True at kRLTerm."""
        while True:
            try:
                message = reader.take(data)
            except ProtocolError as error:
                raise ProtocolError(f"the server at {self._connection.address} {error}") from None
            if message is None:
                return False
            message_id, payload = message
            if message_id == wire.RL_TERM:
                return True
            self._answer(message_id, payload)
            if not reader.buffer:
                return False
            data = b""

    def _no_handler(self, message_id: int) -> NoReturn:
        name = wire.NAMES[message_id]
        raise ProtocolError(f"the server sent {name}, which is no request to an {self._role}")

    def _answer(self, message_id: int, payload: bytes) -> None:
        handler = self._handlers.get(message_id) or self._no_handler(message_id)
        self.last = message_id
        try:
            answer = handler(payload)
        except RequestError as error:
            answer = self._nothing(message_id, error)
        except ProtocolError as error:
            raise ProtocolError(f"the server's {wire.NAMES[message_id]} cannot be read: {error}") from None
        except EncodingError as error:
            raise EncodingError(f"the answer to {wire.NAMES[message_id]} cannot be sent: {error}") from error
        try:
            self._connection.send_all(_HEADER.pack(message_id, len(answer)) + answer)
        except OSError:
            raise ServerLost(_lost(self._role, self._connection.address, message_id)) from None

    def _nothing(self, message_id: int, error: RequestError) -> bytes:
        if message_id not in _NOTHING:
            raise error
        logger.error("%s is answered with nothing: %s", wire.NAMES[message_id], error)
        return _NOTHING[message_id]


def _lost(role: str, where: str, last: int) -> str:
    if not last:
        return _closed_at_once(role, where)
    return (
        f"the server at {where} closed the connection without a goodbye after {wire.NAMES[last]}: "
        f"its log says why, unless it was killed"
    )


def _closed_at_once(role: str, where: str) -> str:
    return (
        f"the server at {where} closed the connection before its first request: "
        f"is another {role} already connected? Its log says why"
    )


class RemoteGlue(GlueProxy):
    """The RL_* calls of a server elsewhere. Close it, or use it as a context, to end the experiment.

    A call may be interrupted: the next one waits for the answer that is outstanding and discards it.
    """

    def __init__(self, connection: transport.Connection) -> None:
        super().__init__(self._exchange)
        self._connection = connection
        self._pending: Pending | None = None

    def close(self) -> None:
        """End the experiment; a server that serves several keeps agent and environment."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _exchange(self, message_id: int, payload: bytes, decode: Callable[[bytes], T]) -> T:
        if self._pending:
            self._discard(self._pending)
        pending = self._pending = Pending(message_id, payload)
        value = self._complete(pending, decode)
        self._pending = None
        return value

    def _discard(self, pending: Pending) -> None:
        """Complete an interrupted request and discard its reply."""
        if not pending.unsent:
            self._complete(pending, payloads.decode_nothing)
        self._pending = None

    def _complete(self, pending: Pending, decode: Callable[[bytes], T]) -> T:
        name = wire.NAMES[pending.message_id]
        try:
            return decode(pending.complete(self._connection))
        except ProtocolError as error:
            self.close()
            raise ProtocolError(f"the server's answer to {name} cannot be read: {error}") from None
        except OSError:
            self.close()
            said = f"the server closed the connection during {name}: its log says who left, or why"
            raise ServerLost(said) from None
