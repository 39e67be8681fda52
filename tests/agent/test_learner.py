"""The learning maths by hand."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from agent.dqn.config import DQNConfig
from agent.dqn.learner import Learner, bootstrap_values, move_towards, targets
from agent.dqn.network import masked, mlp
from agent.dqn.optimiser import RMSpropGraves
from agent.dqn.replay import Batch
from game import symmetry

LEGAL = torch.tensor([[True, False, True]])


def test_the_bootstrap_never_looks_at_illegal_squares() -> None:
    values = torch.tensor([[-0.5, 9.0, -0.25]])
    assert bootstrap_values(values, values, LEGAL).tolist() == [-0.25]


def test_double_q_chooses_online_and_judges_with_the_target() -> None:
    online, target = torch.tensor([[1.0, 9.0, 0.0]]), torch.tensor([[0.5, 7.0, 3.0]])
    assert bootstrap_values(online, target, LEGAL).tolist() == [0.5]


def test_a_state_without_legal_squares_gives_no_nan() -> None:
    values = torch.tensor([[1.0, 2.0, 3.0]])
    nothing = torch.zeros(1, 3, dtype=torch.bool)
    bootstrap = bootstrap_values(values, values, nothing)
    assert targets(torch.tensor([1.0]), torch.tensor([0.0]), bootstrap).tolist() == [1.0]
    assert torch.isfinite(masked(values, nothing)).all()


@pytest.mark.parametrize(
    ("reward", "discount", "bootstrap", "wanted"),
    [
        (1.0, 0.0, 5.0, 1.0),  # a win
        (-1.0, 0.0, 5.0, -1.0),  # a loss
        (-0.5, 0.0, 5.0, -0.5),  # a draw
        (0.0, 0.99, 0.5, 0.495),  # the game goes on, also over a forced pass
        (0.0, -0.99, 0.5, -0.495),  # self-play: the next decision is the other side's
    ],
)
def test_targets(reward: float, discount: float, bootstrap: float, wanted: float) -> None:
    found = targets(torch.tensor([reward]), torch.tensor([discount]), torch.tensor([bootstrap]))
    assert found.item() == pytest.approx(wanted)


def test_the_target_network_moves_by_its_rate() -> None:
    slow, fast = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    before = slow.weight.detach().clone()
    move_towards(slow, fast, 0.25)
    assert torch.allclose(slow.weight, 0.75 * before + 0.25 * fast.weight)
    move_towards(slow, fast, 1.0)
    assert torch.equal(slow.weight, fast.weight)


def test_rmsprop_of_graves_has_epsilon_inside_the_root() -> None:
    weight = torch.tensor([1.0], requires_grad=True)
    optimiser = RMSpropGraves([weight], lr=0.1, alpha=0.9, epsilon=0.01)
    square = mean = 0.0
    expected = 1.0
    for gradient in (2.0, -1.0):
        weight.grad = torch.tensor([gradient])
        optimiser.step()
        square = 0.9 * square + 0.1 * gradient**2
        mean = 0.9 * mean + 0.1 * gradient
        expected -= 0.1 * gradient / (square - mean**2 + 0.01) ** 0.5
    assert weight.item() == pytest.approx(expected, rel=1e-5)


def batch_of(planes: NDArray[Any], action: int) -> Batch:
    one = planes[None].astype(np.uint8)
    return Batch(one, np.array([action]), np.zeros(1, np.float32), np.ones(1, np.float32), one)


def test_symmetries_turn_planes_and_actions_alike() -> None:
    learner = Learner(DQNConfig(hidden=(4,)), 4, seed=0)
    planes = np.zeros((4, 16))
    planes[2, 6] = 1  # c2 is legal, and played
    rng = np.random.default_rng(0)
    landed = set()
    for _ in range(60):
        turned = learner._prepare(batch_of(planes, 6), rng)
        action = int(turned.a_tm1)
        assert torch.equal(turned.s_tm1[0, 2].nonzero().ravel(), torch.tensor([action]))
        assert torch.equal(turned.s_t, turned.s_tm1)
        landed.add(action)
    assert landed == set(symmetry.permutations(4)[:, 6].tolist())


def test_learning_fits_a_fixed_target() -> None:
    learner = Learner(DQNConfig(hidden=(16,), learning_rate=0.01, symmetries=False), 4, seed=0)
    rng = np.random.default_rng(0)
    batch = batch_of(rng.integers(0, 2, (4, 16)), 3)
    batch = Batch(batch.s_tm1, batch.a_tm1, np.array([1.0], np.float32), np.zeros(1, np.float32), batch.s_t)
    for _ in range(300):
        learner.update(batch, rng)
    value = learner.online(torch.from_numpy(batch.s_tm1).float())[0, 3]
    assert value.item() == pytest.approx(1.0, abs=0.02)


def test_networks_of_one_seed_are_equal() -> None:
    def weights(seed: int) -> torch.Tensor:
        return next(mlp(4, 16, (8,), torch.Generator().manual_seed(seed)).parameters())

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))
