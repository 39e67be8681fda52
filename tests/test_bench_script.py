"""The developers' benchmark: each subcommand prints its figures."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ("game --seconds 0.001", ["perft 8x8", "random games 8x8", "games of single Boards"]),
        ("env --seconds 0.001 --games 8", ["8 games, random", "8 games, corner-greedy", "RL-Glue"]),
        ("glue --seconds 0.1", ["trivial parts", "random agent"]),
        ("learn --seconds 0.001", ["updates, batch 128, its", "updates, batch 128, our"]),
        ("solver --empties 10 --positions 3", [r"[\d.]+ s each"]),
    ],
)
def test_each_subcommand_prints_its_figures(arguments: str, lines: list[str]) -> None:
    command = [sys.executable, "-m", "scripts.bench", *arguments.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for line in lines:
        assert re.search(rf"^{line}.* [1-9][\d,]* \w+/s", done.stdout, re.MULTILINE), done.stdout
