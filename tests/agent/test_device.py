"""Learners on a device that they are told. torch's device `meta` has no numbers, but refuses to be mixed."""

from contextlib import nullcontext

import numpy as np
import pytest
import torch

from othello_lab.agent.device import learning as device_learning
from othello_lab.agent.device.games import Games
from othello_lab.agent.device.learning import Judge, Learning
from othello_lab.agent.device.luck import Randomness
from othello_lab.agent.device.pool import Pool
from othello_lab.agent.device.ring import Ring
from othello_lab.agent.device.rules import Rules
from othello_lab.agent.device.torch_device import DeviceError, read_device
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.policy import action_values
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent
from othello_lab.agent.memory.replay import Batch
from othello_lab.agent.selfplay.pool import read_shares
from othello_lab.environment.config import EnvironmentConfig

META = torch.device("meta")
PLAIN = {"hidden": (8,), "optimiser": "rmsprop-graves"}
"""Of torch's own optimisers none that is used here takes `meta`."""


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


def test_an_agent_puts_its_networks_where_it_is_told() -> None:
    agent = make_agent("dqn,hidden=8,optimiser=rmsprop-graves", size=4, device="meta")
    assert isinstance(agent, LearningAgent)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    assert {weight.device for weight in agent.learner.q.online.parameters()} == {META}


@pytest.mark.parametrize("text", ["tabular", "greedy"])
def test_who_computes_on_the_processor_says_so(text: str) -> None:
    with pytest.raises(
        ValueError,
        match=f"{text} computes on the processor only: leave the device out, or take alphazero or dqn",
    ):
        make_agent(text, device="cuda:0")


@pytest.mark.parametrize("method", ["alphazero", "ppo"])
def test_a_learner_has_its_networks_and_its_optimiser_there(method: str) -> None:
    agent = make_agent(f"{method},width=8", size=4, device="meta")
    assert isinstance(agent, LearningAgent)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    learning = agent.learner._learning
    parts = [*learning.network.parameters(), *learning.average.parameters(), *learning.tensors().values()]
    assert {part.device for part in parts} == {META}


def test_games_and_learning_never_ask_the_device_for_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_learning, "mixed_precision", lambda device: nullcontext())
    rules, random, games = Rules(8, META), Randomness(7, META), 64
    ring = Ring(20, games, 1.0, 3, META)
    config = DQNConfig(hidden=(8,), batch=32, n_step=3, gamma=1.0, clip_norm=1.0, optimiser="rmsprop-graves")
    q = QLearning(config, 8, 1, META)
    q.optimiser = torch.optim.SGD(q.optimiser.param_groups[0]["params"], 0.1)
    learning = Learning(config, q, rules, ring, random)
    q.optimiser.param_groups[0]["lr"] = 0.1  # this one takes no tensor
    everybody = "random,corner-greedy,positional,mobility,random-weights,weights:swh,ntuple:pretrained,past"
    shares = read_shares(",".join(f"{name}=0.1" for name in everybody.split(",")))
    pool = Pool(shares, rules, games, [Judge(rules, q.target)])
    made = Games(rules, random, Judge(rules, q.online), pool, ring, games, 10, 7)
    made.spread()
    for piece in (made.judge, made.oppose, made.play, learning.update):
        piece()
    assert len(pool.seats) == 8
    assert {tensor.device for tensor in (q.weights, q.target_weights, q.average_weights)} == {META}


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
def test_a_device_by_its_name(monkeypatch: pytest.MonkeyPatch, devices: int, text: str, found: str) -> None:
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
    with pytest.raises(DeviceError, match=complaint):
        read_device(text)


def machine_with(monkeypatch: pytest.MonkeyPatch, devices: int) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: devices > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: devices)
