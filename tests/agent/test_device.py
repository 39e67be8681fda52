"""Learners on another device than the CPU: torch's `meta`, which has no numbers and refuses to be mixed."""

import numpy as np
import pytest
import torch

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.policy import action_values
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent, read_device
from othello_lab.agent.memory.replay import Batch
from othello_lab.environment.config import EnvironmentConfig

META = torch.device("meta")
PLAIN = {"hidden": (8,), "optimiser": "rmsprop-graves"}
"""No other optimiser of DQN supports `meta`."""


def batch_of_zeros(n: int, size: int) -> Batch:
    states = np.zeros((n, 4, size * size), np.uint8)
    ones = np.ones(n, np.float32)
    return Batch(states, np.zeros(n, np.int64), ones, ones, states)


@pytest.mark.parametrize("network", ["mlp", "conv"])
def test_an_update_of_a_dqn_agent_stays_on_its_device(network: str) -> None:
    q = QLearning(DQNConfig(network=network, **PLAIN), 4, 1, META)  # type: ignore[arg-type]
    q.updates = 1  # the first is looked at, which asks the device for numbers
    turns, weights = np.zeros(32, np.int64), np.ones(32, np.float32)
    with pytest.raises(NotImplementedError, match="meta tensor"):  # the errors, which go out at the very end
        q.update(batch_of_zeros(32, 4), turns, weights)
    assert q.updates == 2
    for tensor in (*q.online.parameters(), *q.target.parameters(), *q.average.parameters()):
        assert tensor.device == META
    values = action_values(q.online, torch.zeros(2, 4, 16, device=META), symmetric=True)
    assert (values.device, values.shape) == (META, (2, 16))


def test_the_networks_of_an_agent_are_on_its_device() -> None:
    agent = make_agent("dqn,hidden=8,optimiser=rmsprop-graves", size=4, device="meta")
    assert isinstance(agent, LearningAgent)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    assert {weight.device for weight in agent.learner.q.online.parameters()} == {META}


@pytest.mark.parametrize("text", ["tabular", "greedy"])
def test_other_agents_refuse_a_device(text: str) -> None:
    with pytest.raises(
        ValueError,
        match=f"{text} computes on the CPU only: leave the device out, or use alphazero or dqn",
    ):
        make_agent(text, device="cuda:0")


@pytest.mark.parametrize("method", ["alphazero", "ppo"])
def test_networks_and_optimiser_of_a_learner_are_on_its_device(method: str) -> None:
    agent = make_agent(f"{method},width=8", size=4, device="meta")
    assert isinstance(agent, LearningAgent)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    learning = agent.learner._learning
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
def test_a_device_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, devices: int, text: str, complaint: str
) -> None:
    machine_with(monkeypatch, devices)
    with pytest.raises(ValueError, match=complaint):
        read_device(text)


def machine_with(monkeypatch: pytest.MonkeyPatch, devices: int) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: devices > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: devices)
