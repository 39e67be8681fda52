"""The client side of `Glue`, for an experiment that connects to a server."""

from functools import wraps
from inspect import signature
from typing import Any, Self

from rlglue import transport, wire
from rlglue.errors import ProtocolError, ServerLost
from rlglue.glue import Glue
from rlglue.transport import Pending


class RemoteGlue(Glue):
    """The RL_* calls of an experiment that has connected to a server.

    To end the experiment, call close() or use this object as a context manager. If a call is interrupted, the
    next call first discards the late answer.
    """

    def __init__(self, connection: transport.Connection) -> None:
        self._connection = connection
        self._pending: Pending | None = None

    def close(self) -> None:
        """End the experiment. A server for several experiments keeps its agent and its environment."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _exchange(self, call: wire.Call, /, *arguments: Any) -> Any:  # noqa: ANN401 - those of the call
        payload = call.request.encode(*arguments)
        if self._pending and not self._pending.unsent:  # discard the answer to an interrupted call
            self._complete(self._pending, wire.NOTHING)
        pending = self._pending = Pending(call.id, payload)
        value = self._complete(pending, call.answer)
        self._pending = None
        return value

    def _complete(self, pending: Pending, answer: wire.Format) -> Any:  # noqa: ANN401 - as the format decodes
        name = wire.NAMES[pending.message_id]
        try:
            return answer.decode(pending.complete(self._connection))
        except ProtocolError as error:
            self.close()
            raise ProtocolError(f"the server's answer to {name} cannot be read: {error}") from None
        except OSError:
            self.close()
            raise ServerLost(
                f"the server closed the connection during {name}: its log says who left, or why"
            ) from None


def _requesting(call: wire.Call) -> Any:  # noqa: ANN401 - the method's own type
    method = getattr(Glue, call.name)
    parameters = signature(method)

    @wraps(method)
    def request(self: RemoteGlue, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - those of the method
        bound = parameters.bind(self, *arguments, **named)
        bound.apply_defaults()
        return self._exchange(call, *bound.args[1:])

    return request


for _call in wire.GLUE_CALLS:
    setattr(RemoteGlue, _call.name, _requesting(_call))
