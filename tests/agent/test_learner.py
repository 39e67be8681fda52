"""The learning maths by hand."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.policy import masked
from othello_lab.agent.dqn.q_learning import (
    QLearning,
    RMSpropGraves,
    bootstrap_values,
    loss_of,
    prepare,
    targets,
)
from othello_lab.agent.memory.replay import Batch
from othello_lab.game import symmetry

LEGAL = torch.tensor([[True, False, True]])


def test_the_bootstrap_never_looks_at_illegal_squares() -> None:
    values = torch.tensor([[-0.5, 9.0, -0.25]])
    assert bootstrap_values(values, LEGAL).tolist() == [-0.25]


def test_double_q_chooses_online_and_judges_with_the_target() -> None:
    online, target = torch.tensor([[1.0, 9.0, 0.0]]), torch.tensor([[0.5, 7.0, 3.0]])
    assert bootstrap_values(target, LEGAL, online).tolist() == [0.5]


def test_a_state_without_legal_squares_gives_no_nan() -> None:
    values = torch.tensor([[1.0, 2.0, 3.0]])
    nothing = torch.zeros(1, 3, dtype=torch.bool)
    bootstrap = bootstrap_values(values, nothing)
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


def test_the_slow_networks_move_by_their_rates() -> None:
    config = DQNConfig(hidden=(8,), target_every=2, target_rate=0.25, average_rate=0.5)
    learner = QLearning(config, 4, seed=0)
    batch = batch_of(np.random.default_rng(0).integers(0, 2, (4, 16)), 3)

    def bias(name: str) -> torch.Tensor:
        return torch.tensor(learner.arrays()[f"{name}.1.bias"])

    start = bias("target")
    learner.update(batch)
    assert torch.equal(bias("target"), start)
    assert torch.equal(bias("average"), bias("online")), "the average forgets its random start"
    learner.update(batch)
    assert torch.allclose(bias("target"), 0.75 * start + 0.25 * bias("online"))


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
    planes = np.zeros((4, 16))
    planes[2, 6] = 1  # c2 is legal, and played
    landed = set()
    for turn in range(8):
        turned = prepare(batch_of(planes, 6), 4, np.array([turn]), None)
        action = int(turned.a_tm1)
        assert torch.equal(turned.s_tm1[0, 2].nonzero().ravel(), torch.tensor([action]))
        assert torch.equal(turned.s_t, turned.s_tm1)
        landed.add(action)
    assert landed == set(symmetry.permutations(4)[:, 6].tolist())


def test_learning_fits_a_fixed_target() -> None:
    learner = QLearning(DQNConfig(hidden=(16,), learning_rate=0.01, symmetries=False), 4, seed=0)
    rng = np.random.default_rng(0)
    batch = batch_of(rng.integers(0, 2, (4, 16)), 3)
    batch = Batch(batch.s_tm1, batch.a_tm1, np.array([1.0], np.float32), np.zeros(1, np.float32), batch.s_t)
    for _ in range(300):
        learner.update(batch)
    value = learner.online(torch.from_numpy(batch.s_tm1).float())[0, 3]
    assert value.item() == pytest.approx(1.0, abs=0.02)


class Fixed(torch.nn.Module):
    """A network that always answers the same values."""

    def __init__(self, values: list[float]) -> None:
        super().__init__()
        self.values = torch.nn.Parameter(torch.tensor(values))

    def forward(self, state: torch.Tensor) -> torch.Tensor:
        return self.values.expand(len(state), -1)


@pytest.mark.parametrize(
    ("options", "discount", "wanted"),
    [
        ({}, 0.5, 0.5 * 0.25),  # online likes square 2 best among the legal ones, the target says 0.25
        ({"double": False}, 0.5, 0.5 * 0.75),  # the target's own best legal one
        ({}, -0.5, -0.5 * 0.25),  # self-play: the other side is to move
        ({"mask": False}, 0.5, 0.5 * -0.5),  # square 0 is illegal and looks best
        ({}, 0.0, 0.0),  # the end
    ],
)
def test_what_a_transition_is_taught(options: dict[str, bool], discount: float, wanted: float) -> None:
    learner = QLearning(DQNConfig(hidden=(4,), **options), 4, seed=0)  # type: ignore[arg-type]  # all are bools
    learner.online = Fixed([9.0, 0.0, 2.0, *[0.0] * 13])
    learner.target = Fixed([-0.5, 0.75, 0.25, *[-0.5] * 13])
    planes = np.zeros((4, 16))
    planes[2, [1, 2, 3]] = 1
    batch = batch_of(planes, 1)
    batch = Batch(
        batch.s_tm1, batch.a_tm1, np.full(1, 0.125, np.float32), np.full(1, discount, np.float32), batch.s_t
    )
    transitions = prepare(batch, 4, None, None)
    assert learner._targets(transitions).item() == pytest.approx(0.125 + wanted)


@pytest.mark.parametrize("optimiser", ["adam", "adamw", "sgd", "rmsprop", "rmsprop-graves"])
@pytest.mark.parametrize("loss", ["huber", "mse"])
def test_every_optimiser_and_loss_learns(optimiser: str, loss: str) -> None:
    config = DQNConfig(hidden=(16,), learning_rate=0.003, optimiser=optimiser, loss=loss, clip_norm=1.0)
    check_that_it_learns(QLearning(config, 4, seed=0))


@pytest.mark.parametrize("kind", ["mlp", "conv"])
def test_leaky_units_learn(kind: str) -> None:
    config = DQNConfig(
        network=kind, hidden=(16,), channels=4, blocks=1, units="leaky-relu", learning_rate=0.003
    )
    check_that_it_learns(QLearning(config, 4, seed=0))


def check_that_it_learns(learner: QLearning) -> None:
    batch = batch_of(np.random.default_rng(0).integers(0, 2, (4, 16)), 3)
    batch = Batch(batch.s_tm1, batch.a_tm1, np.ones(1, np.float32), np.zeros(1, np.float32), batch.s_t)
    first = float(np.abs(learner.update(batch)[0]))
    for _ in range(100):
        last = float(np.abs(learner.update(batch)[0]))
    assert last < 0.9 * first


def test_weights_of_transitions_scale_the_loss() -> None:
    config = DQNConfig(loss="mse")
    taken, wanted = torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0])
    assert loss_of(config, taken, wanted, None).item() == 2.5
    assert loss_of(config, taken, wanted, torch.tensor([1.0, 0.25])).item() == 1.0


def test_long_gradients_are_cut() -> None:
    config = DQNConfig(hidden=(8,), optimiser="sgd", learning_rate=1.0, clip_norm=0.01, loss="mse")
    learner = QLearning(config, 4, seed=0)
    before = {key: array.copy() for key, array in learner.arrays().items()}
    batch = batch_of(np.random.default_rng(0).integers(0, 2, (4, 16)), 3)
    batch = Batch(batch.s_tm1, batch.a_tm1, np.full(1, 5, np.float32), np.zeros(1, np.float32), batch.s_t)
    learner.update(batch)
    moved = sum(((learner.arrays()[key] - before[key]) ** 2).sum() for key in before if "online" in key)
    assert moved**0.5 == pytest.approx(0.01, rel=1e-4)
