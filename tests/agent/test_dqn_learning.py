from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.method import DQN, configure
from othello_lab.agent.dqn.network import action_values, make_network
from othello_lab.agent.dqn.presets import classic
from othello_lab.agent.dqn.q_learning import QLearning, prepare, q_learning_targets, td_loss
from othello_lab.agent.memory.replay import Batch
from othello_lab.agent.optimisers import rmsprop_graves
from othello_lab.agent.options import Schedule
from othello_lab.agent.trained import shipped
from othello_lab.experiment.study.truth import every_game
from othello_lab.game import Board, Colour, Game, symmetry
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.registry import RegistryError


@pytest.mark.parametrize(
    ("schedule", "end", "wanted"),
    [("linear", 0.0, [1.0, 1.0, 0.5, 0.0, 0.0]), ("exponential", 0.01, [1.0, 1.0, 0.1, 0.01, 0.01])],
)
def test_epsilon_falls_between_its_steps(schedule: str, end: float, wanted: list[float]) -> None:
    made = Schedule(epsilon_schedule=schedule, epsilon_end=end, epsilon_from=100, epsilon_steps=200)  # type: ignore[arg-type]
    assert [made.epsilon(step) for step in (0, 100, 200, 300, 999)] == pytest.approx(wanted)


def test_classic_has_the_sizes_of_2017() -> None:
    config = classic(8)
    assert config.hidden == (2304,) * 9
    assert (config.replay, config.warm_up, config.batch, config.target_every) == (20_000, 5_000, 128, 10_000)
    schedule = DQN.schedule(config)
    assert [schedule.epsilon(step) for step in (5_000, 20_000)] == pytest.approx([1.0, 0.001])


def test_options_are_read_by_their_types() -> None:
    config = configure({"preset": "classic", "hidden": "8,8", "gamma": "none", "double": "true"}, 4)
    assert (config.hidden, config.gamma, config.double, config.frames) == ((8, 8), None, True, 9)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_it_plays_and_values_and_says_how_it_was_made(size: int) -> None:
    path = shipped("dqn", size)
    assert path.stat().st_size < 5e6
    stored = checkpoint.load(path, "dqn")
    assert "othello selfplay --learner dqn" in stored.values["recipe"]
    player, rng, game = make("dqn:pretrained", size), np.random.default_rng(1), Game(Board.start(size))
    while not game.board.is_over:
        if not game.pass_if_forced():
            game.play(player.choose(game, rng))  # which refuses an illegal move
    assert make_evaluator("dqn:pretrained", size)


def test_for_other_boards_it_says_which_there_are() -> None:
    with pytest.raises(
        RegistryError, match="no dqn:pretrained for 10x10 boards; it ships for 4x4 and 6x6 and 8x8"
    ):
        make("dqn:pretrained", 10)


def test_on_4x4_it_wins_as_white_whatever_black_plays() -> None:
    player = make("dqn:pretrained", 4)
    games = every_game(player, Colour.WHITE, np.random.default_rng(0))
    outcomes = [game.board.outcome() for game in games]
    assert len(outcomes) > 10
    assert all(outcome and outcome.winner is Colour.WHITE for outcome in outcomes)


def random_states(size: int, frames: int = 1, count: int = 3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(0, 2, (count, 4 * frames, size * size), generator=generator).float()


@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize(("size", "frames"), [(4, 1), (10, 2)])
def test_every_network_gives_a_value_per_square(dueling: bool, size: int, frames: int) -> None:
    config = DQNConfig(dueling=dueling, frames=frames, hidden=(8,))
    network = make_network(config, size, torch.Generator().manual_seed(0))
    values = network(random_states(size, frames))
    assert values.shape == (3, size * size)
    assert torch.isfinite(values).all()


@pytest.mark.parametrize(("units", "worth"), [("relu", 0.0), ("leaky-relu", -0.02)])
def test_leaky_units_let_a_hundredth_of_what_is_negative_through(units: str, worth: float) -> None:
    network = make_network(DQNConfig(hidden=(1,), units=units), 4)  # type: ignore[arg-type]
    for weights, value in zip(network.parameters(), (0.0, -2.0, 1.0, 0.0), strict=True):
        torch.nn.init.constant_(weights, value)
    assert network(random_states(4)).detach().numpy() == pytest.approx(worth)


def test_advantages_of_legal_moves_have_mean_zero() -> None:
    network = make_network(DQNConfig(dueling=True, hidden=(8,)), 4, torch.Generator().manual_seed(0))
    states = random_states(4)
    value = network.network(states)[:, -1]  # type: ignore[operator]  # the part inside
    legal = states[:, 2].bool()
    for row in range(3):
        assert network(states)[row][legal[row]].mean().item() == pytest.approx(value[row].item(), abs=1e-6)


def test_symmetric_values_turn_with_the_board() -> None:
    network = make_network(DQNConfig(hidden=(8,)), 4, torch.Generator().manual_seed(0))
    states = random_states(4)
    values = action_values(network, states, symmetric=True)
    for turn in range(8):
        sources = torch.tensor(symmetry.inverses(4)[turn])
        turned = action_values(network, states[..., sources], symmetric=True)
        assert torch.allclose(turned, values[:, sources], atol=1e-6)
    assert not torch.allclose(action_values(network, states, symmetric=False), values, atol=1e-3)


LEGAL = torch.tensor([[True, False, True]])


ZERO, ONE = torch.zeros(1), torch.ones(1)


def test_the_bootstrap_never_looks_at_illegal_squares() -> None:
    values = torch.tensor([[-0.5, 9.0, -0.25]])
    assert q_learning_targets(ZERO, ONE, values, LEGAL).tolist() == [-0.25]


def test_double_q_chooses_online_and_judges_with_the_target() -> None:
    online, target = torch.tensor([[1.0, 9.0, 0.0]]), torch.tensor([[0.5, 7.0, 3.0]])
    assert q_learning_targets(ZERO, ONE, target, LEGAL, online).tolist() == [0.5]


def test_a_state_without_legal_squares_gives_no_nan() -> None:
    values, nothing = torch.tensor([[1.0, 2.0, 3.0]]), torch.zeros(1, 3, dtype=torch.bool)
    assert q_learning_targets(ONE, ZERO, values, nothing).tolist() == [1.0]


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
    values = torch.tensor([[bootstrap - 1, bootstrap]])
    rewards, discounts = torch.tensor([reward]), torch.tensor([discount])
    found = q_learning_targets(rewards, discounts, values, torch.ones(1, 2, dtype=torch.bool))
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
    weight = torch.tensor([1.0])
    state = {"square": torch.zeros(1), "mean": torch.zeros(1)}
    square = mean = 0.0
    expected = 1.0
    for gradient in (2.0, -1.0):
        rmsprop_graves(weight, torch.tensor([gradient]), state, 0.1, alpha=0.9, epsilon=0.01)
        square = 0.9 * square + 0.1 * gradient**2
        mean = 0.9 * mean + 0.1 * gradient
        expected -= 0.1 * gradient / (square - mean**2 + 0.01) ** 0.5
    assert weight.item() == pytest.approx(expected, rel=1e-5)


def batch_of(planes: NDArray[Any], action: int, reward: float = 0, discount: float = 1) -> Batch:
    one = planes[None].astype(np.uint8)
    rewards, discounts = np.full(1, reward, np.float32), np.full(1, discount, np.float32)
    return Batch(one, np.array([action]), rewards, discounts, one)


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
    batch = batch_of(np.random.default_rng(0).integers(0, 2, (4, 16)), 3, reward=1, discount=0)
    for _ in range(300):
        learner.update(batch)
    value = learner.online(torch.from_numpy(batch.s_tm1).float())[0, 3]
    assert value.item() == pytest.approx(1.0, abs=0.02)


class Fixed(torch.nn.Module):
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
    transitions = prepare(batch_of(planes, 1, 0.125, discount), 4, None, None)
    assert learner._targets(transitions).item() == pytest.approx(0.125 + wanted)


@pytest.mark.parametrize(
    ("optimiser", "loss"),
    [("adam", "huber"), ("adamw", "mse"), ("sgd", "huber"), ("rmsprop", "mse"), ("rmsprop-graves", "mse")],
)
def test_every_optimiser_and_loss_learns(optimiser: str, loss: str) -> None:
    config = DQNConfig(hidden=(16,), learning_rate=0.003, optimiser=optimiser, loss=loss, clip_norm=1.0)  # type: ignore[arg-type]
    learner = QLearning(config, 4, seed=0)
    batch = batch_of(np.random.default_rng(0).integers(0, 2, (4, 16)), 3, reward=1, discount=0)
    errors = [float(np.abs(learner.update(batch)[0])) for _ in range(100)]
    assert errors[-1] < 0.9 * errors[0]


def test_weights_of_transitions_scale_the_loss() -> None:
    values, targets = torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0])
    assert td_loss("mse", values, targets, None).item() == 2.5
    assert td_loss("mse", values, targets, torch.tensor([1.0, 0.25])).item() == 1.0


def test_long_gradients_are_cut() -> None:
    config = DQNConfig(hidden=(8,), optimiser="sgd", learning_rate=1.0, clip_norm=0.01, loss="mse")
    learner = QLearning(config, 4, seed=0)
    before = {key: array.copy() for key, array in learner.arrays().items()}
    batch = batch_of(np.random.default_rng(0).integers(0, 2, (4, 16)), 3, reward=5, discount=0)
    learner.update(batch)
    moved = sum(((learner.arrays()[key] - before[key]) ** 2).sum() for key in before if "online" in key)
    assert moved**0.5 == pytest.approx(0.01, rel=1e-4)
