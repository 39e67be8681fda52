"""`python -m agent.device`, where torch, numpy and safetensors are all there is."""

import csv
import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import numpy as np
import pytest
import torch

from agent.device.check import check
from agent.device.command import main
from agent.device.rules import Rules
from agent.device.torch_device import DeviceError, read_device
from environment.config import EnvironmentConfig
from game import Game
from game.board import Board
from game.players import make
from tests.agent.parts import dqn_agent
from tests.test_imports import ROOT, TABLE

SMALL = "--size 4 --hidden 16 --games 40 --batch 32 --replay 2000 --device cpu --eval-games 6 --points 1"
WITHOUT = """
import sys

class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {names!r}:
            return self.finder.find_spec(name, path, target)

sys.meta_path[:] = map(Hiding, sys.meta_path)
"""
"""What a Python process runs first: these cannot be imported, as if they were not there."""


DOOR = """
import runpy
for name in ("game", "msgspec"):
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        print(error, flush=True)
runpy.run_module("agent.device", run_name="__main__")
"""


def missing() -> set[str]:
    """Every module that is installed, and all of ours, but what a machine with torch has, and `agent`."""
    named = {re.split("[^A-Za-z0-9_.-]", line)[0] for line in requires("torch") or () if "extra" not in line}
    needed = set(map(plain, named)) | {"torch", "numpy", "safetensors"}
    needed |= {"mpmath", "markupsafe"}  # of sympy and jinja2, which torch needs
    found = packages_distributions()
    owned = {
        module: {owner.lower().replace("_", "-") for owner in owners} for module, owners in found.items()
    }
    others = {module for module, owners in owned.items() if not needed & owners}
    return (others | TABLE.keys()) - {"agent"}


def plain(distribution: str) -> str:
    return distribution.lower().replace("_", "-")


def python(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run Python where nothing but torch, numpy, safetensors and `agent` is."""
    (folder / "sitecustomize.py").write_text(WITHOUT.format(names=sorted(missing())))
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_it_needs_torch_numpy_and_safetensors_alone(tmp_path: Path) -> None:
    assert {"numba", "click", "msgspec", "game", "rlglue"} <= missing()
    words = f"{SMALL} --plies 400 --out {tmp_path / 'out'}".split()
    done = python(tmp_path, "-c", DOOR, *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "No module named 'game'\nNo module named 'msgspec'\n4x4, 40 games at once on cpu"
    )
    assert "how: eager; time: network " in done.stdout


def run(words: str, out: Path) -> int:
    return main([*words.split(), "--out", str(out)])


def curve(out: Path) -> list[dict[str, str]]:
    with (out / "curve.csv").open() as file:
        return list(csv.DictReader(file))


def test_pieces_make_one_curve_and_a_policy_that_plays_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(f"{SMALL} --plies 400 --minutes 1", tmp_path) == 0
    assert [row["plies"] for row in curve(tmp_path)] == ["0", "400"]
    with (tmp_path / "curve.csv").open("a") as file:
        file.write("9,500,9,9,9,0,0,0,0,0,0\n")
    assert run("--resume --device cpu --minutes 0.01", tmp_path) == 0
    assert [row["plies"] for row in curve(tmp_path)] == ["0", "400"], "what came after the state is gone"
    shares = [float(curve(tmp_path)[-1][f"{name}_black"]) for name in ("random", "positional")]
    assert all(0 <= share <= 1 for share in shares)

    player = make(f"trained:{tmp_path}/policy.safetensors", 4)
    game = Game(Board.start(4))
    assert player.choose(game, np.random.default_rng(1)) in game.board.legal_moves
    agent = dqn_agent({"hidden": "16"}, size=4, directory=tmp_path)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    assert agent.agent_message("load_policy policy").startswith("message understood, loaded")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--size 10", "size is 10, expected 4, 6 or 8"),
        ("--device gpu", "'gpu' is no device: expected auto, cpu, cuda or cuda:N"),
        ("--minutes 0", "--minutes, --points and --eval-games"),
        ("--resume", "holds no training to resume"),
        ("--opponents greedy=0.1", "'greedy' does not play on a device"),
        ("--device cpu --speed graph", "speed=graph needs a CUDA device"),
        ("--games 3000000", "too few for n_step"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, complaint: str
) -> None:
    base = "" if words.startswith(("--resume", "--games")) else "--size 4 --games 40 --hidden 16 "
    assert run(base + words, tmp_path) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.startswith("Error: ")
    assert said.count("\n") == 1


def test_a_training_is_not_begun_over_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(f"{SMALL} --plies 40 --minutes 1", tmp_path) == 0
    capsys.readouterr()
    assert run(SMALL, tmp_path) == 2
    assert "holds a training: add --resume, or take another folder" in capsys.readouterr().err
    assert run("--resume --epsilon 0.2", tmp_path) == 2
    assert "--epsilon: a resumed training goes on as it was begun" in capsys.readouterr().err


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


def test_a_device_is_held_to_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(torch.device("cpu"), games=50) > 50 * (10 + 30 + 58)
    rules = Rules.legal_moves
    calls = []

    def wrong(self: Rules, own: torch.Tensor, opponent: torch.Tensor) -> torch.Tensor:
        calls.append(self)
        found = rules(self, own, opponent)
        return found | 1 if len(calls) == 20 else found

    monkeypatch.setattr(Rules, "legal_moves", wrong)
    with pytest.raises(ValueError, match="cpu and the processor differ on 4x4, ply "):
        check(torch.device("cpu"), games=50)


def test_the_door_checks_a_device(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.device.command.check", lambda device: 1_049_561)
    assert main(["--check", "--device", "cpu"]) == 0
    assert capsys.readouterr().out == (
        "1,049,561 positions of random games: cpu and the processor agree bit for bit\n"
    )
    assert main(["--device", "cpu"]) == 2
    assert "--out DIR: say where the files go" in capsys.readouterr().err
