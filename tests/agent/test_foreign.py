"""Policies of other libraries as players."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from othello_lab.game.batch.games import planes
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.players import make
from othello_lab.game.players.base import Policy
from othello_lab.game.players.catalogue import files
from othello_lab.game.registry import RegistryError

SIZE = 4


def positions() -> Positions:
    """Every position with a legal move of ten random games."""
    rng, boards = np.random.default_rng(1), []
    for _ in range(10):
        game = Game(Board.start(SIZE))
        while game.board.legal_moves:
            boards.append(game.board)
            game.play(int(rng.choice([*game.board.legal_moves])))
            game.pass_if_forced()
    return Positions.of(boards)


def best_squares(scores: torch.Tensor, found: Positions) -> list[int]:
    """By a slow loop: the legal square of the highest score in each position."""
    seen = planes(found, np.float32).reshape(len(found), 4, -1)
    return [
        max(np.flatnonzero(seen[i, 2]).tolist(), key=lambda square: float(scores[i, square]))
        for i in range(len(found))
    ]


def states() -> torch.Tensor:
    return torch.from_numpy(planes(positions(), np.float32))


@pytest.mark.parametrize(("layer", "name"), [(nn.ReLU, "relu"), (nn.Tanh, "tanh")])
@pytest.mark.parametrize("outputs", [SIZE * SIZE, SIZE * SIZE + 1])
def test_layers_that_torch_has_saved_play_as_the_network_did(
    tmp_path: Path, layer: type[nn.Module], name: str, outputs: int
) -> None:
    torch.manual_seed(1)
    network = nn.Sequential(
        nn.Flatten(), nn.Linear(64, 9), layer(), nn.Linear(9, 7), layer(), nn.Linear(7, outputs)
    )
    path = tmp_path / "policy.pt"
    torch.save(network.state_dict(), path)
    player, found = make(f"mlp:{path},activation={name}", SIZE), positions()
    assert isinstance(player, Policy)
    chosen = player.choose_many(found, np.zeros(len(found), np.uint64))
    assert chosen.tolist() == best_squares(network(states()).detach(), found)
    game = Game(Board.start(SIZE))
    assert player.choose(game, np.random.default_rng(0)) in game.board.legal_moves


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("was-here"),))


def test_no_file_runs_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({"0.weight": Evil()}, "torch.pt")
    Path("plain.pt").write_bytes(pickle.dumps(Evil()))
    for name in ("torch.pt", "plain.pt"):
        with pytest.raises(RegistryError, match="holds no weights"):
            make(f"mlp:{name}", SIZE)
    assert not Path("was-here").exists()


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ({"0.weight": torch.zeros(17, 64)}, "for 6x6 goes from 144 to 37"),
        ({"0.weight": torch.zeros(4, 4, 3, 3)}, "no linear layer"),
        ({"0.running_mean": torch.zeros(4)}, "only linear layers"),
        ({}, "no weights"),
        ({0: torch.zeros(17, 64)}, "no state dict"),
    ],
)
def test_what_is_no_such_network_is_refused_in_a_line(
    tmp_path: Path, weights: dict[object, torch.Tensor], says: str
) -> None:
    torch.save(weights, tmp_path / "policy.pt")
    with pytest.raises(RegistryError, match=says) as error:
        make(f"mlp:{tmp_path / 'policy.pt'}", 6)
    assert "\n" not in str(error.value)


def saved(tmp_path: Path, algorithm: str, arguments: dict[str, Any]) -> tuple[Any, Path]:
    """A policy as the library makes and saves it, without training."""
    vector = pytest.importorskip("othello_lab.environment.adapters.sb3")
    sb3, contrib = pytest.importorskip("stable_baselines3"), pytest.importorskip("sb3_contrib")
    maker = getattr(sb3, algorithm, None) or getattr(contrib, algorithm)
    model = maker(
        "MlpPolicy", vector.OthelloVecEnv(2, size=SIZE), seed=3, device="cpu", policy_kwargs=arguments
    )
    model.save(tmp_path / "policy")
    return model, tmp_path / "policy.zip"


def scores_of(model: Any, algorithm: str) -> torch.Tensor:  # noqa: ANN401  the library is untyped
    """What the library itself says of each action."""
    with torch.inference_mode():
        if algorithm == "DQN":
            return torch.as_tensor(model.q_net(states()))
        if algorithm == "QRDQN":
            return torch.as_tensor(model.quantile_net(states()).mean(1))
        return torch.as_tensor(model.policy.get_distribution(states()).distribution.probs)


@pytest.mark.parametrize(
    ("algorithm", "arguments"),
    [
        ("MaskablePPO", {}),
        ("PPO", {"net_arch": [8, 8], "activation_fn": nn.ReLU}),
        ("DQN", {}),
        ("QRDQN", {"net_arch": [8]}),
    ],
)
def test_a_policy_of_stable_baselines3_plays_as_there(
    tmp_path: Path, algorithm: str, arguments: dict[str, Any]
) -> None:
    model, path = saved(tmp_path, algorithm, arguments)
    text = f"sb3:{path.with_suffix('')}"
    player = make(text, SIZE)
    assert isinstance(player, Policy)
    chosen = player.choose_many(positions(), np.zeros(len(positions()), np.uint64))
    assert chosen.tolist() == best_squares(scores_of(model, algorithm), positions())
    assert files(text, SIZE) == (path,)


def test_a_policy_with_an_extractor_of_its_own_is_refused_in_a_line(tmp_path: Path) -> None:
    layers = pytest.importorskip("stable_baselines3.common.torch_layers")

    class Own(layers.FlattenExtractor):  # type: ignore[misc, name-defined]
        def __init__(self, space: object) -> None:
            super().__init__(space)
            self.extra = nn.Linear(1, 1)

    _, path = saved(tmp_path, "PPO", {"features_extractor_class": Own})
    with pytest.raises(RegistryError, match="only policies of linear layers can be read"):
        make(f"sb3:{path}", SIZE)


def test_a_file_that_is_none_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_text("no zip")
    for text, says in (
        (f"sb3:{tmp_path}/no.zip", "no file that Stable-Baselines3 has saved"),
        (f"sb3:{tmp_path}/none.zip", "could not be read: No such file"),
        ("sb3", "sb3:PATH"),
    ):
        with pytest.raises(RegistryError, match=says):
            make(text, SIZE)
