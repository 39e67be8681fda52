"""`othello bench game`: the table, not the figures."""

import re
import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli


class ShortGame:
    """A game of open_spiel, over after ten plies."""

    def __init__(self) -> None:
        self.plies = 0

    def is_terminal(self) -> bool:
        return self.plies == 10

    def legal_actions(self) -> list[int]:
        return [19]

    def apply_action(self, action: int) -> None:
        assert action == 19
        self.plies += 1


def bench(*options: str) -> str:
    result = CliRunner().invoke(cli, ["bench", "game", "--seconds", "0.001", *options])
    assert result.exit_code == 0, result.output
    return result.output


def test_each_figure_has_a_line_with_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setitem(sys.modules, "rust_reversi", None)
    lines = bench("--only", "8x8").splitlines()
    figures = [line for line in lines if re.search(r"8x8.* [0-9,]*[1-9][0-9,]* \w+/s$", line)]
    assert len(figures) == 9
    assert [line for line in lines if line not in figures] == [
        "not compared with open_spiel: to do so, python -m pip install 'othello-lab[compare]'",
        "not compared with rust-reversi: to do so, python -m pip install 'othello-lab[compare]'",
    ]


def test_another_library_is_compared_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = SimpleNamespace(new_initial_state=ShortGame)
    monkeypatch.setitem(sys.modules, "pyspiel", SimpleNamespace(load_game=lambda name: game))
    # Its search in Python needs the real pyspiel, which may be installed beside.
    monkeypatch.setitem(sys.modules, "open_spiel.python.algorithms.mcts", None)
    monkeypatch.setitem(sys.modules, "rust_reversi", None)
    assert re.search(r"plies/s +open_spiel [0-9,]+, x[0-9.,]+\n", bench("--only", "single Boards"))


def test_a_name_that_no_figure_has_is_refused_with_the_names() -> None:
    result = CliRunner().invoke(cli, ["bench", "game", "--only", "chess"])
    assert result.exit_code == 2
    assert "--only" in result.output
    assert "perft 8x8, depth 10" in result.output


def test_the_group_lists_its_benchmarks() -> None:
    output = CliRunner().invoke(cli, ["bench", "--help"]).output
    assert re.search(r"game +moves, games", output)
    assert re.search(r"glue +steps", output)
