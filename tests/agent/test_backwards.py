"""Fitting an n-tuple network from the end of the game backwards."""

import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.ntuple.backwards import Backwards, Plan
from othello_lab.agent.ntuple.method import NTUPLE, configure
from othello_lab.agent.ntuple.network import PLAYS, shape_of
from othello_lab.agent.trained import make_evaluator
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators.evaluator import EXPECTED_DISCS
from othello_lab.game.registry import parse
from othello_lab.game.solver.solver import discs_of
from tests.game.sampling import played

CONFIG = configure({"stages": "3"}, 4)
PLAN = Plan(games=4000, opening=8, epsilon=0.2, positions=4000, depth=2, exact=6, seed=3)


def start_in(folder: Path) -> Path:
    path, arrays = folder / "start.safetensors", {PLAYS: np.zeros(shape_of(CONFIG, 4), np.float32)}
    checkpoint.save(path, NTUPLE.name, arrays, {"size": 4, "config": asdict(CONFIG)})
    return path


def test_values_come_near_the_discs_at_the_end(tmp_path: Path) -> None:
    fitted = Backwards(start_in(tmp_path), PLAN)
    lines = list(fitted.fit())
    fitted.save(tmp_path / "end.safetensors")
    assert [line.partition(":")[0] for line in lines] == ["stage 2", "stage 1", "stage 0"]
    evaluator = make_evaluator(parse(f"ntuple:{tmp_path / 'end.safetensors'}"), 4)
    positions = Positions.of([played(4, left, seed).board for seed in range(40) for left in (3, 6, 8)])
    assert evaluator.unit == EXPECTED_DISCS
    said = 16 * np.arctanh(np.clip(evaluator.values(positions), -0.999, 0.999))
    truth = discs_of(positions, np.zeros(len(positions), np.int64))
    assert np.corrcoef(said, truth)[0, 1] > 0.8
    assert np.abs(said - truth).mean() < 0.6 * np.abs(truth).mean()


def test_the_same_seed_fits_the_same_network(tmp_path: Path) -> None:
    start = start_in(tmp_path)
    for name in ("a", "b"):
        fitted = Backwards(start, PLAN)
        list(fitted.fit())
        fitted.save(tmp_path / f"{name}.safetensors")
    a, b = ((tmp_path / f"{name}.safetensors").read_bytes() for name in "ab")
    assert a == b


def test_the_command_leaves_a_policy_of_the_same_kind(tmp_path: Path) -> None:
    start, end = start_in(tmp_path), tmp_path / "end.safetensors"
    words = ["--games", "50", "--positions", "50", "--depth", "1", "--exact", "4"]
    command = [sys.executable, "-m", "othello_lab.agent.ntuple.backwards", str(start), str(end), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("stage 2: ")
    assert "discs, before" in done.stdout
    assert NTUPLE.read(checkpoint.load(end), 4).config == replace(CONFIG, unit="discs")


def test_a_learner_of_results_takes_no_unit() -> None:
    with pytest.raises(ValueError, match="learns results: leave unit out"):
        configure({"unit": "discs"}, 4)
