"""The server: hosted inside an experiment's process, or alone, serving one experiment after another."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from typing import Final, Self

from rlglue.codec import wire
from rlglue.codec.handlers import Handlers, relay_handlers
from rlglue.codec.order import Order
from rlglue.codec.relay import Relay
from rlglue.errors import GlueError, PeerLost, ProtocolError
from rlglue.glue import Glue
from rlglue.net import exchange
from rlglue.net.address import CONNECT_TIMEOUT, Address, resolve
from rlglue.net.hub import Hub
from rlglue.net.peer import AGENT, ENVIRONMENT, EXPERIMENT, Terms

logger = logging.getLogger("rlglue")

_HINTS: Final = {
    AGENT: "an agent on {} (start one with `othello agent dqn`)",
    ENVIRONMENT: "an environment on {} (start one with `othello environment`)",
    EXPERIMENT: "an experiment on {0} (start one with `othello experiment train --glue {0}`)",
}
_CHECK_EVERY: Final = 0.2


class Server:
    """Binds its port at once; use it as a context, or call close().

    An experiment that hosts the server calls wait_for_peers() and then uses `glue`. A server alone is made
    with `experiments=True` and runs serve(). For all else see Terms.
    """

    def __init__(
        self,
        host: str | None = None,
        port: int | None = None,
        *,
        replace: bool = False,
        handshake_timeout: float = 10.0,
        experiments: bool = False,
        answer_timeout: float = inf,
        loss_level: int = logging.WARNING,
    ) -> None:
        refused = {} if experiments else {EXPERIMENT: "this server belongs to the experiment that started it"}
        terms = Terms(replace, refused, handshake_timeout, answer_timeout, loss_level)
        self._hub = Hub(*resolve(host, port), terms)
        self.glue = self._new_glue()
        logger.info("listening on %s", self._where)

    @property
    def address(self) -> Address:
        """The host and the port bound, also when port 0 asked for any free one."""
        return self._hub.address

    def close(self) -> None:
        """Tell agent and environment that it is over (kRLTerm) and close; a second time does nothing."""
        self._hub.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def wait_for_peers(
        self,
        timeout: float = CONNECT_TIMEOUT,
        on_wait: Callable[[str], None] | None = None,
        check: Callable[[], None] | None = None,
        roles: tuple[str, ...] = (AGENT, ENVIRONMENT),
    ) -> None:
        """Wait until agent and environment are connected; GlueError if they are not within `timeout` seconds.

        Who wants to talk to one of them alone names that in `roles`.
        `on_wait` is told once for each peer what is waited for (default: the log). `check` is called about
        five times a second and may raise, for example when a child process has died.
        """
        self._wait_for(roles, time.monotonic() + timeout, on_wait or logger.info, check)

    def serve(self, once: bool = False, check: Callable[[], None] | None = None) -> None:
        """Serve one experiment after another, for ever; with `once` only one, as the historic core did.

        With `once`, PeerLost comes through if agent or environment leave during the experiment. `check` is
        called between experiments, about five times a second, and ends the service by raising.
        """
        everyone = (AGENT, ENVIRONMENT, EXPERIMENT)
        while True:
            self._wait_for(everyone, float("inf"), logger.info, check)
            self.glue = self._new_glue()
            try:
                self._serve_experiment()
            except PeerLost as loss:
                if once and EXPERIMENT in self._hub.peers:
                    raise
                logger.debug("end of the experiment: %s", loss)
            finally:
                self._hub.release(EXPERIMENT)
            if once:
                return

    def _new_glue(self) -> Relay:
        return Relay(
            partial(exchange.request, self._hub, AGENT), partial(exchange.request, self._hub, ENVIRONMENT)
        )

    @property
    def _where(self) -> str:
        return "{}:{}".format(*self.address)

    def _wait_for(
        self,
        roles: tuple[str, ...],
        deadline: float,
        on_wait: Callable[[str], None],
        check: Callable[[], None] | None,
    ) -> None:
        said: set[str] = set()
        self._hub.poll(0)
        while missing := [role for role in roles if role not in self._hub.peers]:
            said &= set(missing)
            for role in [role for role in missing if role not in said]:
                on_wait("waiting for " + _HINTS[role].format(self._where))
                said.add(role)
            if time.monotonic() > deadline:
                raise GlueError(f"no {' and no '.join(missing)} has connected to {self._where} in time")
            if check is not None:
                check()
            self._hub.poll(_CHECK_EVERY)
        self._hub.forget_losses()

    def _serve_experiment(self) -> None:
        """Answer requests until the experiment is over; PeerLost says how it ended."""
        handlers, order = relay_handlers(self.glue), Order()
        while True:
            message_id, payload = exchange.next_request(self._hub)
            if message_id == wire.RL_TERM:
                exchange.reply(self._hub, wire.RL_TERM, b"")
                logger.info("the experiment said goodbye")
                return
            self._hub.serving = message_id
            try:
                self._check(handlers, order, message_id)
                exchange.reply(self._hub, message_id, self._answer(handlers[message_id], message_id, payload))
            finally:
                self._hub.serving = 0

    def _check(self, handlers: Handlers, order: Order, message_id: int) -> None:
        """PeerLost, and the experiment's connection is closed, if it may not ask that, or not yet."""
        try:
            if message_id not in handlers:
                raise ProtocolError(f"sent {wire.NAMES[message_id]}, which no experiment may send")
            order.check(message_id)
        except ProtocolError as error:
            raise self._hub.lose(self._hub.peers[EXPERIMENT], str(error)) from None

    def _answer(self, handler: Callable[[bytes], bytes], message_id: int, payload: bytes) -> bytes:
        try:
            return handler(payload)
        except ProtocolError as error:
            reason = f"sent a malformed {wire.NAMES[message_id]}: {error}"
            raise self._hub.lose(self._hub.peers[EXPERIMENT], reason) from None


@contextmanager
def host(
    host: str | None = None, port: int | None = None, connect_timeout: float = CONNECT_TIMEOUT
) -> Iterator[Glue]:
    """Host a server for as long as the context lasts: the Glue of the agent and environment that connect."""
    with Server(host, port) as server:
        server.wait_for_peers(connect_timeout)
        yield server.glue
