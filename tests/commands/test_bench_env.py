"""`othello bench env`: the table, not the figures."""

import re
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.bench.env import _corner_greedy
from othello_lab.commands.cli import cli


def bench() -> list[str]:
    result = CliRunner().invoke(cli, ["bench", "env", "--seconds", "0.001", "--games", "8"])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_each_opponent_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setitem(sys.modules, "pgx", None)
    lines = bench()
    assert [re.sub(r" +[0-9,]+ steps/s$", "", line) for line in lines] == [
        "against random, 8 games",
        "against corner-greedy, 8 games",
        "not compared with open_spiel: to do so, python -m pip install 'othello-lab[compare]'",
        "not compared with pgx: to do so, python -m pip install pgx",
    ]


def test_openspiel_stands_beside_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setitem(sys.modules, "pgx", None)
    random, corner_greedy, *_ = bench()
    assert re.search(r"steps/s +OpenSpiel [0-9,]+, x[0-9.,]+ +its rl_environment [0-9,]+", random)
    assert re.search(r"steps/s +OpenSpiel [0-9,]+, x[0-9.,]+$", corner_greedy)


def test_its_opponent_takes_the_most_discs_four_times_in_five() -> None:
    state = pytest.importorskip("pyspiel").load_game("othello").new_initial_state()
    for square in (37, 43, 34):  # f5 d6 c5: f6 then turns over two discs, and no other move so many
        state.apply_action(square)
    rng, legal = np.random.default_rng(0), state.legal_actions()
    chosen = [_corner_greedy(state, legal, rng) for _ in range(500)]
    share = chosen.count(max(set(chosen), key=chosen.count)) / 500
    assert share == pytest.approx(0.8 + 0.2 / len(legal), abs=0.06)
