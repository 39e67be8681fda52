"""A run that is stopped at any moment and resumed equals an uninterrupted run, to the byte.

A moment is a message that a part of the run is about to send. OTHELLO_KILL_POINTS=20 tries 20 runs with other
moments.
"""

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.record import derive
from othello_lab.experiment.run.run_folder import RunFolder
from tests.experiment.lab import PATIENCE, Lab, alive, posix

pytestmark = [posix, pytest.mark.slow]
RUNS = int(os.environ.get("OTHELLO_KILL_POINTS", "1"))
GAMES = 60
COUNTS = ["--episodes", str(GAMES), "--eval-games", "5", "--final-games", "10", "--save-every", "15"]
OPTIONS = [*COUNTS, "--seed", "5", "--size", "4", "--agent", "dqn,hidden=[16],batch=8,replay=1100"]
# The smallest number of messages that each part sends in a game.
MESSAGES = {"experiment": 20, "agent": 9, "environment": 11}
# The latest moment is a share of the training games left. For 3.5, it is in the evaluations after them.
STOPS = (
    ("experiment", signal.SIGINT, 0.6),
    ("experiment", signal.SIGKILL, 0.6),
    ("agent", signal.SIGKILL, 0.6),
    ("environment", signal.SIGKILL, 3.5),
)


def at_message(lab: Lab, role: str, at: int, number: int = signal.SIGKILL) -> dict[str, str]:
    """Return variables that let a part of the run receive a signal before its message number `at`."""
    return {"AT_MESSAGE": f"{role} {at} {int(number)} {lab.folder}"}


def content(run: Path) -> dict[str, bytes]:
    """Return what must be equal: the results, and the state of the agent."""
    paths = [run / name for name in ("episodes.csv", "evaluations.csv", "checkpoints.jsonl")]
    return {path.name: path.read_bytes() for path in [*paths, *sorted((run / "checkpoints").iterdir())]}


def in_process(folder: Path, *options: str) -> Path:
    command = ["run", "--in-process", *options, "--name", "whole", "--runs-dir", str(folder)]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    return folder / "whole"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that is not stopped. The run in one process must have the same result."""
    return in_process(tmp_path_factory.mktemp("whole"), *OPTIONS)


def stop(lab: Lab, words: list[str], role: str, at: int, number: signal.Signals) -> None:
    run = lab.start("othello", "run", *words, **at_message(lab, role, at, number))
    status, out = lab.finished(run)
    games = lab.episodes("parts").count(b"\n") - 1
    print(f"{role} had {number.name} at message {at}, after {games} games")
    assert "Traceback" not in out
    parts = {path: int(path.read_text()) for path in lab.folder.glob("*.pid")}
    assert len(parts) == 3
    if number is signal.SIGINT:
        assert status == 130, out
        assert "othello run --resume parts" in out
    elif role == "experiment":
        assert status == -signal.SIGKILL, out
        lab.await_that(lambda: not any(alive(pid) for pid in parts.values()))
    else:
        assert status == 1, out
        says = rf"Error: the {role} \(.*\) was killed by signal 9; its log .*; go on with: .*"
        assert re.fullmatch(says + "othello run --resume parts", out.splitlines()[-1])
    assert not any(alive(pid) for pid in parts.values())
    for path in parts:
        path.unlink()


@pytest.mark.timeout(900)  # starts three processes five times
@pytest.mark.parametrize("run", range(RUNS))
def test_killed_at_any_message_and_resumed_it_is_the_same_run(lab: Lab, whole: Path, run: int) -> None:
    rng, words = np.random.default_rng([1, run]), [*OPTIONS, "--name", "parts"]
    for role, number, latest in STOPS:
        saved = RunFolder(lab.run_folder("parts")).saved()
        games = GAMES - (saved[-1].episode if saved else 0)
        stop(lab, words, role, 1 + int(rng.uniform(0.1, latest) * games * MESSAGES[role]), number)
        words = ["--resume", "parts"]
    status, out = lab.finished(lab.start("othello", "run", *words))
    assert status == 0, out
    for expected in ("\ncorner-greedy ", "picture   runs", "othello play parts"):
        assert expected in out
    parts = lab.run_folder("parts")
    found, wanted = content(parts), content(whole)
    names = [*(f"episode-{number:08d}" for number in (30, 45, 60)), "policy"]
    assert list(wanted)[-4:] == [f"{name}.safetensors" for name in names], "the newest three and the policy"
    # Only files that the stop has saved may be there in addition.
    assert [name for name, data in wanted.items() if found.get(name) != data] == []
    assert json.loads((parts / "config.json").read_text())["agent_config"]["epsilon_steps"] == 326
    evaluated = {int(row.split(b",")[0]) for row in wanted["evaluations.csv"].splitlines()[1:]}
    assert evaluated == {*range(0, GAMES + 1, 6)}, "ten times, as --eval-every was not given"


def by_hand(lab: Lab, port: str, *arguments: str, **variables: str) -> "list[subprocess.Popen[str]]":
    commands = ("experiment", "train", *arguments), ("agent", "tabular", "--seed", str(derive(5).agent))
    return [lab.start(*command, RLGLUE_PORT=port, **variables) for command in commands]


def test_three_shells_go_on_as_well(lab: Lab) -> None:
    counts = "--episodes 60 --eval-every 25 --eval-games 5 --final-games 0 --save-every 15 --seed 5"
    options = counts.split()
    whole = in_process(lab.folder, *options, "--size", "4", "--agent", "tabular")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    variables = at_message(lab, "agent", 150)
    environment = lab.start(
        "environment", "--size", "4", "--seed", str(derive(5).environment), RLGLUE_PORT=port
    )
    train, agent = by_hand(lab, port, *options, "--name", "hand", **variables)
    status, out = lab.finished(train)
    assert status == 1
    assert "waiting for an agent" in out
    assert re.search(
        r"Error: the agent \(.*\) left.*othello experiment train --resume hand$", out.splitlines()[-1]
    )
    assert agent.wait(PATIENCE) == -signal.SIGKILL
    train, agent = by_hand(lab, port, "--resume", "hand")
    status, out = lab.finished(train)
    assert status == 0, out
    assert re.search("^tabular as black against corner-greedy on 4x4$", out, re.MULTILINE), out
    assert agent.wait(PATIENCE) == 0
    environment.send_signal(signal.SIGINT)
    assert lab.finished(environment)[0] == 130
    for name in ("episodes.csv", "evaluations.csv"):
        assert (lab.run_folder("hand") / name).read_bytes() == (whole / name).read_bytes()
    saved = {path.name: path.read_bytes() for path in (lab.folder / "checkpoints").iterdir()}
    assert saved == {f"hand-{path.name}": path.read_bytes() for path in (whole / "checkpoints").iterdir()}
