"""Many connections at once: all are dealt with in a few looks, and the game goes on."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from rlglue.client import serve_agent, serve_environment
from rlglue.server import Server
from tests.rlglue.parts import AGENT, ENVIRONMENT, Background, CountingAgent, FiveSteps, RawPeer

MANY = 300


@pytest.fixture
def server() -> Iterator[Server]:
    with Server("127.0.0.1", 0) as server:
        yield server


@pytest.fixture
def crowd(server: Server) -> Iterator[list[RawPeer]]:
    """Connections that say nothing."""
    with ExitStack() as stack:
        yield [stack.enter_context(RawPeer.to(server)) for _ in range(MANY)]


def closed(peer: RawPeer) -> bool:
    peer.socket.setblocking(False)
    try:
        return peer.socket.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_silent_crowd_keeps_nobody_out(server: Server, crowd: list[RawPeer]) -> None:
    with RawPeer.to(server, AGENT), RawPeer.to(server, ENVIRONMENT):
        for _ in range(10):
            server._hub.poll(0)
        assert set(server._hub.peers) == {"agent", "environment"}
        assert sum(map(closed, crowd)) >= MANY - 128


def test_a_crowd_of_second_agents_is_refused_while_a_game_is_played(server: Server) -> None:
    clients = [
        Background(lambda: serve_agent(CountingAgent(), *server.address, 5.0)),
        Background(lambda: serve_environment(FiveSteps(), *server.address, 5.0)),
    ]
    server.wait_for_peers(5)
    with ExitStack() as stack:
        crowd = [stack.enter_context(RawPeer.to(server, AGENT)) for _ in range(MANY)]
        server._hub.next_look = 0.0  # which comes many times a second
        assert [server.glue.RL_episode() for _ in range(2)] == [1, 1]
        assert all(map(closed, crowd))
    server.close()
    for client in clients:
        client.result()


def test_without_file_descriptors_it_goes_on(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left() -> tuple[socket.socket, tuple[str, int]]:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patch, RawPeer.to(server, AGENT):
        patch.setattr(server._hub._listener, "_socket", type("S", (), {"accept": staticmethod(none_left)}))
        server._hub.poll(0)
        assert "nobody can be let in: Too many open files" in caplog.text
        patch.undo()
        for _ in range(3):
            server._hub.poll(1.0)
        assert "agent" in server._hub.peers
