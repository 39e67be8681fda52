import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_lab.commands.match import command as match_command
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, play_games
from tests.calling import caller
from tests.experiment.lab import PATIENCE, posix
from tests.game.recorded import read

ROOT = Path(__file__).parents[3]
FAKE = f"engine:{shlex.join([sys.executable, str(ROOT / 'tests' / 'game' / 'fake_engine.py')])}"


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


run = caller(match_command)


@pytest.mark.slow
def test_forfeits_are_counted_with_their_reasons() -> None:
    lines = run("random", f"{FAKE} resigns,name=quitter", "--openings", "1").output.splitlines()
    assert lines[0].endswith(" quitter; 2 games forfeited by quitter")
    assert lines[-2:] == ["forfeits  2 by quitter, counted as lost:", "  2x quitter resigned"]


@pytest.mark.parametrize("suffix", ["jsonl", "ggf", "wtb"])
def test_the_games_are_written(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games.{suffix}"
    assert run("greedy", "random", "--openings", "3", "--records", str(path)).exit_code == 0
    expected = play_games(Pairing("greedy", "random", 8, standard_openings(8, 3)), range(6))
    assert [record.game.moves for record in read(path)] == [game.record.game.moves for game in expected]


def test_a_file_of_games_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("precious", "utf-8")
    result = run("greedy", "random", "--records", str(path))
    assert result.exit_code == 2
    assert "games.jsonl exists: name a new file" in result.output
    assert path.read_text("utf-8") == "precious"


@pytest.fixture
def long_match(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "othello_lab", "match", "random"]
    command.append(f"{FAKE} hangs {tmp_path / 'pid'},time=60")
    with subprocess.Popen(command, cwd=ROOT, text=True, stderr=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.mark.slow
@posix
@pytest.mark.parametrize("number", [2, 15])
def test_an_interrupt_ends_programs(number: int, long_match: "subprocess.Popen[str]", tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    while not (pid_file.exists() and pid_file.read_text("utf-8")):
        assert long_match.poll() is None
        time.sleep(0.02)
    time.sleep(1)  # until it waits for the engine: Python ignores what a signal raises in a finaliser
    long_match.send_signal(number)
    _, errors = long_match.communicate(timeout=PATIENCE)
    assert long_match.returncode == 128 + number
    assert "stopped after 0 of 472 games" in errors
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text("utf-8")), 0)
