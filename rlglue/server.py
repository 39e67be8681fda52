"""The server, which runs in the process of one experiment, or in its own process for many experiments."""

import logging
import time
from collections.abc import Callable
from functools import cached_property, partial
from math import inf
from typing import Final

from rlglue import wire
from rlglue.address import CONNECT_TIMEOUT
from rlglue.connections import Hub
from rlglue.errors import GlueError, PeerLost, ProtocolError
from rlglue.glue import Glue
from rlglue.types import Action, Reward_observation_terminal
from rlglue.wire import AGENT, ENVIRONMENT, EXPERIMENT

logger = logging.getLogger("rlglue")

_HINTS: Final = {
    AGENT: "an agent on {} (start one with `othello agent dqn`)",
    ENVIRONMENT: "an environment on {} (start one with `othello environment`)",
    EXPERIMENT: "an experiment on {0} (start one with `othello experiment train --glue {0}`)",
}
_CHECK_EVERY: Final = 0.2

# The order of calls. The original RL-Glue core passes on every request. This server refuses a request that
# the agent or the environment cannot answer, because a mistake of one experiment must not disconnect them.
# Requests that are not in the table, such as messages and counts, may come at any time. A second RL_cleanup
# and a step after the terminal step are also allowed.
_NONE: Final[frozenset[str]] = frozenset()
_ENV_INIT: Final = frozenset({"env_init"})
_ENV_START: Final = frozenset({"env_start"})
_AGENT_INIT: Final = frozenset({"agent_init"})
_AGENT_START: Final = frozenset({"agent_start"})
_INIT: Final = _ENV_INIT | _AGENT_INIT
_START: Final = _ENV_START | _AGENT_START
# For each request: the calls that must come before it, the calls that it undoes, the calls that it makes.
_ORDER: Final = {
    "RL_init": (_NONE, _START, _INIT),
    "RL_start": (_INIT, _NONE, _START),
    "RL_step": (_START, _NONE, _NONE),
    "RL_episode": (_INIT, _NONE, _START),
    "RL_cleanup": (_NONE, _START, _NONE),
    "RL_env_start": (_ENV_INIT, _NONE, _ENV_START),
    "RL_env_step": (_ENV_START, _NONE, _NONE),
    "RL_agent_start": (_AGENT_INIT, _NONE, _AGENT_START),
    "RL_agent_step": (_AGENT_START, _NONE, _NONE),
    "RL_agent_end": (_AGENT_INIT, _NONE, _NONE),
}


def _check_order(message_id: int, called: frozenset[str]) -> frozenset[str]:
    """Add the calls of a request to `called`. Raises ProtocolError if the request comes too early."""
    needs, ends, begins = _ORDER.get(wire.NAMES[message_id], (_NONE, _NONE, _NONE))
    if not needs <= called:
        first = "RL_start" if called & _INIT else "RL_init"
        raise ProtocolError(f"sent {wire.NAMES[message_id]} before {first}")
    return (called - ends) | begins if ends or begins else called


class Relay(Glue):
    """A Glue for a connected agent and environment that forwards steps without decoding the observations."""

    def __init__(self, hub: Hub) -> None:
        agent, environment = partial(hub.request, AGENT), partial(hub.request, ENVIRONMENT)
        super().__init__(
            wire.remote(wire.AGENT_CALLS, agent), wire.remote(wire.ENVIRONMENT_CALLS, environment)
        )
        self._exchange = hub.exchange
        self._step_bytes = b""

    def _both_step(self) -> int:
        action = self._last_action.to_bytes()
        terminal, reward, step = self._exchange(ENVIRONMENT, wire.ENV_STEP.id, action, wire.read_step)
        self._count(terminal, reward)
        self._step_bytes = step
        if terminal:
            self.agent.agent_end(reward)
        else:
            observed = step[4:]  # reward and observation, without terminal
            self._last_action = self._exchange(AGENT, wire.AGENT_STEP.id, observed, Action.from_buffer)
        return terminal

    def _last_step(self) -> Reward_observation_terminal:
        step: Reward_observation_terminal = wire.STEP.decode(self._step_bytes)
        return step


class Server(Hub):
    """A hub that runs experiments.

    An experiment calls wait_for_peers() and uses `glue`. A separate server sets `experiments=True` and calls
    serve().
    """

    @cached_property
    def glue(self) -> Glue:
        """The RL_* calls for the connected agent and environment."""
        return Relay(self)

    def wait_for_peers(
        self,
        timeout: float = CONNECT_TIMEOUT,
        on_wait: Callable[[str], None] = logger.info,
        check: Callable[[], None] | None = None,
        roles: tuple[str, ...] = (AGENT, ENVIRONMENT),
    ) -> None:
        """Wait until a peer with each of these roles is connected.

        `on_wait` is called with one line of text for each missing peer. `check` is called about five times a
        second, and may raise an exception to end the wait. Raises GlueError after `timeout` seconds.
        """
        deadline, where = time.monotonic() + timeout, "{}:{}".format(*self.address)
        announced: set[str] = set()
        self.poll(0)
        while missing := [role for role in roles if role not in self.peers]:
            announced &= set(missing)
            for role in missing:
                if role not in announced:
                    on_wait("waiting for " + _HINTS[role].format(where))
                    announced.add(role)
            if time.monotonic() > deadline:
                raise GlueError(f"no {' and no '.join(missing)} has connected to {where} in time")
            if check is not None:
                check()
            self.poll(_CHECK_EVERY)
        self._losses = []  # no error for peers that left during the wait, because the log names them

    def serve(self, once: bool = False) -> None:
        """Serve experiments. With `once`, serve only one experiment, like the original RL-Glue core.

        With `once`, PeerLost is raised if the agent or the environment leaves during the experiment.
        """
        while True:
            self.wait_for_peers(inf, roles=(AGENT, ENVIRONMENT, EXPERIMENT))
            self.glue = Relay(self)
            try:
                self._serve_experiment()
            except PeerLost as loss:
                if once and EXPERIMENT in self.peers:
                    raise
                logger.debug("end of the experiment: %s", loss)
            finally:
                self.release(EXPERIMENT)
            if once:
                return

    def _serve_experiment(self) -> None:
        handlers, called = wire.handlers(wire.GLUE_CALLS, self.glue), _NONE
        while True:
            message_id, payload = self.next_request()
            if message_id == wire.RL_TERM:
                self.answer(wire.RL_TERM, b"")
                logger.info("the experiment said goodbye")
                return
            self.serving = message_id
            try:
                if message_id not in handlers:
                    raise ProtocolError(f"sent {wire.NAMES[message_id]}, which no experiment may send")
                called = _check_order(message_id, called)
                self.answer(message_id, _answer(handlers[message_id], message_id, payload))
            except ProtocolError as error:
                raise self.lose(self.peers[EXPERIMENT], str(error)) from None
            finally:
                self.serving = 0


def _answer(handler: wire.Handler, message_id: int, payload: bytes) -> bytes:
    try:
        return handler(payload)
    except ProtocolError as error:
        raise ProtocolError(f"sent a malformed {wire.NAMES[message_id]}: {error}") from None
