"""The server: hosted inside an experiment's process, or alone, serving one experiment after another."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from typing import Any, Final, Self

from rlglue import wire
from rlglue.address import CONNECT_TIMEOUT, Address, resolve
from rlglue.errors import GlueError, PeerLost, ProtocolError
from rlglue.glue import Glue
from rlglue.hub import Hub
from rlglue.peers import AGENT, ENVIRONMENT, EXPERIMENT, Terms
from rlglue.types import Reward_observation_terminal

logger = logging.getLogger("rlglue")

_HINTS: Final = {
    AGENT: "an agent on {} (start one with `othello agent dqn`)",
    ENVIRONMENT: "an environment on {} (start one with `othello environment`)",
    EXPERIMENT: "an experiment on {0} (start one with `othello experiment train --glue {0}`)",
}
_CHECK_EVERY: Final = 0.2

# The order of calls. The historic core passes everything on. Here a request that agent or environment could
# not answer is refused, so that one experiment's mistake does not end what should stay connected. Requests
# that are not in the table, such as messages and counts, may come at any time. So may a second RL_cleanup,
# and a step after the terminal one.
_NONE: Final[frozenset[str]] = frozenset()
_ENV_INIT: Final = frozenset({"env_init"})
_ENV_START: Final = frozenset({"env_start"})
_AGENT_INIT: Final = frozenset({"agent_init"})
_AGENT_START: Final = frozenset({"agent_start"})
_INIT: Final = _ENV_INIT | _AGENT_INIT
_START: Final = _ENV_START | _AGENT_START
# request: what must have been called before, what it ends, what has been called after it
_ORDER: Final = {
    wire.RL_INIT.id: (_NONE, _START, _INIT),
    wire.RL_START.id: (_INIT, _NONE, _START),
    wire.RL_STEP.id: (_START, _NONE, _NONE),
    wire.RL_EPISODE.id: (_INIT, _NONE, _START),
    wire.RL_CLEANUP.id: (_NONE, _START, _NONE),
    wire.RL_ENV_START.id: (_ENV_INIT, _NONE, _ENV_START),
    wire.RL_ENV_STEP.id: (_ENV_START, _NONE, _NONE),
    wire.RL_AGENT_START.id: (_AGENT_INIT, _NONE, _AGENT_START),
    wire.RL_AGENT_STEP.id: (_AGENT_START, _NONE, _NONE),
    wire.RL_AGENT_END.id: (_AGENT_INIT, _NONE, _NONE),
}
_FREE: Final = (_NONE, _NONE, _NONE)


class Order:
    """Follows the requests of one experiment."""

    def __init__(self) -> None:
        self._called = _NONE

    def check(self, message_id: int) -> None:
        """Record the experiment's next request; ProtocolError if it comes too early."""
        needs, ends, begins = _ORDER.get(message_id, _FREE)
        if not needs <= self._called:
            first = "RL_start" if self._called & _INIT else "RL_init"
            raise ProtocolError(f"sent {wire.NAMES[message_id]} before {first}")
        if ends or begins:
            self._called = (self._called - ends) | begins


class Relay(Glue):
    """The Glue of an agent and an environment behind connections: the bytes of a step go on as they came.

    An answer of env_step (terminal, reward, observation) ends with a request of agent_step (reward,
    observation), so only terminal and reward are read.
    """

    def __init__(self, request: Callable[..., Any]) -> None:
        agent, environment = partial(request, AGENT), partial(request, ENVIRONMENT)
        super().__init__(
            wire.remote(wire.AGENT_CALLS, agent), wire.remote(wire.ENVIRONMENT_CALLS, environment)
        )
        self._env_step = partial(environment, wire.ENV_STEP.id, bytes, wire.read_step)
        self._agent_step = partial(agent, wire.AGENT_STEP.id, bytes, wire.ACTION.decode)
        self._step_bytes = b""

    def _both_step(self) -> int:
        terminal, reward, step = self._env_step(self._last_action.to_bytes())
        self._count(terminal, reward)
        self._step_bytes = step
        if terminal:
            self.agent.agent_end(reward)
        else:
            self._last_action = self._agent_step(step[4:])
        return int(terminal)

    def _last_step(self) -> Reward_observation_terminal:
        step: Reward_observation_terminal = wire.STEP.decode(self._step_bytes)
        return step


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
        on_silence: Callable[[str], None] = logger.warning,
    ) -> None:
        refused = {} if experiments else {EXPERIMENT: "this server belongs to the experiment that started it"}
        terms = Terms(replace, refused, handshake_timeout, answer_timeout, loss_level, on_silence)
        self._hub = Hub(*resolve(host, port), terms)
        self.glue: Glue = Relay(self._hub.request)
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
            self.glue = Relay(self._hub.request)
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
        handlers, order = wire.handlers(wire.GLUE_CALLS, self.glue), Order()
        while True:
            message_id, payload = self._hub.next_request()
            if message_id == wire.RL_TERM:
                self._hub.answer(wire.RL_TERM, b"")
                logger.info("the experiment said goodbye")
                return
            self._hub.serving = message_id
            try:
                self._check(handlers, order, message_id)
                self._hub.answer(message_id, self._answer(handlers[message_id], message_id, payload))
            finally:
                self._hub.serving = 0

    def _check(self, handlers: wire.Handlers, order: Order, message_id: int) -> None:
        """PeerLost, and the experiment's connection is closed, if it may not ask that, or not yet."""
        try:
            if message_id not in handlers:
                raise ProtocolError(f"sent {wire.NAMES[message_id]}, which no experiment may send")
            order.check(message_id)
        except ProtocolError as error:
            raise self._hub.lose(self._hub.peers[EXPERIMENT], str(error)) from None

    def _answer(self, handler: wire.Handler, message_id: int, payload: bytes) -> bytes:
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
