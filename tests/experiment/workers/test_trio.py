import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from othello_lab.experiment.workers import trio
from othello_lab.experiment.workers.trio import Command, Trio
from rlglue.errors import GlueError
from tests.experiment.lab import PATIENCE, SMALL, Lab, alive, posix

pytestmark = pytest.mark.slow
OTHELLO = str(Path(sys.executable).with_name("othello"))
CHILD = [sys.executable, "-P", "-m", "othello_lab.experiment.workers.child"]
STUDENTS_AGENT = """
import game
from rlglue.client import serve_agent
from rlglue.types import Action

class Agent:
    def agent_init(self, spec): pass
    def agent_start(self, observation):
        action = Action()
        action.intArray = [game.first_legal(observation.intArray)]
        return action
    def agent_step(self, reward, observation): return self.agent_start(observation)
    def agent_end(self, reward): pass
    def agent_cleanup(self): pass
    def agent_message(self, message): return "what?"

serve_agent(Agent())
"""
STUDENTS_GAME = """
def first_legal(planes):
    squares = len(planes) // 4
    return ([place for place in range(squares) if planes[2 * squares + place]] or [-1])[0]
"""


@pytest.fixture
def student(lab: Lab) -> Lab:
    (lab.folder / "agent.py").write_text(STUDENTS_AGENT)
    (lab.folder / "game.py").write_text(STUDENTS_GAME)
    for package in ("environment", "experiment", "rlglue_notes"):
        (lab.folder / package).mkdir()
        (lab.folder / package / "__init__.py").write_text("raise SystemExit('the student is not ready')")
    return lab


def test_a_strangers_program_plays_in_a_folder_with_files_named_like_ours(student: Lab) -> None:
    words = [*SMALL, "--agent", "python agent.py", "--episodes", "20", "--name", "mine", "--final-games", "5"]
    run = subprocess.Popen(
        [OTHELLO, "run", *words],
        cwd=student.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    student.started.append(run)
    status, out = student.finished(run)
    assert status == 0, out
    assert "note: evaluated as it is: exploration could not be frozen" in out
    assert "play against it" not in out
    assert student.episodes("mine").count(b"\n") == 21


@pytest.mark.parametrize(
    "command",
    [["module", "othello_lab.agent", "random", "--connect-timeout", "600"], ["program", "sleep", "600"]],
)
def test_a_child_ends_with_its_parent(command: list[str]) -> None:
    with subprocess.Popen(
        [*CHILD, *command], stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as child:
        assert child.stdin
        assert child.stderr
        child.stdin.close()
        assert child.wait(PATIENCE) != 0
        assert b"No module" not in child.stderr.read()


@posix
def test_nobody_stays_when_a_run_is_killed_before_its_agent_has_connected(lab: Lab) -> None:
    (lab.folder / "waits.py").write_text("print('here', flush=True)\nimport time\ntime.sleep(600)")
    run = lab.start("othello", "run", *SMALL, "--agent", "python waits.py", "--name", "gone")
    lab.await_that(lambda: "here" in log(lab, "agent"))
    lab.await_that(lambda: "connected" in log(lab, "environment"))
    parts = descendants(run.pid)
    assert len(parts) >= 3
    run.kill()
    run.wait()
    lab.await_that(lambda: not any(alive(pid) for pid in parts))


def log(lab: Lab, role: str) -> str:
    path = lab.run_folder("gone") / "logs" / f"{role}.log"
    return path.read_text() if path.exists() else ""


def descendants(parent: int) -> list[int]:
    command = ["ps", "-eo", "pid,ppid"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    own = [int(pid) for pid, ppid in re.findall(r"(\d+) +(\d+)", listing) if int(ppid) == parent]
    return own + [pid for child in own for pid in descendants(child)]


OVER = "the experiment is over: waiting for the next one at 127.0.0.1:{}; Ctrl-C ends this environment"


@posix
def test_an_environment_serves_one_experiment_after_another_until_ctrl_c(student: Lab) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    environment = student.start("environment", "--size", "4", RLGLUE_PORT=port)
    agents = {"one": ["-m", "othello_lab.agent", "greedy"], "own": ["agent.py"]}
    for name, words in {**agents, "again": agents["one"]}.items():
        agent = student.start_python(*words, RLGLUE_PORT=port)
        counts = ["--episodes", "9", "--eval-every", "0", "--final-games", "0", "--name", name]
        status, out = student.finished(student.start("experiment", "train", *counts, RLGLUE_PORT=port))
        assert (status, agent.wait(PATIENCE)) == (0, 0), out
    assert student.episodes("one") == student.episodes("again") != student.episodes("own")
    environment.send_signal(signal.SIGINT)
    status, out = student.finished(environment)
    assert status == 130, out
    assert out.count(OVER.format(port)) == 3
    assert "Traceback" not in out


@pytest.mark.parametrize(("code", "says"), [("exit(7)", 7), ("import os; os.kill(os.getpid(), 9)", -9)])
@posix
def test_a_program_is_seen_to_end_as_it_did(code: str, says: int) -> None:
    with subprocess.Popen([*CHILD, "program", sys.executable, "-c", code], stdin=subprocess.PIPE) as child:
        assert child.wait(PATIENCE) == says


@posix
def test_only_children_that_are_ours_are_signalled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killpg(group: int, number: int) -> None:
        # ChildProcessError means that the process was waited for. Its id may then be reused.
        os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        signalled.append(group)
        kill(group, number)

    signalled: list[int] = []
    kill = os.killpg
    monkeypatch.setattr(os, "killpg", killpg)
    orphan, log = tmp_path / "orphan", tmp_path / "log"
    with Trio() as trio:
        arguments = ["/bin/sh", "-c", f"sleep 3600 & echo $! > {orphan}; exit 3"]
        trio.start("agent", Command(arguments, "my-agent"), log, ("127.0.0.1", 1))
        end = str(trio.explain(GlueError("lost")))
    assert end == f"the agent (my-agent) ended with exit status 3; its log {log} is empty"
    assert signalled
    Lab.await_that(lambda: not alive(int(orphan.read_text())))


def test_the_log_of_a_child_that_never_ends_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trio, "LARGEST_LOG", 1_000_000)
    monkeypatch.setattr(trio, "_CUT_LOGS_EVERY", 0.01)
    program = "while True: print('x' * 1000, flush=True); import time; time.sleep(0.0005)"
    log = tmp_path / "agent.log"
    with Trio() as children:
        children.start("agent", Command([sys.executable, "-c", program], "agent"), log, ("127.0.0.1", 1))
        Lab.await_that(lambda: log.exists() and b"cut here" in log.read_bytes())
    assert log.stat().st_size < 1_500_000
