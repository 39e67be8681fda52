import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.network import action_values
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent, read_device
from othello_lab.agent.memory.replay import Batch
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.game.catalogue import make
from tests.agent.parts import dqn_agent

META = torch.device("meta")
PLAIN = {"hidden": (8,), "optimiser": "rmsprop-graves"}  # No other optimiser of DQN supports `meta`.


def batch_of_zeros(n: int, size: int) -> Batch:
    states = np.zeros((n, 4, size * size), np.uint8)
    ones = np.ones(n, np.float32)
    return Batch(states, np.zeros(n, np.int64), ones, ones, states)


def test_an_update_of_a_dqn_agent_stays_on_its_device() -> None:
    q = QLearning(DQNConfig(**PLAIN), 4, 1, META)  # type: ignore[arg-type]
    q.updates = 1  # the first is looked at, which asks the device for numbers
    turns, weights = np.zeros(32, np.int64), np.ones(32, np.float32)
    with pytest.raises(NotImplementedError, match="meta tensor"):  # the errors, which go out at the very end
        q.update(batch_of_zeros(32, 4), turns, weights)
    assert q.updates == 2
    for tensor in (*q.online.parameters(), *q.target.parameters(), *q.average.parameters()):
        assert tensor.device == META
    values = action_values(q.online, torch.zeros(2, 4, 16, device=META), symmetric=True)
    assert (values.device, values.shape) == (META, (2, 16))


@pytest.mark.parametrize("text", ["tabular", "greedy"])
def test_other_agents_refuse_a_device(text: str) -> None:
    with pytest.raises(
        ValueError, match=f"{text} computes on the CPU only: leave the device out, or use alphazero or dqn"
    ):
        make_agent(text, device="cuda:0")


@pytest.mark.parametrize(
    "text", ["alphazero,width=8", "ppo,width=8", "dqn,hidden=8,optimiser=rmsprop-graves"]
)
def test_networks_and_optimiser_of_a_learner_are_on_its_device(text: str) -> None:
    agent = make_agent(text, size=4, device="meta")
    assert isinstance(agent, LearningAgent)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    if text.startswith("dqn"):
        parts = [*agent.learner.q.online.parameters()]
    else:
        learning = agent.learner
        parts = [*learning.network.parameters(), *learning.average.parameters(), *learning.tensors().values()]
    assert {part.device for part in parts} == {META}


@pytest.mark.parametrize(
    ("devices", "text", "found"),
    [
        (0, "auto", "cpu"),
        (0, "cpu", "cpu"),
        (2, "auto", "cuda:0"),
        (2, "cuda", "cuda:0"),
        (2, "cuda:1", "cuda:1"),
    ],
)
def test_read_device(monkeypatch: pytest.MonkeyPatch, devices: int, text: str, found: str) -> None:
    machine_with(monkeypatch, devices)
    assert str(read_device(text)) == found


@pytest.mark.parametrize(
    ("devices", "text", "complaint"),
    [
        (0, "cuda", "cuda: torch sees no CUDA device here; use cpu"),
        (2, "cuda:2", "cuda:2: the last CUDA device here is cuda:1"),
        (2, "cuda:-1", "'cuda:-1' is no device: expected auto, cpu, cuda or cuda:N"),
        (2, "GPU", "'GPU' is no device"),
    ],
)
def test_a_missing_device(monkeypatch: pytest.MonkeyPatch, devices: int, text: str, complaint: str) -> None:
    machine_with(monkeypatch, devices)
    with pytest.raises(ValueError, match=complaint):
        read_device(text)


def machine_with(monkeypatch: pytest.MonkeyPatch, devices: int) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: devices > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: devices)


NOBODY = ["--port", "9", "--connect-timeout", "0"]


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
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
        (["run", "--in-process", "--resume", "nobody"], 1),
    ],
)
def test_every_command_that_asks_networks_chooses_its_threads(command: list[str], threads: int) -> None:
    CliRunner().invoke(cli, command)
    assert torch.get_num_threads() == threads


@pytest.mark.slow
def test_the_choice_holds_for_a_torch_that_is_loaded_later() -> None:
    choose = "from rlglue.scripts import use_threads; use_threads(1)"
    code = f"{choose}; import torch; print(torch.get_num_threads())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


MISSING = "needs the package torch, which is not installed: python -m pip install 'othello-lab[train]'"
# The code runs first in every Python process here, so that `import torch` fails.
WITHOUT = "import sys; sys.modules['torch'] = None\n"
NEED_TORCH = (
    "agent dqn --connect-timeout 1",
    "environment --opponent dqn:net.safetensors",
    "play net.safetensors",
    "match random search:depth=2,eval=dqn:net.safetensors --size 4",
    "run --in-process --size 4 --episodes 1",
    "run --size 4 --episodes 1",
)
NEED_NO_TORCH = "run --in-process --agent greedy --size 4 --episodes 3 --eval-every 0 --final-games 0"
EACH = """
import contextlib, io, json, sys
from othello_lab.commands.cli import main
lines = sys.argv[1:]
for line in lines:
    sys.argv[1:] = line.split()
    code, errors = 0, io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
        try:
            main()
        except SystemExit as end:
            code = end.code
    print(json.dumps([code, errors.getvalue()]))
"""


@pytest.mark.slow
def test_without_torch_what_needs_it_says_so_in_a_line_and_all_else_works(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    agent = dqn_agent({"hidden": "8"}, size=4, directory=tmp_path)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    agent.save_policy("net")
    done = subprocess.run(
        [sys.executable, "-c", EACH, *NEED_TORCH, NEED_NO_TORCH],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=90,
        check=True,
    )
    *missing, (code, errors) = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(missing) == len(NEED_TORCH)
    assert not code, errors
    for code, errors in missing:
        assert code in (1, 2)
        assert MISSING in errors.splitlines()[-1]
        assert "Traceback" not in errors
