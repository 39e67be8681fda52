"""A run that is stopped at any moment and resumed equals the one that never was, to the byte.

OTHELLO_KILL_POINTS=20 tries that many moments.
"""

import os
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from experiment.training.seeds import derive
from tests.experiment.lab import DQN, Lab, alive, children, kill_part, posix

POINTS = int(os.environ.get("OTHELLO_KILL_POINTS", "2"))
ROLES = ("experiment", "agent", "environment")
COUNTS = ["--episodes", "200", "--eval-every", "25", "--eval-games", "5", "--final-games", "20"]
TRAIN = [*COUNTS, "--save-every", "30", "--seed", "5"]
OPTIONS = [*TRAIN, "--size", "4", "--agent", DQN]

pytestmark = posix


@dataclass(frozen=True)
class Whole:
    """The run that nobody stops."""

    content: dict[str, bytes]
    start: float
    """Seconds until the first game was over."""
    work: float
    """Seconds from there to the end."""


def content(run: Path) -> dict[str, bytes]:
    """What must be equal: the results, and all that the agent knows."""
    paths = [run / "episodes.csv", run / "evaluations.csv", run / "checkpoints.jsonl"]
    return {path.name: path.read_bytes() for path in [*paths, *sorted((run / "checkpoints").iterdir())]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    lab = Lab(tmp_path_factory.mktemp("whole"))
    begin = time.monotonic()
    run = lab.start("othello", "run", *OPTIONS, "--name", "whole")
    lab.await_episodes("whole", 1)
    first = time.monotonic()
    status, out = lab.finished(run)
    assert status == 0, out
    end = time.monotonic()
    found = content(lab.run_folder("whole"))
    names = [f"episode-00000{number}.safetensors" for number in (150, 180, 200)]
    assert list(found)[-4:] == [*names, "policy.safetensors"], "the newest three and the policy"
    return Whole(found, first - begin, end - first)


def difference(found: dict[str, bytes], wanted: dict[str, bytes]) -> list[str]:
    return [name for name in sorted(found.keys() | wanted.keys()) if found.get(name) != wanted.get(name)]


def wait_for(moment: float, lab: Lab, whole: Whole) -> None:
    """Wait for a moment from 0 to 1: the parts start in the first fifth and play in the rest."""
    share = moment * 5 if moment < 0.2 else (moment - 0.2) / 0.8
    if moment >= 0.2:
        lab.await_episodes("parts", 1)
    time.sleep(share * (whole.start if moment < 0.2 else whole.work))


@pytest.mark.parametrize("point", range(POINTS))
def test_killed_at_any_moment_and_resumed_it_is_the_same_run(lab: Lab, whole: Whole, point: int) -> None:
    draw = np.random.default_rng([1, point])
    moment, role = float(draw.random()), ROLES[point % 3]
    run = lab.start("othello", "run", *OPTIONS, "--name", "parts")
    wait_for(moment, lab, whole)
    parts = kill_part(run, role)
    out, _ = run.communicate(timeout=30)
    assert "Traceback" not in out
    lab.await_that(lambda: not any(alive(pid) for pid in parts.values()))
    games = lab.episodes("parts").count(b"\n") - 1
    print(f"{role} killed at {moment:.0%} after {games} games: {out.splitlines()[-1:]}")
    if not lab.run_folder("parts").exists():  # killed before it had begun
        return
    status, out = lab.resume("parts")
    assert status == 0, out
    assert difference(content(lab.run_folder("parts")), whole.content) == []


def test_stopped_by_ctrl_c_and_resumed_it_is_the_same_run(lab: Lab, whole: Whole) -> None:
    run = lab.start("othello", "run", *OPTIONS, "--name", "parts")
    lab.await_episodes("parts", 65)
    parts = children(run.pid)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=30)
    assert run.returncode == 130, out
    assert "othello run --resume parts" in out
    assert not any(alive(pid) for pid in parts.values())
    status, out = lab.resume("parts")
    assert status == 0, out
    found = content(lab.run_folder("parts"))
    # Only what was saved at the stop may be there besides.
    assert difference({name: found[name] for name in whole.content}, whole.content) == []


def by_hand(lab: Lab, port: str, *arguments: str) -> "list[subprocess.Popen[str]]":
    """Experiment, agent and environment as from three shells."""
    seeds = derive(5)
    commands = (
        ("experiment", "train", *arguments),
        ("agent", DQN, "--seed", str(seeds.agent)),
        ("environment", "--size", "4", "--seed", str(seeds.environment)),
    )
    return [lab.start(*command, RLGLUE_PORT=port) for command in commands]


def test_three_shells_go_on_as_well(lab: Lab, whole: Whole) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    train, agent, environment = by_hand(lab, port, *TRAIN, "--name", "hand")
    lab.await_episodes("hand", 65)
    agent.kill()
    status, out = lab.finished(train)
    assert status == 1
    assert out.splitlines()[-1].endswith("othello experiment train --resume hand")
    assert environment.wait(10) == 0
    train, agent, environment = by_hand(lab, port, "--resume", "hand")
    status, out = lab.finished(train)
    assert status == 0, out
    assert (agent.wait(10), environment.wait(10)) == (0, 0)
    run = lab.run_folder("hand")
    for name in ("episodes.csv", "evaluations.csv"):
        assert (run / name).read_bytes() == whole.content[name]
    for path in (lab.folder / "checkpoints").iterdir():  # named after the run, since others may be there
        assert path.read_bytes() == whole.content[path.name.removeprefix("hand-")]
