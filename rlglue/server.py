"""The server, in an experiment or standalone. While a peer computes, the server polls all sockets."""

import logging
import selectors
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from selectors import EVENT_READ
from typing import Any, Final, Self

from rlglue import wire
from rlglue.address import CONNECT_TIMEOUT, Address, resolve
from rlglue.errors import GlueError, PeerLost, ProtocolError
from rlglue.glue import Glue
from rlglue.requests import Pending
from rlglue.transport import BLOCK, DONT_WAIT, TIMED_OUT, Connection, listen
from rlglue.types import Action, Reward_observation_terminal
from rlglue.wire import AGENT, ENVIRONMENT, EXPERIMENT

logger = logging.getLogger("rlglue")

# Times in seconds.
HANDSHAKE_TIMEOUT: Final = 10.0  # The timeout for the handshake of a newcomer.
LOOK_EVERY: Final = 0.05  # The interval between polls of all sockets, and therefore the receive timeout.
SILENCE: Final = 60.0  # The time after which the server logs a missing answer, once for each request.
LINGER: Final = 2.0  # The timeout for a peer to close its connection after kRLTerm.
PAUSE: Final = 0.05  # The retry interval after a failed accept.
_CHECK_EVERY: Final = 0.2  # The interval between calls of `check` during a wait for peers.

# The maximum number of newcomers (without a handshake). A further connection drops the oldest newcomer.
_MAX_NEWCOMERS: Final = 128

_HINTS: Final = {
    AGENT: "an agent on {} (start one with `othello agent dqn`)",
    ENVIRONMENT: "an environment on {} (start one with `othello environment`)",
    EXPERIMENT: "an experiment on {0} (start one with `othello experiment train --glue {0}`)",
}

# The order of calls. The original RL-Glue core forwards every request. This server refuses a request that
# the agent or the environment cannot answer, because a mistake of one experiment must not disconnect them.
# All other requests may come at any time, even a second RL_cleanup or a step after the terminal step.
_NONE: Final[frozenset[str]] = frozenset()
_INIT: Final = frozenset({"RL_init"})
_ENV_START: Final = frozenset({"env_start"})
_AGENT_START: Final = frozenset({"agent_start"})
_START: Final = _ENV_START | _AGENT_START
# For each request: the calls that it requires, the calls that it undoes, and the calls that it makes.
_ORDER: Final = {
    "RL_init": (_NONE, _START, _INIT),
    "RL_start": (_INIT, _NONE, _START),
    "RL_step": (_START, _NONE, _NONE),
    "RL_episode": (_INIT, _NONE, _START),
    "RL_cleanup": (_NONE, _START, _NONE),
    "RL_env_start": (_INIT, _NONE, _ENV_START),
    "RL_env_step": (_ENV_START, _NONE, _NONE),
    "RL_agent_start": (_INIT, _NONE, _AGENT_START),
    "RL_agent_step": (_AGENT_START, _NONE, _NONE),
    "RL_agent_end": (_INIT, _NONE, _NONE),
}


def _check_order(message_id: int, called: frozenset[str]) -> frozenset[str]:
    """Return `called` with the changes by a request. Raises ProtocolError if the request comes too early."""
    needs, ends, begins = _ORDER.get(wire.NAMES[message_id], (_NONE, _NONE, _NONE))
    if not needs <= called:
        first = "RL_start" if called & _INIT else "RL_init"
        raise ProtocolError(f"sent {wire.NAMES[message_id]} before {first}")
    return (called - ends) | begins if ends or begins else called


class Peer(Connection):
    """A connection of the server to an agent, an environment or an experiment."""

    # All tries take about 60 microseconds, often less than a sleep. Clients sleep: busy processes are slower.
    looks = 100 if DONT_WAIT else 0

    def __init__(self, accepted: tuple[Any, Address]) -> None:
        super().__init__(*accepted)
        self.set_timeout(LOOK_EVERY)
        self.reader.limit = 0  # a handshake has no payload
        self.role = ""  # A newcomer has no role.
        self.pending: Pending | None = None  # The unanswered request, or None.
        self.deadline = time.monotonic() + HANDSHAKE_TIMEOUT  # The handshake deadline of a newcomer.

    def __str__(self) -> str:
        return f"the {self.role or 'newcomer'} ({self.address})"

    def read_handshake(self) -> str | None:
        """Return the role in a handshake, or None if incomplete. Raises ProtocolError for other messages."""
        message = self.reader.next_message()
        if message is None:
            return None
        for role, message_id in wire.HANDSHAKES.items():
            if message_id == message[0]:
                self.reader.limit = wire.MAX_PAYLOAD
                return role
        raise ProtocolError(f"began with {wire.NAMES[message[0]]}; expected a handshake: id 1, 2 or 3")

    def check_unasked(self) -> None:
        """Raise ProtocolError for unrequested bytes. Only an experiment may pipeline requests."""
        waiting = len(self.reader.buffer)
        if self.role == EXPERIMENT and waiting > wire.MAX_PAYLOAD:
            raise ProtocolError(f"has sent {waiting} bytes of requests ahead of the answers")
        if self.role != EXPERIMENT and waiting:
            raise ProtocolError("sent a message that nobody asked for; expected one answer to each request")

    def send_goodbye(self) -> bool:
        """Send kRLTerm. Return False if the peer cannot read kRLTerm, for example after half a request."""
        if self.pending and not (self.pending.unsent or self.pending.is_sent):
            return False
        try:
            self.send_all(wire.encode_message(wire.RL_TERM))
            self.finish_sending()
        except OSError:
            return False
        return True

    def drain(self, deadline: float) -> None:
        """Discard bytes until the peer closes or the deadline, because old clients send one more message."""
        with suppress(OSError):
            while (left := deadline - time.monotonic()) > 0:
                self._socket.settimeout(left)
                if not self.recv(BLOCK):
                    return

    def how_it_left(self) -> str:
        """Describe for the log how the peer left, after the end of its stream."""
        received = self.pending.received if self.pending else len(self.reader.buffer)
        if received:
            return f"left in the middle of a message ({received} bytes of it came)"
        return "left" if self.role else "closed without a handshake"


class Server:
    """A server for an experiment in this process (`glue`) or in other processes (`serve`)."""

    def __init__(
        self,
        host: str | None = None,
        port: int | None = None,
        *,
        experiments: bool = False,
        answer_timeout: float = inf,
        on_loss: Callable[[str], None] = logger.warning,
        on_silence: Callable[[str], None] = logger.warning,
    ) -> None:
        """Bind the port. `host` and `port` default to RLGLUE_HOST and RLGLUE_PORT, or else to 127.0.0.1:4096.

        With `experiments`, experiments may connect. The server drops a peer that does not answer within
        `answer_timeout` seconds. The callback `on_loss` gets a text about each peer that is lost or dropped,
        and `on_silence` a text about each peer that has not answered for SILENCE seconds.
        """
        self._listener = listen(*resolve(host, port))
        self._listener.setblocking(False)
        self.address: Address = self._listener.getsockname()[:2]  # The port is never 0.
        self._experiments, self._answer_timeout = experiments, answer_timeout
        self._on_loss, self._on_silence = on_loss, on_silence
        # epoll would be slower, because every message costs extra time and polls of all sockets are rare.
        self._selector = getattr(selectors, "PollSelector", selectors.SelectSelector)()
        self._selector.register(self._listener, EVENT_READ, None)
        self.glue: Glue = Relay(self)  # The RL_* calls for the connected agent and environment.
        self.peers: dict[str, Peer] = {}
        self._losses: list[PeerLost] = []
        self._closed = False
        self._serving = 0  # The id of the experiment's current request, or 0.
        self.next_look = 0.0  # The `time.monotonic` time of the next poll of all sockets.
        logger.info("listening on %s:%d", *self.address)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def wait_for_peers(
        self,
        timeout: float = CONNECT_TIMEOUT,
        on_wait: Callable[[str], None] = logger.info,
        check: Callable[[], None] | None = None,
        roles: tuple[str, ...] = (AGENT, ENVIRONMENT),
    ) -> None:
        """Wait until a peer with each of these roles is connected. Raises GlueError after `timeout` seconds.

        The callback `on_wait` gets a line for each missing peer, and `check` runs about five times a second.
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
        """Serve experiments. With `once`, serve one, and raise PeerLost if agent or environment leaves."""
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
                if experiment := self.peers.get(EXPERIMENT):
                    self._forget(experiment)
            if once:
                return

    def _serve_experiment(self) -> None:
        handlers, called = wire.handlers(wire.GLUE_CALLS, self.glue), _NONE
        while True:
            peer = self._present(EXPERIMENT)
            try:
                message = peer.reader.next_message()
                if message is None:
                    if time.monotonic() < self.next_look:
                        self._on_readable(peer)  # wait only for the experiment
                    else:
                        self.poll(inf)
                    continue
                message_id, payload = message
                if message_id == wire.RL_TERM:
                    self._reply(peer, wire.RL_TERM, b"")
                    logger.info("the experiment said goodbye")
                    return
                self._serving = message_id
                if message_id not in handlers:
                    raise ProtocolError(f"sent {wire.NAMES[message_id]}, which no experiment may send")
                called = _check_order(message_id, called)
                try:
                    answer = handlers[message_id](payload)
                except ProtocolError as error:
                    raise ProtocolError(f"sent a malformed {wire.NAMES[message_id]}: {error}") from None
                self._reply(peer, message_id, answer)
            except ProtocolError as error:
                raise self._lose(peer, str(error)) from None
            finally:
                self._serving = 0

    # Requests

    def request(self, role: str, call: wire.Call, /, *arguments: Any) -> Any:  # noqa: ANN401 - the types of the call
        """Return the answer of the peer with this role. Raises PeerLost if any admitted peer leaves."""
        payload = call.request.encode(*arguments)
        peer, now = self.peers.get(role), time.monotonic()
        if peer is None or peer.pending or now > self.next_look:
            self.poll(0)
            peer, now = self._present(role), time.monotonic()
        try:
            if peer.pending and not peer.pending.unsent:  # discard the answer to an interrupted request
                self._complete(peer, peer.pending, now + self._answer_timeout)
                now = time.monotonic()
            pending = peer.pending = Pending(call.id, payload)
            deadline = now + self._answer_timeout
            try:
                answer = pending.complete(peer, deadline)
            except OSError:  # the peer is slow or has left
                answer = self._complete(peer, pending, deadline)
            value = call.answer.decode(answer)
        except ProtocolError as error:
            raise self._lose(peer, str(error)) from None
        peer.pending = None
        return value

    def _complete(self, peer: Peer, pending: Pending, deadline: float) -> bytes:
        """Return the answer of a slow peer. Meanwhile, poll all sockets."""
        notice = time.monotonic() + SILENCE
        while True:
            try:
                return pending.complete(peer, deadline)
            except TIMED_OUT:
                now = time.monotonic()
                if now >= deadline:
                    reason = f"gave no answer within {self._answer_timeout:g} s"
                    raise self._lose(peer, reason) from None
                if now >= notice:
                    self._on_silence(f"no answer from {peer} for {SILENCE:g} s; still waiting")
                    notice = inf
                # A peer that does not read has no event, so the next send to this peer waits instead.
                self.poll(min(notice, deadline) - now if pending.is_sent else 0)
                self.raise_if_lost()
            except OSError:
                raise self._lose(peer, peer.how_it_left()) from None

    def _reply(self, peer: Peer, message_id: int, payload: bytes) -> None:
        """Send an answer to the experiment."""
        data = wire.encode_message(message_id, payload)
        while data:
            try:
                data = data[peer.send(data) :]
            except TIMED_OUT:  # the experiment does not read, so check whether a peer has left
                self.poll(0)
                self.raise_if_lost()
            except OSError:
                raise self._lose(peer, peer.how_it_left()) from None

    def _present(self, role: str) -> Peer:
        self.raise_if_lost()
        peer = self.peers.get(role)
        if peer is None:
            raise PeerLost(f"no {role} is connected")
        return peer

    # All sockets

    def _connected(self) -> list[Peer]:
        """Return all peers and newcomers, in the order of arrival."""
        return [key.data for key in self._selector.get_map().values() if key.data]

    def poll(self, timeout: float) -> None:
        """Wait up to `timeout` seconds for an event on any socket, and handle all events."""
        now = time.monotonic()
        until = min([timeout, 3600.0, *(peer.deadline - now for peer in self._connected())])
        ready = [key.data for key, _ in self._selector.select(max(0.0, until))]
        now = time.monotonic()
        self.next_look = now + LOOK_EVERY
        for peer in filter(None, ready):
            self._on_readable(peer)
        if None in ready:  # the listener
            self._accept()
        for peer in self._connected():
            if peer.deadline <= now:
                self._drop(peer, f"sent no handshake within {HANDSHAKE_TIMEOUT:g} s")

    def _on_readable(self, peer: Peer) -> None:
        """Receive bytes from a peer, with the timeout LOOK_EVERY."""
        try:
            if pending := peer.pending:
                pending.receive(peer)
                if pending.is_sent and pending.answer() is not None:
                    peer.pending = None
            elif not (data := peer.recv(BLOCK)):
                self._drop(peer, peer.how_it_left())
            else:
                peer.reader.buffer += data
                if peer.role:
                    peer.check_unasked()
                elif role := peer.read_handshake():
                    self._admit(peer, role)
        except TIMED_OUT:
            pass
        except ProtocolError as error:
            self._drop(peer, str(error))
        except OSError:
            self._drop(peer, peer.how_it_left())

    # New connections

    def _accept(self) -> None:
        """Accept only one connection, so that many new connections cannot block the server."""
        try:
            accepted = self._listener.accept()
        except (BlockingIOError, ConnectionError):
            return
        except OSError as error:  # usually because there are no free file descriptors
            logger.warning("nobody can be let in: %s", error.strerror or error)
            time.sleep(PAUSE)  # without the pause, the server would retry immediately
            return
        try:
            accepted[0].setblocking(True)
            peer = Peer(accepted)
        except OSError:  # the client closed the connection before it was accepted
            accepted[0].close()
            return
        self.next_look = 0.0  # poll soon, because the handshake comes immediately
        newcomers = [peer for peer in self._connected() if not peer.role]
        if len(newcomers) >= _MAX_NEWCOMERS:
            self._drop(newcomers[0], "sent no handshake while many others came")
        self._selector.register(peer, EVENT_READ, peer)

    def _admit(self, peer: Peer, role: str) -> None:
        reason = ""
        if role == EXPERIMENT and not self._experiments:
            reason = "this server belongs to the experiment that started it"
        elif role in self.peers:
            reason = f"{self.peers[role]} is already connected"
        if reason:
            logger.warning("refused an %s (%s): %s", role, peer.address, reason)
            self._forget(peer)
            return
        self.peers[role] = peer
        peer.role, peer.deadline = role, inf
        logger.info("%s connected from %s", role, peer.address)
        peer.check_unasked()

    # Lost and closed connections

    def raise_if_lost(self) -> None:
        """Raise PeerLost if an admitted peer has left since the last call."""
        if self._losses:
            loss, self._losses = self._losses[0], []
            raise loss

    def _lose(self, peer: Peer, reason: str) -> PeerLost:
        """Drop an admitted peer and return the exception to raise."""
        self._drop(peer, reason)
        loss, self._losses = self._losses[0], []
        return loss

    def _drop(self, peer: Peer, reason: str) -> None:
        line, report = f"{peer} {reason}", self._on_loss
        if peer.role:
            requests = [peer.pending.message_id for peer in self.peers.values() if peer.pending]
            if during := requests[0] if requests else self._serving:
                line += f" during {wire.NAMES[during]}"
            elif peer.role == EXPERIMENT:
                report = logger.info  # the usual end of an experiment
            self._losses.append(PeerLost(line))
        report(line)
        self._forget(peer)

    def _forget(self, peer: Peer) -> None:
        if self.peers.get(peer.role) is peer:
            del self.peers[peer.role]
        with suppress(KeyError, ValueError):  # an interrupted earlier call may have unregistered the peer
            self._selector.unregister(peer)
        peer.close()

    def close(self) -> None:
        """Send kRLTerm to agent and environment, and close all sockets. A second call is a no-op."""
        if self._closed:
            return
        self._closed = True
        # The listener closes first, because a client that waits for the next server must not connect here.
        self._listener.close()
        if experiment := self.peers.get(EXPERIMENT):
            self._forget(experiment)
        leaving = [peer for peer in self.peers.values() if peer.send_goodbye()]
        deadline = time.monotonic() + LINGER
        for peer in leaving:
            peer.drain(deadline)
        for peer in self._connected():
            self._forget(peer)
        self._selector.close()


# A step is forwarded to the agent without decoding the observation.
_ACTION: Final = wire.Format(Action.to_bytes, Action.from_buffer)
_ENV_STEP: Final = wire.ENV_STEP._replace(request=_ACTION, answer=wire.Format(bytes, wire.read_step))
_AGENT_STEP: Final = wire.AGENT_STEP._replace(request=wire.Format(bytes, bytes))


class Relay(Glue):
    """A Glue for the agent and the environment of a server, which forwards steps without decoding them."""

    def __init__(self, server: "Server") -> None:
        self._request = server.request
        agent, environment = partial(server.request, AGENT), partial(server.request, ENVIRONMENT)
        super().__init__(
            wire.remote(wire.AGENT_CALLS, agent), wire.remote(wire.ENVIRONMENT_CALLS, environment)
        )
        self._step_bytes = b""

    def _both_step(self) -> int:
        terminal, reward, step = self._request(ENVIRONMENT, _ENV_STEP, self._last_action)
        self._count(terminal, reward)
        self._step_bytes = step
        if terminal:
            self.agent.agent_end(reward)
        else:  # reward and observation, without the terminal flag
            self._last_action = self._request(AGENT, _AGENT_STEP, step[4:])
        return int(terminal)

    def _last_step(self) -> Reward_observation_terminal:
        step: Reward_observation_terminal = wire.STEP.decode(self._step_bytes)
        return step
