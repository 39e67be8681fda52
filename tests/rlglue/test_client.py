import socket
import threading

import pytest

from rlglue import address
from rlglue.client import connect_experiment, serve_agent
from rlglue.errors import AddressError, EncodingError, GlueError, ProtocolError, ServerLost
from rlglue.server import Server
from rlglue.types import Action, Observation
from tests.rlglue.parts import ENVIRONMENT, TERM, Background, CountingAgent, RawPeer


def accept(listener: socket.socket) -> RawPeer:
    peer = RawPeer(listener.accept()[0])
    peer.expect("00000002 00000000")
    return peer


def start(listener: socket.socket, agent: CountingAgent | None = None, stay: bool = False) -> Background:
    port = listener.getsockname()[1]
    return Background(lambda: serve_agent(agent or CountingAgent(), "127.0.0.1", port, 3.0, stay))


def test_a_server_that_dies_is_said_in_one_line(listener: socket.socket) -> None:
    client = start(listener)
    with accept(listener) as peer:
        peer.send("00000008 00000000")
        peer.expect("00000008 00000000")
    error = client.error()
    assert isinstance(error, ServerLost)
    assert "without a goodbye after agent_cleanup" in str(error)


@pytest.mark.parametrize(
    ("request_hex", "words"),
    [
        ("0000000b 00000000", "env_init, which is no request to an agent"),
        ("00000005 00000004 00000000", "agent_start cannot be read: cut off"),
        ("00000005 ffffffff", "announced -1"),
        ("00000099 00000000", "unknown message id 153"),
    ],
)
def test_a_malformed_request(listener: socket.socket, request_hex: str, words: str) -> None:
    client = start(listener)
    with accept(listener) as peer:
        peer.send(request_hex)
        error = client.error()
        assert isinstance(error, ProtocolError)
        assert words in str(error)
        peer.expect_end()


class BrokenAgent(CountingAgent):
    def agent_start(self, observation: Observation) -> Action:
        action = Action()
        action.intArray = [2**40]
        return action

    def agent_cleanup(self) -> None:
        raise ZeroDivisionError


def test_a_fault_of_the_agent_comes_through_and_closes(listener: socket.socket) -> None:
    client = start(listener, BrokenAgent())
    with accept(listener) as peer:
        peer.send("00000008 00000000")
        peer.expect_end()
    with pytest.raises(ZeroDivisionError):
        client.result()
    client = start(listener, BrokenAgent())
    with accept(listener) as peer:
        peer.send("00000005 0000000c" + "00" * 12)
        error = client.error()
        assert isinstance(error, EncodingError)
        assert "answer to agent_start cannot be sent: intArray holds 1099511627776" in str(error)


def test_stay_waits_for_the_next_server_but_not_for_one_that_refuses(listener: socket.socket) -> None:
    client = start(listener, stay=True)
    with accept(listener) as peer:
        peer.send(TERM)
        peer.expect_end()
    with accept(listener) as peer:  # a server that is killed
        peer.send("00000008 00000000")
        peer.expect("00000008 00000000")
    accept(listener).close()
    assert isinstance(client.error(), ServerLost)


def test_a_client_waits_for_its_server_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    client = Background(lambda: serve_agent(CountingAgent(), "127.0.0.1", port, 10.0))
    threading.Event().wait(0.7)
    with Server("127.0.0.1", port) as server, RawPeer.to(server, ENVIRONMENT):
        server.wait_for_peers(5)
        server.glue.RL_agent_message("x")
    client.result()
    waiting = [record for record in caplog.records if "waiting for a server" in record.getMessage()]
    assert len(waiting) == 1
    assert f"127.0.0.1:{port}" in waiting[0].getMessage()


def test_no_server_in_time_or_an_unknown_host_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(GlueError, match=f"no server at 127.0.0.1:{port} within 0.1 s"):
        connect_experiment("127.0.0.1", port, 0.1)
    with pytest.raises(AddressError, match=r"unknown host 'no\.such\.host\.invalid'"):
        connect_experiment("no.such.host.invalid", 4096, 60.0)


def test_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RLGLUE_HOST", raising=False)
    monkeypatch.delenv("RLGLUE_PORT", raising=False)
    assert address.resolve(None, None) == ("127.0.0.1", 4096)
    monkeypatch.setenv("RLGLUE_HOST", "example.org")
    monkeypatch.setenv("RLGLUE_PORT", "5000")
    assert address.resolve(None, None) == ("example.org", 5000)
    assert address.resolve("localhost", 0) == ("localhost", 0)
    monkeypatch.setenv("RLGLUE_PORT", "70000")
    with pytest.raises(AddressError, match="RLGLUE_PORT is '70000'; expected a number from 1 to 65535"):
        address.resolve(None, None)
    assert address.parse_address("localhost:80") == ("localhost", 80)
    for text in ("localhost", ":80", "localhost:", "localhost:http", "localhost:-1"):
        with pytest.raises(AddressError, match="expected"):
            address.parse_address(text)
    monkeypatch.setenv("RLGLUE_PORT", "")  # to the C core and in a shell that is: unset
    assert address.resolve(None, None)[1] == 4096


def test_port_0_is_for_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLGLUE_PORT", "0")
    with pytest.raises(AddressError, match=r"is 0, which only a server may ask for.* RLGLUE_PORT"):
        serve_agent(CountingAgent())
