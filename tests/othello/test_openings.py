"""Openings from a file, for every command that plays from openings."""

import json
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

from game import Game
from game.records import Record, write
from othello import evaluate, match, tournament


@pytest.fixture
def path(tmp_path: Path) -> Path:
    lines = "b1a1c4", "b1a1d3", "b1c1d1"
    write(tmp_path / "games.ggf", [Record(Game.from_transcript(line, 4)) for line in lines])
    (tmp_path / "lines.txt").write_text("b1a1\nb1c1d1  # another\n")
    return tmp_path


def run(command: Command, *arguments: object) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments), "--size", "4"])


def test_a_match_begins_from_the_openings_of_a_file(path: Path) -> None:
    result = run(match.command, "random", "greedy", "--openings", f"{path / 'games.ggf'}:2", "--json")
    assert json.loads(result.stdout)["openings"] == 2
    (said,) = result.stderr.splitlines()[:1]
    assert said.startswith("openings: 2 positions after 2 plies of 3 games in ")
    assert said.endswith(json.loads(result.stdout)["openings_digest"])
    one = run(match.command, "random", "greedy", "--openings", f"{path / 'games.ggf'}:2:1", "--json")
    assert json.loads(one.stdout)["games"] == 2


def test_each_line_of_a_text_file_is_an_opening(path: Path) -> None:
    records = path / "played.txt"
    result = run(match.command, "random", "greedy", "--openings", path / "lines.txt", "--records", records)
    assert result.exit_code == 0
    played = [line for line in records.read_text().splitlines() if line[0] != "#"]
    assert [line[:4] for line in played] == ["b1a1", "b1a1", "b1c1", "b1c1"]


def test_a_tournament_knows_the_lines_again(path: Path) -> None:
    words = "random", "greedy", "--openings", path / "lines.txt", "--database", path / "t.sqlite", "--json"
    first, again = run(tournament.command, *words), run(tournament.command, *words)
    assert first.exit_code == again.exit_code == 0
    assert first.stdout == again.stdout
    assert json.loads(first.stdout)["games"] == 4


def test_an_evaluation_reads_the_file_once(path: Path) -> None:
    words = "greedy", "--opponent", "random", "--opponent", "mobility", "--openings", path / "lines.txt"
    result = run(evaluate.command, *words)
    assert result.exit_code == 0
    assert result.stderr.count("openings: 2 positions at the ends of 2 games") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", "0 is not in the range x>=1"),
        ("many", "'many' is no number and no file of games (.jsonl, .ggf, .wtb, .txt) as FILE[:PL"),
        ("none.ggf", "none.ggf: No such file or directory"),
        ("{path}/games.ggf:9", "there is no position after 9 plies of 3 games"),
        ("{path}/games.ggf:0", "is no number and no file of games"),
    ],
)
def test_wrong_openings_end_with_a_line(text: str, why: str, path: Path) -> None:
    result = run(match.command, "random", "greedy", "--openings", text.format(path=path))
    assert result.exit_code in (1, 2)
    assert why in result.stderr
