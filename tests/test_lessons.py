"""Every command of the lessons runs, in its order, with fewer games: a lesson stands on those before it."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.seating import STATE
from tests.test_docs import ROOT, commands_of

LESSONS = sorted((ROOT / "docs/lessons").glob("[0-9]*.md"))
SHORT = {"--episodes": "24", "--games": "256", "--openings": "1", "--depth": "4"}
"""What options of that name say here instead."""
QUICK = ("--final-games", "0", "--eval-every", "24", "--eval-games", "2")
"""What a training gets beside."""
LONG = (["truth", "zero"],)
"""Half a minute, for a search in each of 47,633 positions."""


def shortened(arguments: list[str]) -> list[str]:
    """The same command with less to do."""
    words = [SHORT.get(before, word) for before, word in pairwise(["", *arguments])]
    return [*words, *QUICK] if words[0] in ("run", "selfplay") and QUICK[0] not in words else words


def test_the_commands_of_the_lessons_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(STATE, str(tmp_path))
    for lesson in LESSONS:
        for arguments in commands_of(lesson.read_text("utf-8")):
            if arguments in LONG or arguments[0] == "setup":
                continue
            result = CliRunner().invoke(cli, shortened(arguments))
            # An answer may be wrong after so few games; it is told all the same.
            allowed = (0, 1) if arguments[0] == "exercise" else (0,)
            assert result.exit_code in allowed, f"othello {' '.join(arguments)}: {result.output}"
            assert result.exit_code == 0 or result.output.startswith("wrong: "), result.output


@pytest.mark.parametrize(
    "notebook", sorted((ROOT / "docs/lessons").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_the_cells_of_a_notebook_run(notebook: Path) -> None:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    less = re.sub(r"^(GAMES|OPENINGS) = \d+", r"\1 = 20", code, flags=re.MULTILINE)
    assert less != code
    exec(compile(less, notebook.name, "exec"), {"__name__": "notebook"})  # noqa: S102  our own pages
