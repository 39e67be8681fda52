import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
pytestmark = pytest.mark.slow
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a Python process in examples/ on a port of its own. All processes end after the test."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    variables = os.environ | {"RLGLUE_PORT": str(port), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    processes: list[subprocess.Popen[str]] = []

    def run(*arguments: str, program: str = sys.executable) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [program, *arguments],
            cwd=EXAMPLES,
            env=variables,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        processes.append(process)
        return process

    yield run
    for process in processes:
        with contextlib.suppress(OSError):
            process.kill()
        process.communicate()


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, error = process.communicate(timeout=60)
    return process.returncode, out, error


RESULT = """\
terminal 1, 5 steps, return 1.0
terminal 1, 5 steps, return 1.0
terminal 1, 5 steps, return 1.0
cut off: True
episodes: 3
environment: I don't understand hello
"""


def test_an_old_trio_against_the_server(start: Start) -> None:
    server = start("-m", "rlglue", "--once")
    agent = start("-m", "rlglue.agent.AgentLoader", "skeleton_agent")
    environment = start("skeleton_environment.py")
    code, out, _ = finish(start("skeleton_experiment.py"))
    assert (code, out.split("\n", 1)[1]) == (0, RESULT)
    assert [finish(process)[0] for process in (server, agent, environment)] == [0, 0, 0]


SLOW_AGENT = """
import time
from skeleton_agent import skeleton_agent
from rlglue.scripts import run_as_script
from rlglue.agent.AgentLoader import loadAgent
class Slow(skeleton_agent):
    def agent_step(self, reward, observation):
        time.sleep(0.01)
        return self.agent_start(observation)
run_as_script(lambda: loadAgent(Slow()))
"""
LONG_EXPERIMENT = """
from rlglue import RLGlue
from rlglue.scripts import run_as_script
def main():
    RLGlue.RL_init()
    print("started", flush=True)
    while True:
        RLGlue.RL_episode(0)
run_as_script(main)
"""


@pytest.mark.parametrize("victim", ["server", "agent", "environment", "experiment"])
def test_kill_9_is_noticed_by_the_others(start: Start, victim: str) -> None:
    trio = {
        "server": start("-m", "rlglue"),
        "agent": start("-c", SLOW_AGENT),
        "environment": start("-m", "rlglue.environment.EnvironmentLoader", "skeleton_environment"),
        "experiment": start("-c", LONG_EXPERIMENT),
    }
    output = trio["experiment"].stdout
    assert output is not None
    assert output.readline() == "started\n"
    time.sleep(0.2)
    trio[victim].kill()
    if victim == "server":
        for name in ("agent", "environment", "experiment"):
            code, _, error = finish(trio[name])
            assert code == 1
            assert re.match(r"Error: the server.* closed the connection", error.splitlines()[-1])
            assert "Traceback" not in error
        return
    if victim != "experiment":
        code, _, error = finish(trio["experiment"])
        assert code == 1
        assert "its log says who left" in error.splitlines()[-1]
    time.sleep(0.5)
    trio["server"].terminate()
    code, _, log = finish(trio["server"])
    assert code == 143
    assert re.search(rf"the {victim} \(127.0.0.1:\d+\) left", log)
    for name in {"agent", "environment"} - {victim}:
        assert finish(trio[name])[0] == 0


def test_what_is_wrong_is_one_line_and_an_exit_code(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for argument, expected, words in (
            ("--port=99999", 2, "'--port'.*65535"),
            ("--nope", 2, "No such option"),
            (f"--port={taken.getsockname()[1]}", 1, r"port \d+ on 127.0.0.1 is in use: .*--port.*--glue 127"),
        ):
            code, _, error = finish(start("-m", "rlglue", argument))
            assert code == expected
            assert re.match(f"Error: .*{words}", error)
            assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected one: MODULE or MODULE.CLASS"),
        (["no_such_module"], "cannot find 'no_such_module'"),
        (["skeleton_agent.Nobody"], "cannot find 'skeleton_agent.Nobody'"),
        (["skeleton_experiment"], "has no attribute 'skeleton_experiment'"),
    ],
)
def test_a_loader_that_finds_no_class(start: Start, arguments: list[str], words: str) -> None:
    code, _, error = finish(start("-m", "rlglue.agent.AgentLoader", *arguments))
    assert code == 1
    assert words in error.splitlines()[-1]
    assert "Traceback" not in error
