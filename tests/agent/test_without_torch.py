"""Where torch is not installed, what needs it says so in a line, and all else works."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from othello_lab.environment.config import EnvironmentConfig
from tests.agent.parts import dqn_agent

MISSING = "needs the package torch, which is not installed: python -m pip install 'othello-lab[train]'"
WITHOUT = "import sys; sys.modules['torch'] = None\n"
"""What every Python process here runs first: `import torch` then fails as if there were none."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("without")
    (path / "sitecustomize.py").write_text(WITHOUT)
    agent = dqn_agent({"hidden": "8"}, size=4, directory=path)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    agent.save_policy("net")
    return path


def othello(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "othello_lab", *words]
    variables = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        command,
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=90,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    [
        "agent dqn --connect-timeout 1",
        "environment --opponent dqn:net.safetensors",
        "play net.safetensors",
        "match random search:depth=2,eval=dqn:net.safetensors --size 4",
        "experiment train --in-process --size 4 --episodes 1",
        "run --size 4 --episodes 1",
    ],
)
def test_what_needs_torch_says_so_in_a_line(folder: Path, command: str) -> None:
    done = othello(folder, *command.split())
    assert done.returncode in (1, 2)
    assert MISSING in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_what_does_not_need_it_works(folder: Path) -> None:
    train = (
        "experiment train --in-process --agent greedy --size 4 --episodes 3 --eval-every 0 --final-games 0"
    )
    done = othello(folder, *train.split())
    assert done.returncode == 0, done.stderr
