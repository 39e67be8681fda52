"""A person behind a real server: slow, leaving, and left alone."""

import socket
import threading
import time
from collections.abc import Callable

import pytest

from othello_lab.console.terminal import Left
from rlglue.client import serve_agent, serve_environment
from rlglue.errors import PeerLost
from rlglue.server import Server
from rlglue.types import Observation
from tests.console.human.typing_person import Person, typed
from tests.rlglue.parts import AGENT, ENVIRONMENT, Background, FiveSteps, RawPeer


def serve(person: Person, server: Server) -> Background:
    return Background(lambda: serve_agent(person.agent, *server.address, 5.0))


def slowly(seconds: float, types: Callable[[], str]) -> Callable[[], str]:
    def entry() -> str:
        time.sleep(seconds)
        return types()

    return entry


def test_a_slow_person_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(monkeypatch, slowly(0.3, typed(*"01010")))
    with Server("127.0.0.1", 0, handshake_timeout=0.1) as server:
        env = Background(lambda: serve_environment(FiveSteps(), *server.address, 0.2))
        agent = serve(person, server)
        server.wait_for_peers()
        server.glue.RL_init()
        assert server.glue.RL_agent_message("freeze learning").startswith("message understood")
        server.glue.RL_episode()
        assert server.glue.RL_return() == 5.0
        server.glue.RL_cleanup()
    agent.result()
    env.result()
    assert "The episode is over." in person.saw


def test_the_server_sees_that_the_person_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(monkeypatch, typed("0"))
    with Server("127.0.0.1", 0) as server:
        env = Background(lambda: serve_environment(FiveSteps(), *server.address, 5.0))
        agent = serve(person, server)
        server.wait_for_peers()
        server.glue.RL_init()
        with pytest.raises(PeerLost, match=r"the agent .* left"):
            server.glue.RL_episode()
        with pytest.raises(Left, match="End of input: you have left"):
            agent.result()
    env.result()


def test_a_server_that_dies_meanwhile_is_told_at_the_next_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def entry() -> str:
            peer.close()
            return "0"

        person = Person(monkeypatch, entry)
        agent = Background(lambda: serve_agent(person.agent, "127.0.0.1", listener.getsockname()[1], 5.0))
        peer = RawPeer(listener.accept()[0])
        peer.expect(AGENT)
        peer.send("00000005 0000000c 00000000 00000000 00000000")  # agent_start, with nothing to see
        assert "without a goodbye after agent_start" in str(agent.error())


def test_an_environment_that_dies_meanwhile_ends_it_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry() -> str:
        env.close()
        died.wait(10)
        return "0"

    person, died = Person(monkeypatch, entry), threading.Event()
    with Server("127.0.0.1", 0) as server:
        env = RawPeer.to(server, ENVIRONMENT)
        agent = serve(person, server)
        server.wait_for_peers()
        with pytest.raises(PeerLost, match=r"the environment .* left"):
            server.glue.RL_agent_start(Observation())
        died.set()
    agent.result()
