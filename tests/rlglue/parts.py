import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from rlglue.client import serve_agent, serve_environment
from rlglue.errors import GlueError
from rlglue.glue import AgentLike, EnvironmentLike
from rlglue.server import Server
from rlglue.types import Action, Observation, Reward_observation_terminal

SPEC = (
    "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 1 OBSERVATIONS INTS (0 3) "
    "ACTIONS INTS (0 1) REWARDS (-1 1) EXTRA t"
)
SPEC_HEX = f"{len(SPEC) + 4:08x} {len(SPEC):08x} " + SPEC.encode().hex()


def ints(values: list[int]) -> Observation:
    observation = Observation()
    observation.intArray = values
    return observation


SESSION = Path(__file__).parent.parent / "data" / "rlglue_session.txt"


def captured_session() -> Iterator[tuple[str, str, bytes]]:
    """Yield the messages of the captured session: the peer, the direction (< or >) and the bytes."""
    for line in SESSION.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, direction, text = line.split(None, 2)
            head, _, rest = text.partition('"')
            yield name, direction, bytes.fromhex(head) + rest.rstrip('"').encode()


class CountingAgent:
    def __init__(self) -> None:
        self.calls: list[object] = []

    def agent_init(self, taskSpec: str) -> None:  # noqa: N803 - the protocol's name
        self.calls.append(("init", taskSpec))

    def agent_start(self, observation: Observation) -> Action:
        self.calls.append(("start", list(observation.intArray)))
        return self._act()

    def agent_step(self, reward: float, observation: Observation) -> Action:
        self.calls.append(("step", reward, list(observation.intArray)))
        return self._act()

    def agent_end(self, reward: float) -> None:
        self.calls.append(("end", reward))

    def agent_cleanup(self) -> None:
        self.calls.append("cleanup")

    def agent_message(self, message: str) -> str | None:
        return message.upper() or None

    def _act(self) -> Action:
        action = Action()
        action.intArray = [len(self.calls)]
        return action


class FiveSteps:
    def __init__(self) -> None:
        self.steps = 0
        self.actions: list[list[int]] = []

    def env_init(self) -> str:
        return SPEC

    def env_start(self) -> Observation:
        self.steps = 0
        return ints([0])

    def env_step(self, action: Action) -> Reward_observation_terminal:
        self.steps += 1
        self.actions.append(list(action.intArray))
        return Reward_observation_terminal(1.0, ints([self.steps]), self.steps >= 5)

    def env_cleanup(self) -> None:
        self.actions.clear()

    def env_message(self, message: str) -> str | None:
        return message[::-1] or None


class RawPeer:
    """The far end of a connection, byte by byte. After 10 s, a hang becomes a failure."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.socket.settimeout(10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @classmethod
    def to(cls, server: Server, first: str = "") -> Self:
        peer = cls(socket.create_connection(server.address))
        peer.send(first)
        return peer

    def send(self, text: str) -> None:
        self.socket.sendall(bytes.fromhex(text))

    def expect(self, text: str) -> None:
        wanted = bytes.fromhex(text)
        got = b""
        while len(got) < len(wanted):
            data = self.socket.recv(len(wanted) - len(got))
            assert data, f"the stream ended after {got.hex()}; expected {wanted.hex()}"
            got += data
        assert got.hex() == wanted.hex()

    def expect_end(self) -> None:
        with contextlib.suppress(ConnectionError):
            assert self.socket.recv(100) == b""

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


AGENT = "00000002 00000000"
ENVIRONMENT = "00000003 00000000"
EXPERIMENT = "00000001 00000000"
TERM = "00000023 00000000"


class Background:
    """A function in a thread. `result()` waits for the function and raises its exception."""

    def __init__(self, function: Callable[[], object]) -> None:
        self._function = function
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._function()
        except BaseException as error:
            self._error = error

    def result(self) -> None:
        self._thread.join(10)
        assert not self._thread.is_alive(), "still running after 10 s"
        if self._error is not None:
            raise self._error

    def error(self) -> GlueError:
        with pytest.raises(GlueError) as caught:
            self.result()
        assert "\n" not in str(caught.value)
        return caught.value


@contextmanager
def standalone(once: bool = False) -> Iterator[Server]:
    server = Server("127.0.0.1", 0, experiments=True)
    stop, poll = threading.Event(), server.poll

    def stoppable(timeout: float) -> None:
        if stop.is_set():
            raise InterruptedError
        poll(timeout)

    vars(server)["poll"] = stoppable
    loop = Background(lambda: server.serve(once))
    try:
        yield server
    finally:
        stop.set()
        with contextlib.closing(server), contextlib.suppress(InterruptedError):
            loop.result()


def agent(server: Server, served: AgentLike | None = None) -> Background:
    return Background(lambda: serve_agent(served or CountingAgent(), *server.address, 5.0))


def environment(server: Server, served: EnvironmentLike | None = None) -> Background:
    return Background(lambda: serve_environment(served or FiveSteps(), *server.address, 5.0))


@contextmanager
def served(
    server: Server, agent_: AgentLike | None = None, environment_: EnvironmentLike | None = None
) -> Iterator[None]:
    """An agent and an environment at a server. Both must end without an error."""
    clients = agent(server, agent_), environment(server, environment_)
    yield
    for client in clients:
        client.result()


@contextmanager
def hosting(agent_: AgentLike | None = None, environment_: EnvironmentLike | None = None) -> Iterator[Server]:
    server = Server("127.0.0.1", 0)
    with served(server, agent_, environment_), server:
        server.wait_for_peers(30)
        yield server


@contextmanager
def trio(agent_: AgentLike | None = None, environment_: EnvironmentLike | None = None) -> Iterator[Server]:
    with standalone() as server:
        clients = agent(server, agent_), environment(server, environment_)
        yield server
    for client in clients:
        client.result()
