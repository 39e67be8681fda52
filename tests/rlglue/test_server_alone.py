import time
from collections.abc import Callable

import pytest

from rlglue.client import connect_experiment
from rlglue.errors import PeerLost, ServerLost
from rlglue.server import Server
from rlglue.types import Observation
from tests.rlglue.parts import (
    AGENT,
    ENVIRONMENT,
    EXPERIMENT,
    SPEC_HEX,
    TERM,
    Background,
    FiveSteps,
    RawPeer,
    agent,
    environment,
    standalone,
    trio,
)

INIT = "00000004" + SPEC_HEX


def test_a_second_agent_is_refused_with_a_hint(logged: Callable[[str], None]) -> None:
    with standalone() as server, RawPeer.to(server, AGENT):
        logged("agent connected from")
        error = agent(server).error()
        assert isinstance(error, ServerLost)
        assert "is another agent already connected?" in str(error)
        logged(r"refused an agent \(127.0.0.1:\d+\): the agent \(127.0.0.1:\d+\) is already connected")


def test_the_agent_is_replaced_between_experiments_and_no_environment(logged: Callable[[str], None]) -> None:
    with standalone() as server:
        env = environment(server)
        with RawPeer.to(server, AGENT) as first:
            with connect_experiment(*server.address) as glue:
                assert glue.RL_env_message("1") == "1"
            logged(r"the experiment .* left$")
            first.close()
            logged(r"the agent .* left$")
        second = agent(server)
        with connect_experiment(*server.address) as glue:
            glue.RL_init()
            assert glue.RL_episode() == 1
            assert glue.RL_start().a.intArray.tolist() != []
            assert (glue.RL_num_steps(), glue.RL_num_episodes(), glue.RL_return()) == (1, 1, 0.0)
    second.result()
    env.result()


def test_an_agent_lost_in_an_episode_ends_the_experiment(logged: Callable[[str], None]) -> None:
    with standalone() as server:
        env = environment(server)
        with RawPeer.to(server, AGENT) as raw, connect_experiment(*server.address) as glue:
            init = Background(glue.RL_init)
            raw.expect(INIT)
            raw.send("00000004 00000000")
            init.result()
            episode = Background(glue.RL_episode)
            raw.expect("00000005 00000010 00000001 00000000 00000000 00000000")
            raw.close()
            assert "closed the connection during RL_episode: its log says who left" in str(episode.error())
            logged(r"the agent \(127.0.0.1:\d+\) left during agent_start")
        second = agent(server)
        with connect_experiment(*server.address) as glue:
            glue.RL_init()
            assert glue.RL_episode() == 1
    second.result()
    env.result()


def test_an_experiment_that_dies_in_an_episode_leaves_the_two_in_step(logged: Callable[[str], None]) -> None:
    with standalone() as server:
        env = environment(server)
        with RawPeer.to(server, AGENT) as raw:
            with RawPeer.to(server, EXPERIMENT) as experiment:
                experiment.send("00000014 00000000 0000001b 00000004 00000000")
                raw.expect(INIT)
                raw.send("00000004 00000000")
                raw.expect("00000005 00000010 00000001 00000000 00000000 00000000")
            logged(r"the experiment \(127.0.0.1:\d+\) left during agent_start")
            raw.send("00000005 00000010 00000001 00000000 00000000 00000001")
            with connect_experiment(*server.address) as glue:
                message = Background(lambda: glue.RL_agent_message("hi"))
                raw.expect("0000000a 00000006 00000002 6869")
                raw.send("0000000a 00000004 00000000")
                message.result()
    env.result()


def test_the_action_of_a_terminal_step_is_empty_also_after_other_steps() -> None:
    with trio() as server, RawPeer.to(server, EXPERIMENT + "00000014 00000000") as experiment:
        experiment.expect("00000014" + SPEC_HEX)
        experiment.send("00000021 00000004 00000000")
        experiment.expect("00000021 00000004 00000000")
        for _ in range(2):  # the C server would send the last action of the first episode in the second
            experiment.send("0000001b 00000004 00000005 00000016 00000000")
            experiment.expect("0000001b 00000004 00000000")
            observation = "00000001 00000000 00000000 00000005"
            step = "00000016 00000028 00000001 3ff0000000000000"
            experiment.expect(step + observation + "00000000 00000000 00000000")


@pytest.mark.parametrize("goodbye", [TERM, ""])
def test_they_hear_nothing_of_the_end_of_an_experiment(logged: Callable[[str], None], goodbye: str) -> None:
    with standalone() as server, RawPeer.to(server, AGENT) as raw, RawPeer.to(server, ENVIRONMENT) as env:
        with RawPeer.to(server, EXPERIMENT + "00000014 00000000 00000015 00000000") as experiment:
            env.expect("0000000b 00000000")
            env.send("0000000b" + SPEC_HEX)
            raw.expect(INIT)
            raw.send("00000004 00000000")
            env.expect("0000000c 00000000")
            env.send("0000000c 0000000c" + 3 * "00000000")
            raw.expect("00000005 0000000c" + 3 * "00000000")
            raw.send("00000005 0000000c" + 3 * "00000000")
            experiment.expect("00000014" + SPEC_HEX + "00000015 00000018" + 6 * "00000000")
            experiment.send(goodbye)
        logged("the experiment (said goodbye|.* left$)")
        # The next bytes belong to the next experiment, whose counters begin at 0.
        with RawPeer.to(server, EXPERIMENT + "00000019 00000000 00000014 00000000") as experiment:
            experiment.expect("00000019 00000004 00000000")
            env.expect("0000000b 00000000")
            env.send("0000000b" + SPEC_HEX)
            raw.expect(INIT)


class Endless(FiveSteps):
    def env_start(self) -> Observation:
        observation = super().env_start()
        self.steps = -(10**9)
        return observation


def test_an_endless_episode_whose_experiment_is_gone_is_broken_off(logged: Callable[[str], None]) -> None:
    with trio(environment_=Endless()) as server:
        with RawPeer.to(server, EXPERIMENT) as experiment:
            experiment.send("00000014 00000000 0000001b 00000004 00000000")
            logged("environment connected from")
            time.sleep(0.3)
        logged(r"the experiment \(127.0.0.1:\d+\) left during (agent|env|RL)_")
        with connect_experiment(*server.address) as glue:
            glue.RL_init()
            assert glue.RL_episode(10) == 0


@pytest.mark.parametrize(
    ("request_hex", "words"),
    [
        ("00000005 00000000", "sent agent_start, which no experiment may send"),
        ("0000001b 00000000", "sent a malformed RL_episode: cut off"),
        ("00000021 00000008 00000009 61616161", "a text of 9 bytes announced, 4 present"),
        ("00000016 80000000", "announced -2147483648"),
        ("0000004d 00000000", "unknown message id 77"),
    ],
)
def test_a_faulty_experiment_is_dropped(logged: Callable[[str], None], request_hex: str, words: str) -> None:
    with trio() as server:
        with RawPeer.to(server, EXPERIMENT) as experiment:
            experiment.send("00000014 00000000")
            experiment.expect("00000014" + SPEC_HEX)
            experiment.send(request_hex)
            experiment.expect_end()
            logged(r"the experiment \(127.0.0.1:\d+\) .*" + words)
        with connect_experiment(*server.address) as glue:
            glue.RL_init()
            assert glue.RL_episode() == 1


def test_requests_sent_ahead_before_anybody_else_is_there() -> None:
    with standalone() as server, RawPeer.to(server, EXPERIMENT) as experiment:
        experiment.send("00000018 00000000 00000019 00000000 0000001a 00000000")
        time.sleep(0.05)
        with RawPeer.to(server, AGENT), RawPeer.to(server, ENVIRONMENT):
            experiment.expect("00000018 00000008 0000000000000000 00000019 00000004 00000000")
            experiment.expect("0000001a 00000004 00000000")
            experiment.send(TERM)
            experiment.expect(TERM)
            experiment.expect_end()


def test_once_with_a_peer_lost_is_an_error() -> None:
    server = Server("127.0.0.1", 0, experiments=True)
    loop = Background(lambda: server.serve(once=True))
    with (
        server,
        RawPeer.to(server, AGENT) as raw,
        RawPeer.to(server, ENVIRONMENT),
        RawPeer.to(server, EXPERIMENT) as experiment,
    ):
        experiment.send("00000019 00000000")
        experiment.expect("00000019 00000004 00000000")
        raw.close()
        assert isinstance(loop.error(), PeerLost)
