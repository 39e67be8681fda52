import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import Result

from othello_lab.commands.tournament import command
from othello_lab.experiment.run.lock import held
from tests.calling import caller
from tests.experiment.lab import PATIENCE

SMALL = ["--size", "4", "--openings", "3"]
DATABASE = Path("tournaments/4x4.sqlite")
PRETRAINED = Path(__file__).parents[2] / "agent" / "dqn" / "pretrained"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


run = caller(command)


def last_line(result: Result, exit_code: int) -> str:
    assert result.exit_code == exit_code, result.output
    return result.output.splitlines()[-1]


def games(path: Path = DATABASE) -> list[str]:
    connection = sqlite3.connect(path)
    lines = list(connection.iterdump())
    connection.close()
    return lines


def test_without_players_it_shows_what_is_there() -> None:
    first = run("random", "greedy", *SMALL, "--matrices")
    assert "Wins of" in first.stdout
    again = ["--matrices", "--database", str(DATABASE)], ["--matrices", "--size", "4"]
    assert [run(*words).stdout for words in again] == [first.stdout] * 2


def test_json_and_tables_for_programs() -> None:
    result = run("random", "greedy", "positional", *SMALL, "--json", "--tables", "out")
    data = json.loads(result.stdout)
    players = [player["player"] for player in data["players"]]
    assert sorted(players) == ["greedy", "positional", "random"]
    assert sum(player["rating"] for player in data["players"]) == pytest.approx(0, abs=1e-6)
    score = data["matrices"]["score"]
    assert score[0][0] is None
    assert score[0][1] + score[1][0] == pytest.approx(1)
    with Path("out/score.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["player", *players]
    assert [float(cell) for cell in rows[1][2:]] == score[0][1:]
    assert {path.stem for path in Path("out").iterdir()} == {"ratings", "pairs", *data["matrices"]}
    with Path("out/pairs.csv").open(newline="") as file:
        pairs = list(csv.DictReader(file))
    assert [pair["first"] for pair in pairs] == [players[0], players[0], players[1]]
    assert all(float(pair["low"]) <= float(pair["score"]) <= float(pair["high"]) for pair in pairs)


def test_a_file_has_players_and_options() -> None:
    players = '["random", {name = "noisy", argument = "positional", share = 0.5}]'
    Path("plan.toml").write_text(f"players = {players}\nsize = 4\nopenings = 2\n")
    result = run("--config", "plan.toml", "--json")
    texts = {player["text"] for player in json.loads(result.stdout)["players"]}
    assert texts == {"random", "noisy:positional,share=0.5"}
    assert "4 games, 0 played before" in result.stderr


@pytest.mark.parametrize(
    "text", ["players = 'random'", "players = [3]", "players = [{depth = 4}]", "player = []"]
)
def test_a_wrong_file_ends_with_a_line(text: str) -> None:
    Path("plan.toml").write_text(text)
    assert last_line(run("--config", "plan.toml"), 2).startswith("Error: ")


def test_wrong_databases_end_with_a_line_and_stay_as_they_are() -> None:
    Path("notes.txt").write_text("mine\n" * 300)
    answers = last_line(run("random", "greedy", *SMALL, "--database", "notes.txt"), 1)
    assert answers == "Error: notes.txt is no SQLite database: name another file"
    assert Path("notes.txt").read_text() == "mine\n" * 300
    run("random", "greedy", *SMALL)
    assert "is a tournament on 4x4, not 6x6" in last_line(
        run("random", "greedy", "--size", "6", "--database", str(DATABASE)), 1
    )
    with held(DATABASE):
        result = run("random", "greedy", *SMALL)
    assert "tournaments/4x4.sqlite is in use by process" in last_line(result, 1)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="ends a process by a POSIX signal")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_it_goes_on_after_a_kill_and_ends_with_the_same_games(number: int, code: int) -> None:
    searching = "alphabeta:depth=5,eval=positional"  # whose games last until the signal comes
    tournament = ["random", searching, "--size", "6", "--openings", "60"]
    begun = [sys.executable, "-m", "othello_lab", "tournament", *tournament, "--jobs", "2"]
    with subprocess.Popen(begun, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        path, deadline = Path("tournaments/6x6.sqlite"), time.monotonic() + PATIENCE
        while time.monotonic() < deadline and count(path) == 0:
            time.sleep(0.01)
        process.send_signal(number)
        assert process.wait(PATIENCE) == code
    before = count(path)
    assert 0 < before < 120
    result = run(*tournament)
    assert f"120 games, {before} played before" in result.stderr
    assert run(*tournament, "--database", "fresh.sqlite").stdout == result.stdout
    assert games(path) == games(Path("fresh.sqlite"))


def count(path: Path) -> int:
    if not path.exists():
        return 0
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM game").fetchone()[0])
    except sqlite3.OperationalError:  # not yet begun
        return 0
    finally:
        connection.close()
