import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli

_WRONG, _FAILED = (
    [line for line in part.splitlines() if line and line[0] != "#"]
    for part in (Path(__file__).parents[1] / "data" / "refused_commands.txt")
    .read_text("utf-8")
    .split("\n# exit code 1\n")
)
FILES = {
    "games.txt": "f5d6\nf5f6\n",
    "logbook.gam": "f5d6",
    "noise.ggf": "noise",
    "four.ggf": "(;GM[Othello]TY[4]BO[4 ---- -O*- -*O- ---- *]B[B1]W[A1]B[C4];)" * 3,
    "six.txt": "# 6x6\nc2\n",
}


# `othello run` is slow: one of its processes finds the fault.
@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param(line, code, marks=pytest.mark.slow if line.startswith("run ") else ())
        for code, lines in ((2, _WRONG), (1, _FAILED))
        for line in lines
    ],
)
def test_a_wrong_command_line_is_one_line_that_names_the_fault(line: str, code: int, here: Path) -> None:
    for name, text in FILES.items():
        Path(name).write_text(text)
    words, *parts = line.split(" | ")
    result = CliRunner().invoke(cli, shlex.split(words))
    assert result.exit_code == code, result.output
    last = result.stderr.splitlines()[-1]
    assert last.startswith("Error: ")
    assert [part for part in parts if part not in last] == [], last
    assert {path.name for path in here.iterdir()} == FILES.keys()
