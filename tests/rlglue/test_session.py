import socket
import time

import pytest

from rlglue.client import serve_agent, serve_environment
from tests.rlglue.parts import (
    SPEC,
    SPEC_HEX,
    Background,
    CountingAgent,
    FiveSteps,
    RawPeer,
    captured_session,
    standalone,
)


def play(server_address: tuple[str, int], dribble: bool) -> None:
    peers = {name: RawPeer(socket.create_connection(server_address)) for name in ("agent", "env", "exp")}
    for name, direction, data in captured_session():
        if direction == "<":
            peers[name].expect(data.hex())
        elif dribble:
            for byte in data:
                peers[name].send(f"{byte:02x}")
        else:
            peers[name].send(data.hex())
    peers["exp"].close()
    time.sleep(0.1)
    peers["agent"].close()
    peers["env"].close()


@pytest.mark.parametrize("dribble", [False, True])
def test_the_captured_session(dribble: bool) -> None:
    with standalone() as server:
        play(server.address, dribble)


def test_the_end_of_the_captured_session_under_once() -> None:
    with standalone(once=True) as server:
        agent, environment = RawPeer.to(server, "0000000200000000"), RawPeer.to(server, "0000000300000000")
        experiment = RawPeer.to(server, "0000000100000000")
        experiment.send("00000019 00000000")
        experiment.expect("00000019 00000004 00000000")
        experiment.close()
    for peer in (agent, environment):
        peer.expect("00000023 00000000")
        peer.expect_end()
        peer.close()


def ask(peer: RawPeer, header: str, body: str) -> None:
    """Send header and body with two calls, as the historic server does."""
    peer.send(header)
    if body:
        time.sleep(0.01)
        peer.send(body)


def test_our_agent_under_the_historic_core(listener: socket.socket) -> None:
    agent = CountingAgent()
    client = Background(lambda: serve_agent(agent, "127.0.0.1", listener.getsockname()[1], 5.0))
    with RawPeer(listener.accept()[0]) as peer:
        peer.expect("00000002 00000000")
        ask(peer, "00000004 0000007f", SPEC_HEX[9:])
        peer.expect("00000004 00000000")
        ask(peer, "00000005 00000010", "00000001 00000000 00000000 00000007")
        peer.expect("00000005 00000010 00000001 00000000 00000000 00000002")
        ask(peer, "00000006 00000018", "3fe0000000000000 00000001 00000000 00000000 00000008")
        peer.expect("00000006 00000010 00000001 00000000 00000000 00000003")
        ask(peer, "0000000a 00000004", "00000000")
        peer.expect("0000000a 00000004 00000000")
        ask(peer, "00000007 00000008", "bff0000000000000")
        peer.expect("00000007 00000000")
        ask(peer, "00000008 00000000", "")
        peer.expect("00000008 00000000")
        ask(peer, "00000023 00000000", "")
        peer.expect_end()
        client.result()
    assert agent.calls == [("init", SPEC), ("start", [7]), ("step", 0.5, [8]), ("end", -1.0), "cleanup"]


def test_our_environment_under_the_historic_core(listener: socket.socket) -> None:
    client = Background(lambda: serve_environment(FiveSteps(), "127.0.0.1", listener.getsockname()[1], 5.0))
    with RawPeer(listener.accept()[0]) as peer:
        peer.expect("00000003 00000000")
        ask(peer, "0000000b 00000000", "")
        peer.expect("0000000b" + SPEC_HEX)
        ask(peer, "0000000c 00000000", "")
        peer.expect("0000000c 00000010 00000001 00000000 00000000 00000000")
        ask(peer, "0000000d 00000010", "00000001 00000000 00000000 00000001")
        peer.expect("0000000d 0000001c 00000000 3ff0000000000000 00000001 00000000 00000000 00000001")
        ask(peer, "00000013 00000006", "00000002 6869")
        peer.expect("00000013 00000006 00000002 6968")
        ask(peer, "0000000e 00000000", "")
        peer.expect("0000000e 00000000")
        ask(peer, "00000023 00000000", "")
        peer.expect_end()
        client.result()
