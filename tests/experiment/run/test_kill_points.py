"""A run that is stopped at any moment and resumed equals the one that never was, to the byte.

A moment is a message: one that a part of the run is about to send. OTHELLO_KILL_POINTS=20 tries that many.
"""

import os
import re
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.record import derive
from tests.experiment.lab import DQN, PATIENCE, Lab, alive, posix

ROLES = ("experiment", "agent", "environment")
POINTS = int(os.environ.get("OTHELLO_KILL_POINTS", len(ROLES)))
COUNTS = ["--episodes", "150", "--eval-every", "50", "--eval-games", "5", "--final-games", "10"]
TRAIN = [*COUNTS, "--save-every", "40", "--keep-lost-games", "--seed", "5"]
OPTIONS = [*TRAIN, "--size", "4", "--agent", DQN]
HOOK = Path(__file__).parents[1] / "at_message"

pytestmark = posix


def at_message(lab: Lab, role: str, at: int, number: int = signal.SIGKILL) -> dict[str, str]:
    """Variables that let a part of the run have a signal when it is about to send its message `at`."""
    path = os.pathsep.join(filter(None, [str(HOOK), os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path, "AT_MESSAGE": f"{role} {at} {int(number)} {lab.folder}"}


def pids(lab: Lab) -> list[int]:
    """The processes that have been started so."""
    return [int(path.read_text()) for path in lab.folder.glob("*.pid")]


@dataclass(frozen=True)
class Whole:
    """The run that nobody stops."""

    content: dict[str, bytes]
    messages: dict[str, int]
    """How many each part of it sends."""


def content(run: Path) -> dict[str, bytes]:
    """What must be equal: the results, and all that the agent knows."""
    paths = [run / name for name in ("episodes.csv", "evaluations.csv", "lost.jsonl", "checkpoints.jsonl")]
    return {path.name: path.read_bytes() for path in [*paths, *sorted((run / "checkpoints").iterdir())]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    lab = Lab(tmp_path_factory.mktemp("whole"))
    run = lab.start("othello", "run", *OPTIONS, "--name", "whole", **at_message(lab, "nobody", 0))
    status, out = lab.finished(run)
    assert status == 0, out
    found = content(lab.run_folder("whole"))
    names = [f"episode-{number:08d}.safetensors" for number in (80, 120, 150)]
    assert list(found)[-4:] == [*names, "policy.safetensors"], "the newest three and the policy"
    return Whole(found, {role: int((lab.folder / f"{role}.sent").read_text()) for role in ROLES})


def difference(found: dict[str, bytes], wanted: dict[str, bytes]) -> list[str]:
    return [name for name in sorted(found.keys() | wanted.keys()) if found.get(name) != wanted.get(name)]


def moment(point: int, messages: int) -> int:
    """One of so many messages: in the first third, the second, the last, and so on with other roles."""
    third = (point + point // 3) % 3
    return 1 + int((third + np.random.default_rng([1, point]).random()) / 3 * messages)


@pytest.mark.parametrize("point", range(POINTS))
def test_killed_at_any_message_and_resumed_it_is_the_same_run(
    lab: Lab, whole: Whole, point: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = ROLES[point % 3]
    at = moment(point, whole.messages[role])
    run = lab.start("othello", "run", *OPTIONS, "--name", "parts", **at_message(lab, role, at))
    _, out = lab.finished(run)
    assert "Traceback" not in out
    lab.await_that(lambda: not any(alive(pid) for pid in pids(lab)))
    assert not (lab.folder / f"{role}.sent").exists(), "it was killed"
    games = lab.episodes("parts").count(b"\n") - 1
    print(f"{role} killed at message {at} of {whole.messages[role]}, after {games} games")
    # In this process, which has loaded everything already: that must make no difference.
    monkeypatch.chdir(lab.folder)
    done = CliRunner().invoke(cli, ["experiment", "train", "--in-process", "--resume", "parts"])
    assert done.exit_code == 0, done.output
    assert difference(content(lab.run_folder("parts")), whole.content) == []


def test_stopped_by_ctrl_c_and_resumed_it_is_the_same_run(lab: Lab, whole: Whole) -> None:
    sixth = whole.messages["experiment"] // 6  # before the first of the checkpoints that are left at the end
    variables = at_message(lab, "experiment", sixth, signal.SIGINT)
    run = lab.start("othello", "run", *OPTIONS, "--name", "parts", **variables)
    status, out = lab.finished(run)
    assert status == 130, out
    assert "othello run --resume parts" in out
    assert not any(alive(pid) for pid in pids(lab))
    status, out = lab.resume("parts")
    assert status == 0, out
    found = content(lab.run_folder("parts"))
    # Only what was saved at the stop may be there besides.
    assert difference({name: found[name] for name in whole.content}, whole.content) == []


def by_hand(lab: Lab, port: str, *arguments: str, **variables: str) -> "list[subprocess.Popen[str]]":
    """Experiment, agent and environment as from three shells."""
    seeds = derive(5)
    commands = (
        ("experiment", "train", *arguments),
        ("agent", DQN, "--seed", str(seeds.agent)),
        ("environment", "--size", "4", "--seed", str(seeds.environment)),
    )
    return [lab.start(*command, RLGLUE_PORT=port, **variables) for command in commands]


def test_three_shells_go_on_as_well(lab: Lab, whole: Whole) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    variables = at_message(lab, "agent", whole.messages["agent"] // 4)
    train, agent, environment = by_hand(lab, port, *TRAIN, "--name", "hand", **variables)
    status, out = lab.finished(train)
    assert status == 1
    assert out.splitlines()[-1].endswith("othello experiment train --resume hand")
    assert (agent.wait(PATIENCE), environment.wait(PATIENCE)) == (-signal.SIGKILL, 0)
    train, agent, environment = by_hand(lab, port, "--resume", "hand")
    status, out = lab.finished(train)
    assert status == 0, out
    assert re.search("^dqn,warm_up=50,.* as black against corner-greedy on 4x4$", out, re.MULTILINE), out
    assert (agent.wait(PATIENCE), environment.wait(PATIENCE)) == (0, 0)
    run = lab.run_folder("hand")
    for name in ("episodes.csv", "evaluations.csv"):
        assert (run / name).read_bytes() == whole.content[name]
    for path in (lab.folder / "checkpoints").iterdir():  # named after the run, since others may be there
        assert path.read_bytes() == whole.content[path.name.removeprefix("hand-")]
