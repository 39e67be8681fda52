"""`othello bench learn`: the table, not the figures."""

import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.bench import learn as bench
from othello_lab.commands.cli import cli


def table(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(bench, "ROUNDS", 2)
    result = CliRunner().invoke(cli, ["bench", "learn", "--repetitions", "1", "--transitions", "2000"])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_each_figure_has_a_line_and_the_last_says_how_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    head, *lines, last = table(monkeypatch)
    assert "one thread" in head
    figures = [re.fullmatch(r"(\w+).* [0-9.,]*[1-9][0-9.,]* (updates/s|µs|ms|bytes)", line) for line in lines]
    assert [found and found[1] for found in figures] == 3 * ["updates"] + 2 * ["decision"] + 2 * [
        "draw"
    ] + 4 * ["a"]
    assert "pip install 'othello-lab[compare]'" in last


def test_another_learner_is_compared_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[tuple[int, int]] = []
    model = SimpleNamespace(
        train=lambda gradient_steps, batch_size: trained.append((gradient_steps, batch_size)),
        predict=lambda state, deterministic: (0, None),
    )
    monkeypatch.setitem(sys.modules, "stable_baselines3", SimpleNamespace())
    monkeypatch.setattr(bench, "full_dqn", lambda *sizes: model)
    monkeypatch.setattr(
        bench, "bytes_per_transition", lambda inputs, dtype: inputs * np.dtype(dtype).itemsize
    )
    lines = table(monkeypatch)
    assert [
        bool(re.search(r"stable-baselines3 [0-9,]+, x[0-9]+\.[0-9]{2}$", line)) for line in lines[1:4]
    ] == [True] * 3
    assert "stable-baselines3 9,216, from uint8 observations 2,304" in lines[-1]
    assert set(trained) == {(1, 128)}


def test_a_transition_of_nine_frames_costs_at_most_80_bytes() -> None:
    for line in bench.memory(1_000_000):
        found = re.search(r" (\d+) bytes", line)
        assert found
        assert int(found[1]) <= 80


def test_the_other_learner_has_the_network_that_is_asked_for() -> None:
    pytest.importorskip("stable_baselines3")
    model = bench.full_dqn(256, 64, (256, 256, 256), replay=200)
    shapes = [tuple(weight.shape) for weight in model.q_net.parameters() if weight.ndim == 2]
    assert shapes == [(256, 256)] * 3 + [(64, 256)]
    model.train(gradient_steps=2, batch_size=128)
    assert bench.bytes_per_transition(256, np.uint8) == 2 * 256 + 20
