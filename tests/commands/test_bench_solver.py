"""`othello bench solver`: the positions and their values, not the figures."""

import re

from click.testing import CliRunner

from othello_lab.commands.bench.solver import positions
from othello_lab.commands.cli import cli
from othello_lab.game.solver import Solver
from othello_lab.game.solver.solver import empties


def test_it_prints_the_values_of_the_same_positions_each_time() -> None:
    boards = list(positions(3, 10))
    assert boards == list(positions(3, 10))
    assert [empties(board) for board in boards] == [10, 10, 10]
    result = CliRunner().invoke(cli, ["bench", "solver", "--empties", "10", "--positions", "3"])
    assert result.exit_code == 0, result.output
    heading, speed, values = result.output.splitlines()
    assert heading == "10 empty squares, 3 positions"
    assert re.fullmatch(r"[0-9.]+ s each, [0-9,]+ nodes, [0-9,]+ nodes/s", speed)
    assert values == "values " + " ".join(f"{Solver(8).value(board):+d}" for board in boards)
