"""A training on a device from piece to piece, its files and its evaluations."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from agent.checkpoint import CheckpointError
from agent.device import state
from agent.device.evaluation import evaluate
from agent.device.networks import Judge
from agent.device.opponents import RandomOpponent
from agent.device.pool import Pool
from agent.device.randomness import Randomness
from agent.device.recipe import Recipe, default, from_values, to_values
from agent.device.rules import Positions, Rules
from agent.device.training import Row, Training
from agent.dqn.config import DQNConfig
from agent.selfplay.shares import Share

CPU = torch.device("cpu")
TINY = DQNConfig(hidden=(16,), batch=32, warm_up=0, replay=800, n_step=2, gamma=1.0, average_rate=0.01)
POOL = "random=0.1,corner-greedy=0.1,positional=0.2,random-weights=0.1,past=0.1"


def tiny(size: int = 4, opponents: str = POOL, **more: int) -> Recipe:
    return Recipe(size=size, games=40, updates=1, opponents=opponents, config=TINY, **more)


def rows_of(training: Training, minutes: float, points: int = 1) -> list[Row]:
    rows: list[Row] = []
    training.run(minutes, points, 6, rows.append)
    return rows


def test_a_training_goes_on_from_its_files(tmp_path: Path) -> None:
    recipe = tiny(plies=400)
    training = Training(recipe, CPU, tmp_path)
    rows = rows_of(training, 1)
    assert [row.progress.plies for row in rows] == [0, 400], "its length was ten plies of 40 games"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "policy.safetensors", "state-000002-helpers.safetensors", "state-000002-weights.safetensors",
    ]  # fmt: skip
    again, progress = state.load_progress(tmp_path)
    assert (again, progress) == (recipe, training.progress)
    resumed = Training(replace(recipe, seed=9), CPU, tmp_path)
    resumed.resume()
    assert resumed.progress.updates == 10
    before = training.learning.tensors()
    for name, own in resumed.learning.tensors().items():
        theirs = before[name]
        exact = name == "online" or not own.dim()
        assert torch.allclose(own, theirs, rtol=0 if exact else 1e-2, atol=0 if exact else 1e-4), name
    assert [row.progress.plies for row in rows_of(resumed, 1)] == []
    assert torch.equal(resumed._random.count >= training.progress.drawn, torch.tensor(True))


def test_what_cannot_be_resumed_is_said_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="holds no training to resume"):
        state.load_progress(tmp_path)
    rows_of(Training(tiny(plies=40), CPU, tmp_path), 1)
    (tmp_path / "state-000002-helpers.safetensors").unlink()
    with pytest.raises(CheckpointError, match="holds no training to resume"):
        state.load_progress(tmp_path)
    with pytest.raises(ValueError, match="9,540,832 weights does not fit into state files under 16 MiB"):
        Training(replace(tiny(), config=replace(TINY, hidden=(3072, 3024))), CPU, tmp_path)


def test_files_stay_under_16_mib_for_the_default_network(tmp_path: Path) -> None:
    recipe = replace(tiny(8), config=replace(default("cuda").config, warm_up=0, replay=800, batch=8))
    rows_of(Training(recipe, CPU, tmp_path), 0.0001)
    assert max(path.stat().st_size for path in tmp_path.iterdir()) < 2**24


def test_the_same_seed_plays_the_same_training(tmp_path: Path) -> None:
    found = []
    for name in "ab":
        folder = tmp_path / name
        training = Training(tiny(plies=400), CPU, folder)
        rows_of(training, 1)
        found.append((folder / "policy.safetensors").read_bytes())
    assert found[0] == found[1]


def test_a_random_network_is_even_with_random_moves() -> None:
    rules = Rules(6)

    class Anything(Judge):
        """Random moves in a network's seat."""

        def choose(self, positions: Positions) -> Tensor:
            return RandomOpponent(rules, Randomness(8, CPU)).choose(positions)

    judge = Anything(rules, torch.nn.Identity())
    scores = {score.opponent: score for score in evaluate(judge, rules, Randomness(1, CPU), 600)}
    assert abs(scores["random"].both - 0.5) < 0.1
    assert scores["corner-greedy"].both < 0.35
    assert scores["positional"].both < 0.35


def test_a_share_of_the_games_is_a_seat_of_its_size() -> None:
    pool = Pool([Share("random", 0.25), Share("positional", 0.5)], Rules(4), Randomness(1, CPU), 40)
    assert [(seat.name, seat.first, seat.last) for seat in pool.seats] == [
        ("random", 0, 10),
        ("positional", 10, 30),
    ]
    assert Pool([], Rules(4), Randomness(1, CPU), 40).opposed == 0


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"size": 10}, "size is 10, expected 4, 6 or 8"),
        ({"games": 0}, "games is 0, expected 1 or more"),
        ({"epsilon": 1.5}, "epsilon is 1.5, expected 0 to 1"),
        ({"opponents": "random"}, "'random' is no player with a share"),
        ({"config": replace(TINY, optimiser="sgd")}, "optimiser is sgd, expected here adam, adamw"),
        ({"config": replace(TINY, frames=2)}, "frames and priority"),
        ({"config": replace(TINY, gamma=None)}, "gamma must be given"),
        ({"games": 400}, "replay=800 is 2 plies of 400 games"),
    ],
)
def test_a_wrong_recipe_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        replace(tiny(), **change)


def test_numbers_of_another_form_are_no_recipe() -> None:
    values = to_values(tiny())
    values["config"]["hidden"] = [16]
    assert from_values(values) == tiny()
    with pytest.raises(ValueError, match="its option games is 'many', expected int"):
        from_values({**values, "games": "many"})
    with pytest.raises(ValueError, match="not those of this version"):
        from_values({"size": 8})
    assert np.isclose(default("cpu").epsilon, 0.1)
