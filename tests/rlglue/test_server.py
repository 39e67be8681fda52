import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

from rlglue.errors import GlueError, PeerLost
from rlglue.server import Server
from tests.cases import cases
from tests.rlglue.parts import AGENT, ENVIRONMENT, TERM, Background, RawPeer, served

pytestmark = pytest.mark.slow

MANY = 300


@pytest.mark.parametrize("pause", [0.001, 0.1, None])
def test_an_agent_has_so_long_for_an_answer_also_if_it_comes_byte_by_byte(pause: float | None) -> None:
    slow = Server("127.0.0.1", 0, answer_timeout=0.3)
    with slow, RawPeer.to(slow, AGENT) as raw:
        slow.wait_for_peers(5, roles=("agent",))

        def answer() -> None:
            raw.expect("0000000a 00000009 00000005 68656c6c6f")
            if pause is None:
                return
            raw.send("0000000a 00100004 00100000")
            with suppress(OSError):  # until it is given up
                for _ in range(10_000):
                    raw.send("61")
                    time.sleep(pause)

        answering = Background(answer)
        with pytest.raises(PeerLost, match=r"gave no answer within 0\.3 s during agent_message"):
            slow.glue.RL_agent_message("hello")
        answering.result()


def test_a_hosted_game(hosted: Server) -> None:
    with served(hosted), hosted:
        hosted.wait_for_peers(5)
        glue = hosted.glue
        glue.RL_init()
        assert glue.RL_episode(3) == 0
        assert glue.RL_episode() == 1
        assert glue.RL_step().o.intArray.tolist() == [6]
        assert (glue.RL_agent_message("grün"), glue.RL_env_message("ab")) == ("GRÜN", "ba")
        glue.RL_cleanup()


def test_large_observations_pass_in_both_directions(hosted: Server) -> None:
    with RawPeer.to(hosted, AGENT) as raw, RawPeer.to(hosted, ENVIRONMENT) as env:
        hosted.wait_for_peers(5)
        start = Background(hosted.glue.RL_start)
        env.expect("0000000c 00000000")
        body = "000f4240 00000000 00000000" + "00000005" * 1_000_000
        env.send("0000000c 003d090c" + body)
        raw.expect("00000005 003d090c" + body)
        raw.send("00000005 0000000c" + "00" * 12)
        start.result()


def test_a_server_tells_once_that_no_answer_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rlglue.server.SILENCE", 0.1)
    lines = list[str]()
    server = Server("127.0.0.1", 0, on_silence=lines.append)
    with server, RawPeer.to(server, ENVIRONMENT) as env:
        server.wait_for_peers(5, roles=("environment",))
        for number in (1, 2):
            waiting = Background(lambda: server.glue.RL_env_message("hello"))
            env.expect("00000013 00000009 00000005 68656c6c6f")
            time.sleep(0.5)
            env.send("00000013 00000004 00000000")
            waiting.result()
            assert len(lines) == number
    assert re.fullmatch(
        r"no answer from the environment \(127.0.0.1:\d+\) for 0\.1 s; still waiting", lines[0]
    )


Asked = tuple[RawPeer, RawPeer, Background]


@pytest.fixture
def asked(hosted: Server) -> Iterator[Asked]:
    """An agent that thinks about its first action, the environment, and RL_start, which waits."""
    with RawPeer.to(hosted, AGENT) as raw, RawPeer.to(hosted, ENVIRONMENT) as env:
        hosted.wait_for_peers(5)
        start = Background(hosted.glue.RL_start)
        env.expect("0000000c 00000000")
        env.send("0000000c 00000010 00000001 00000000 00000000 00000000")
        raw.expect("00000005 00000010 00000001 00000000 00000000 00000000")
        yield raw, env, start


def test_an_agent_that_dies_while_it_thinks_is_seen_at_once(asked: Asked) -> None:
    raw, _, start = asked
    raw.close()
    loss = start.error()
    assert isinstance(loss, PeerLost)
    assert re.fullmatch(r"the agent \(127.0.0.1:\d+\) left during agent_start", str(loss))


def test_an_environment_that_dies_is_seen_whatever_is_answered(hosted: Server, asked: Asked) -> None:
    raw, env, start = asked
    env.close()
    loss = start.error()
    assert isinstance(loss, PeerLost)
    assert re.fullmatch(r"the environment \(127.0.0.1:\d+\) left during agent_start", str(loss))
    message = Background(lambda: hosted.glue.RL_agent_message("hi"))
    raw.send("00000005 0000000c" + "00" * 12)
    raw.expect("0000000a 00000006 00000002 6869")
    raw.send("0000000a 00000004 00000000")
    message.result()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("00000006 00000000", "answered with agent_step; expected the answer to agent_start"),
        ("00000005 ffffffff", r"announced -1 \(4294967295 unsigned\) bytes for agent_start"),
        ("00000005 7fffffff", "announced 2147483647 bytes"),
        ("deadbeef deadbeef", "unknown message id"),
        ("00000005 00000004 00000000", "cut off: 4 bytes where an observation or action"),
        ("00000005 0000000c 00000001 00000000 00000000", "4 bytes missing"),
        ("00000005 0000000c" + "00" * 12 + "00000005 00000000", "a message that nobody asked for"),
    ],
)
def test_an_agent_that_answers_wrongly_is_dropped_and_named(asked: Asked, answer: str, words: str) -> None:
    raw, _, start = asked
    raw.send(answer)
    loss = start.error()
    assert re.search(rf"^the agent \(127.0.0.1:\d+\) .*{words}.* during agent_start$", str(loss))
    raw.expect_end()


def test_a_truncated_answer(asked: Asked) -> None:
    raw, _, start = asked
    raw.send("00000005 00000010 00000001")
    raw.close()
    assert "left in the middle of a message (12 bytes of it came) during agent_start" in str(start.error())


def test_a_terminal_flag_of_two_is_the_environments_fault(hosted: Server) -> None:
    with RawPeer.to(hosted, AGENT), RawPeer.to(hosted, ENVIRONMENT) as env:
        hosted.wait_for_peers(5)
        step = Background(hosted.glue.RL_step)
        env.expect("0000000d 0000000c" + "00" * 12)
        env.send("0000000d 00000018 00000002" + "00" * 20)
        assert "the environment" in str(step.error())
        assert "terminal flag 2; expected 0 or 1" in str(step.error())


@pytest.mark.parametrize(("first", "words"), cases("newcomers_at_fault"))
def test_a_newcomer_at_fault_is_dropped_and_the_others_come_in(
    hosted: Server, logged: Callable[[str], None], first: str, words: str
) -> None:
    with RawPeer.to(hosted, first) as bad, RawPeer.to(hosted, ENVIRONMENT):
        with pytest.raises(GlueError, match="no agent has connected"):
            hosted.wait_for_peers(0.7 if "within" in words else 0.3)
        logged(words)
        bad.expect_end()
        with RawPeer.to(hosted, AGENT):
            hosted.wait_for_peers(5)


def test_a_historic_client_may_say_one_thing_more_after_the_end(hosted: Server) -> None:
    with RawPeer.to(hosted, AGENT) as raw, RawPeer.to(hosted, ENVIRONMENT) as env:
        hosted.wait_for_peers(5)
        end = Background(hosted.close)
        for peer in (raw, env):
            peer.expect(TERM)
            peer.send("00000008 00000000")
            assert peer.socket.recv(10) == b""
            peer.close()
        end.result()


def test_while_waiting_it_says_once_for_whom_and_a_check_may_end_it(hosted: Server) -> None:
    output: list[str] = []
    calls: list[int] = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise RuntimeError("the child process died")

    with pytest.raises(RuntimeError, match="child process"):
        hosted.wait_for_peers(5, output.append, check)
    assert [text.split(" on ")[0] for text in output] == [
        "waiting for an agent",
        "waiting for an environment",
    ]
    assert "{}:{}".format(*hosted.address) in output[0]


def closed(peer: RawPeer) -> bool:
    peer.socket.setblocking(False)
    try:
        return peer.socket.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_silent_crowd_keeps_nobody_out(hosted: Server) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(RawPeer.to(hosted, role)) for role in [""] * MANY + [AGENT, ENVIRONMENT]]
        for _ in range(MANY + 10):
            hosted.poll(0)
        assert set(hosted.peers) == {"agent", "environment"}
        assert sum(map(closed, crowd[:MANY])) >= MANY - 128


def test_a_crowd_of_second_agents_is_refused_while_a_game_is_played(hosted: Server) -> None:
    with served(hosted), hosted, ExitStack() as stack:
        hosted.wait_for_peers(5)
        crowd = [stack.enter_context(RawPeer.to(hosted, AGENT)) for _ in range(MANY)]
        hosted.next_look = 0.0  # which comes many times a second
        assert {hosted.glue.RL_episode() for _ in range(MANY // 5)} == {1}
        assert all(map(closed, crowd))


def test_without_file_descriptors_it_goes_on(
    hosted: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left() -> tuple[socket.socket, tuple[str, int]]:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patch, RawPeer.to(hosted, AGENT):
        patch.setattr(hosted, "_listener", type("S", (), {"accept": staticmethod(none_left)}))
        hosted.poll(0)
        assert "nobody can be let in: Too many open files" in caplog.text
        patch.undo()
        for _ in range(3):
            hosted.poll(1.0)
        assert "agent" in hosted.peers
