"""A program as the opponent at the console."""

import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.play import command

ROOT = Path(__file__).parent.parent.parent
FAKE = shlex.join([sys.executable, str(ROOT / "tests" / "game" / "fake_engine.py")])


def play(text: str, *entries: str) -> str:
    result = CliRunner().invoke(
        command,
        ["--size", "4", text],
        input="".join(f"{entry}\n" for entry in entries),
        catch_exceptions=False,
    )
    assert result.exit_code == 0
    return result.output


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_a_program_answers_also_after_a_move_was_taken_back() -> None:
    shown = play(f"engine:{FAKE} honest", "b1", "undo", "a2", "quit")
    assert "taken back: b1 a1\n" in shown
    assert shown.count("(white) plays") == 2


def test_a_program_that_fails_leaves_the_game_as_it_was() -> None:
    shown = play(f"engine:{FAKE} dies,name=fake", "b1", "go", "opponent greedy")
    assert shown.count("fake ended with exit status 1: out of memory, out of luck") == 2
    assert shown.count("The game stays as it is. `go` asks it again, `opponent WHO` has another") == 2
    assert "You have ● (black), greedy has ○ (white)." in shown
    assert shown.count("greedy (white) plays ") == 1
    assert " greedy --size=4 --colour=black --transcript=b1" in shown
