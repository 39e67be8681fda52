"""torch's threads are chosen where a process starts, by nobody else."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.game.players import make
from tests.agent.parts import dqn_agent

NOBODY = ["--port", "9", "--connect-timeout", "0"]
"""Nobody listens there."""


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that somebody has given three threads."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "3")  # and back to what it was
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("three")
def test_a_network_leaves_the_threads_of_a_process_alone(tmp_path: Path) -> None:
    agent = dqn_agent({"hidden": "8"}, size=4, directory=tmp_path)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    make(f"dqn:{agent.save_policy('net')}", 4)
    assert torch.get_num_threads() == 3


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("command", "threads"),
    [
        (["agent", "dqn", *NOBODY], 1),
        (["agent", "dqn", "--threads", "2", *NOBODY], 2),
        (["environment", "--size", "4", *NOBODY], 1),
        (["play", "--size", "4"], 1),
        (["match", "random", "greedy", "--size", "4", "--openings", "1"], 1),
        (["experiment", "train", "--in-process", "--resume", "nobody"], 1),
    ],
)
def test_every_command_that_asks_networks_chooses_its_threads(command: list[str], threads: int) -> None:
    CliRunner().invoke(cli, command)
    assert torch.get_num_threads() == threads


def test_the_choice_holds_for_a_torch_that_is_loaded_later() -> None:
    choose = "from othello_lab.game.threads import use_threads; use_threads(1)"
    code = f"{choose}; import torch; print(torch.get_num_threads())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
