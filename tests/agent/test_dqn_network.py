"""The Q-network."""

import pytest
import torch

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.network import make_network
from othello_lab.agent.dqn.policy import action_values
from othello_lab.game import symmetry


def test_networks_of_one_seed_are_equal() -> None:
    def weights(seed: int) -> torch.Tensor:
        generator = torch.Generator().manual_seed(seed)
        return next(make_network(DQNConfig(hidden=(8,)), 4, generator).parameters())

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def random_states(size: int, frames: int = 1, count: int = 3) -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.randint(0, 2, (count, 4 * frames, size * size), generator=generator).float()


@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize("kind", ["mlp", "conv"])
@pytest.mark.parametrize(("size", "frames"), [(4, 1), (10, 2)])
def test_every_network_gives_a_value_per_square(kind: str, dueling: bool, size: int, frames: int) -> None:
    config = DQNConfig(network=kind, dueling=dueling, frames=frames, hidden=(8,), channels=4, blocks=2)
    network = make_network(config, size, torch.Generator().manual_seed(0))
    values = network(random_states(size, frames))
    assert values.shape == (3, size * size)
    assert torch.isfinite(values).all()


@pytest.mark.parametrize(("units", "worth"), [("relu", 0.0), ("leaky-relu", -0.02)])
def test_leaky_units_let_a_hundredth_of_what_is_negative_through(units: str, worth: float) -> None:
    network = make_network(DQNConfig(hidden=(1,), units=units), 4)
    for weights, value in zip(network.parameters(), (0.0, -2.0, 1.0, 0.0), strict=True):
        torch.nn.init.constant_(weights, value)
    assert network(random_states(4)).detach().numpy() == pytest.approx(worth)


def test_the_units_of_a_tower_are_chosen_too() -> None:
    def values(units: str) -> torch.Tensor:
        config = DQNConfig(network="conv", channels=4, blocks=1, units=units)
        values: torch.Tensor = make_network(config, 4, torch.Generator().manual_seed(0))(random_states(4))
        return values

    assert torch.allclose(values("relu"), values("leaky-relu"), atol=0.1)
    assert not torch.allclose(values("relu"), values("leaky-relu"), atol=1e-4)


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
