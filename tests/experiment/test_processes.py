"""Real processes over TCP: `othello run`, what kills do to it, and three shells."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

posix = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by POSIX signals")
SMALL = ["--size", "4", "--eval-every", "20", "--eval-games", "5", "--final-games", "0", "--seed", "5"]
DQN = "dqn,warm_up=50,hidden=[16],batch=8,replay=1000,epsilon_steps=500"


class Lab:
    """Starts our commands in a folder of its own and ends what is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[subprocess.Popen[str]] = []

    def start(self, module: str, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **variables},
        )
        self.started.append(process)
        return process

    def run(self, *arguments: str) -> tuple[int, str]:
        return self._finished(self.start("othello", "run", *SMALL, *arguments))

    def train_here(self, *arguments: str) -> tuple[int, str]:
        return self._finished(self.start("experiment", "train", "--in-process", *SMALL, *arguments))

    def resume(self, *arguments: str) -> tuple[int, str]:
        return self._finished(self.start("othello", "run", "--resume", *arguments))

    @staticmethod
    def _finished(process: "subprocess.Popen[str]") -> tuple[int, str]:
        out, _ = process.communicate(timeout=90)
        return process.returncode, out

    def episodes(self, name: str) -> bytes:
        path = self.folder / "runs" / name / "episodes.csv"
        return path.read_bytes() if path.exists() else b""

    def await_episodes(self, name: str, count: int) -> None:
        self.await_that(lambda: self.episodes(name).count(b"\n") > count)

    @staticmethod
    def await_that(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.02)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    for process in lab.started:
        process.kill()
        process.communicate()


def children(parent: int) -> dict[str, int]:
    """The parts that a run has started: role and process id."""
    command = ["ps", "-eo", "pid,ppid,args"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = {}
    for line in listing.splitlines()[1:]:
        pid, ppid, args = line.split(None, 2)
        role = re.search(r"-m (agent|environment)\b", args)
        if int(ppid) == parent and role:
            found[role[1]] = int(pid)
    return found


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    command = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def test_the_same_seed_gives_the_same_bytes_over_tcp_and_in_process(lab: Lab) -> None:
    for name in ("one", "two"):
        status, out = lab.run("--agent", "random", "--episodes", "20", "--name", name)
        assert status == 0, out
    assert lab.train_here("--agent", "random", "--episodes", "20", "--name", "here")[0] == 0
    assert lab.episodes("one").count(b"\n") == 21
    assert lab.episodes("one") == lab.episodes("two") == lab.episodes("here")


@posix
def test_a_learning_run_ends_with_table_plot_and_checkpoint(lab: Lab) -> None:
    status, out = lab.run("--agent", DQN, "--episodes", "20", "--name", "dqn", "--final-games", "10")
    assert status == 0, out
    for expected in (
        "Against corner-greedy, without learning and exploration",
        "plot: runs",
        "play against it: ./scripts/play dqn:runs/dqn/checkpoints/",
    ):
        assert expected in out
    assert (lab.folder / "runs/dqn/checkpoints/policy.safetensors").exists()
    assert "connected to the server" in (lab.folder / "runs/dqn/logs/agent.log").read_text()


@posix
@pytest.mark.parametrize("role", ["agent", "environment"])
def test_a_killed_part_is_named_and_the_run_can_go_on(lab: Lab, role: str) -> None:
    run = lab.start("othello", "run", *SMALL, "--agent", DQN, "--episodes", "100000", "--name", "kill")
    lab.await_that((lab.folder / "runs/kill/checkpoints.jsonl").exists)
    parts = children(run.pid)
    os.kill(parts[role], signal.SIGKILL)
    begin = time.monotonic()
    out, _ = run.communicate(timeout=20)
    assert time.monotonic() - begin < 5
    assert run.returncode == 1
    last = out.splitlines()[-1]
    assert last.startswith(f"Error: the {role} (")
    assert "was killed by signal 9; its log" in last
    assert "Traceback" not in out
    assert not any(alive(pid) for pid in parts.values())
    assert all(line.count(b",") == 7 for line in lab.episodes("kill").splitlines())
    # Only --episodes may change, so that what is left to do here is little.
    if role == "agent":
        done = lab.episodes("kill").count(b"\n") - 1
        status, out = lab.resume("kill", "--episodes", str(done + 5))
        assert status == 0, out
        assert lab.episodes("kill").count(b"\n") == done + 6


@posix
def test_ctrl_c_saves_and_a_resumed_run_equals_the_uninterrupted_one(lab: Lab) -> None:
    status, out = lab.train_here("--agent", DQN, "--episodes", "150", "--name", "whole")
    assert status == 0, out
    run = lab.start("othello", "run", *SMALL, "--agent", DQN, "--episodes", "150", "--name", "parts")
    lab.await_episodes("parts", 25)
    parts = children(run.pid)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=20)
    assert run.returncode == 130, out
    assert "go on with: othello run --resume parts" in out
    assert "Traceback" not in out
    assert not any(alive(pid) for pid in parts.values())
    status, out = lab.resume("parts")
    assert status == 0, out
    assert lab.episodes("parts") == lab.episodes("whole")


@posix
def test_children_end_by_themselves_when_the_run_is_killed(lab: Lab) -> None:
    run = lab.start("othello", "run", *SMALL, "--agent", "random", "--episodes", "1000000", "--name", "gone")
    lab.await_episodes("gone", 5)
    parts = children(run.pid)
    assert parts.keys() == {"agent", "environment"}
    run.kill()
    run.wait()
    lab.await_that(lambda: not any(alive(pid) for pid in parts.values()))


def test_a_strangers_program_plays(lab: Lab) -> None:
    (lab.folder / "mine.py").write_text(
        "import numpy as np\n"
        "from rlglue.client import serve_agent\n"
        "from rlglue.types import Action\n"
        "class Mine:\n"
        "    def agent_init(self, spec): pass\n"
        "    def agent_start(self, o):\n"
        "        n = len(o.intArray) // 4\n"
        "        a = Action(); a.intArray = [int([*np.flatnonzero(o.intArray[2 * n : 3 * n]), -1][0])]\n"
        "        return a\n"
        "    def agent_step(self, r, o): return self.agent_start(o)\n"
        "    def agent_end(self, r): pass\n"
        "    def agent_cleanup(self): pass\n"
        "    def agent_message(self, m): return 'what?'\n"
        "serve_agent(Mine())\n"
    )
    status, out = lab.run(
        "--agent", "python mine.py", "--episodes", "20", "--name", "mine", "--final-games", "5"
    )
    assert status == 0, out
    assert "note: evaluated as it is: exploration could not be frozen" in out
    assert "play against it" not in out
    assert lab.episodes("mine").count(b"\n") == 21


def test_a_program_that_ends_at_once_is_named(lab: Lab) -> None:
    (lab.folder / "broken.py").write_text("raise SystemExit('no such thing')")
    status, out = lab.run("--agent", "python broken.py", "--episodes", "20")
    assert status == 1
    last = out.splitlines()[-1]
    assert "broken.py) ended with exit status 1; its log" in last
    assert last.endswith("ends: no such thing")


@posix
def test_three_shells_and_a_server_that_is_left(lab: Lab) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    agent = lab.start("agent", "random", "--seed", "1", RLGLUE_PORT=port)
    train = lab.start(
        "experiment", "train", "--episodes", "50000", "--name", "three", "--eval-every", "0", RLGLUE_PORT=port
    )
    environment = lab.start("environment", "--size", "4", RLGLUE_PORT=port)
    lab.await_episodes("three", 5)
    agent.kill()
    out, _ = train.communicate(timeout=10)
    assert train.returncode == 1
    assert "waiting for an environment" in out
    assert re.search(r"Error: the agent \(.*\) left", out.splitlines()[-1])
    assert environment.wait(10) == 0
