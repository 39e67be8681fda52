"""Real processes over TCP: `othello run`, what kills do to it, and three shells."""

import os
import re
import signal
import socket

import pytest

from tests.experiment.lab import DQN, PATIENCE, SMALL, Lab, alive, children, posix


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
    for expected in ("\ncorner-greedy ", "picture   runs", "othello play dqn"):
        assert expected in out
    assert (lab.folder / "runs/dqn/checkpoints/policy.safetensors").exists()
    assert "connected to the server" in (lab.folder / "runs/dqn/logs/agent.log").read_text()


@posix
@pytest.mark.parametrize("role", ["agent", "environment"])
def test_a_killed_part_is_named_and_how_to_go_on(lab: Lab, role: str) -> None:
    run = lab.start("othello", "run", *SMALL, "--agent", DQN, "--episodes", "100000", "--name", "kill")
    lab.await_that((lab.folder / "runs/kill/checkpoints.jsonl").exists)
    parts = children(run.pid)
    os.kill(parts[role], signal.SIGKILL)
    out, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 1
    last = out.splitlines()[-1]
    assert last.startswith(f"Error: the {role} (")
    assert "was killed by signal 9; its log" in last
    assert "; go on with: " in last
    assert last.endswith("othello run --resume kill")
    assert "Traceback" not in out
    assert not any(alive(pid) for pid in parts.values())
    assert all(line.count(b",") == 7 for line in lab.episodes("kill").splitlines())


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
    out, _ = train.communicate(timeout=PATIENCE)
    assert train.returncode == 1
    assert "waiting for an environment" in out
    assert re.search(r"Error: the agent \(.*\) left", out.splitlines()[-1])
    assert environment.wait(PATIENCE) == 0
