import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner, Result

from othello_lab.commands import analyse, evaluate, match, tournament
from othello_lab.game import Game
from othello_lab.game.records import Record, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    lines = "b1a1c4", "b1a1d3", "b1c1d1"
    write(tmp_path / "games.ggf", [Record(Game.from_transcript(line, 4)) for line in lines])
    (tmp_path / "lines.txt").write_text("b1a1\nb1c1d1  # another\n")
    (tmp_path / "large.txt").write_text("# 6x6\nc2\n")
    return tmp_path


def run(command: Command, *arguments: object) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments), "--size", "4"])


def test_a_match_begins_from_the_openings_of_a_file(path: Path) -> None:
    result = run(match.command, "random", "greedy", "--openings", f"{path / 'games.ggf'}:2", "--json")
    assert json.loads(result.stdout)["openings"] == 2
    (answers,) = result.stderr.splitlines()[:1]
    assert answers.startswith("openings: 2 positions after 2 plies of 3 games in ")
    assert answers.endswith(json.loads(result.stdout)["openings_digest"])
    one = run(match.command, "random", "greedy", "--openings", f"{path / 'games.ggf'}:2:1", "--json")
    assert json.loads(one.stdout)["games"] == 2


def test_each_line_of_a_text_file_is_an_opening(path: Path) -> None:
    records = path / "played.txt"
    result = run(match.command, "random", "greedy", "--openings", path / "lines.txt", "--records", records)
    assert result.exit_code == 0
    played = [line for line in records.read_text().splitlines() if line[0] != "#"]
    assert [line[:4] for line in played] == ["b1a1", "b1a1", "b1c1", "b1c1"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "openings"),
    [
        ((match.command, "random", "greedy"), "0"),
        ((match.command, "random", "greedy"), "{path}/games.ggf:0"),
        ((match.command, "random", "greedy"), "{path}/games.ggf:0:3"),
        ((evaluate.command, "random", "--opponent", "greedy"), "0"),
        ((tournament.command, "random", "greedy", "--database", "{path}/t.sqlite"), "{path}/lines.txt:0"),
        ((analyse.command, "random", "greedy", "--games", "2", "--symmetry", "0"), "{path}/games.ggf:0"),
    ],
)
def test_games_may_begin_at_the_standard_start(
    command: tuple[Command, *tuple[str, ...]], openings: str, path: Path
) -> None:
    words = [word.format(path=path) for word in (*command[1:], "--openings", openings)]
    result = run(command[0], *words, "--json" if command[0] is match.command else "--seed=1")
    assert result.exit_code == 0, result.output
    if command[0] is match.command:
        answers = json.loads(result.stdout)
        assert (answers["games"], answers["openings"]) == (2, 1)
    elif command[0] is tournament.command:
        with closing(sqlite3.connect(path / "t.sqlite")) as database:
            assert database.execute("SELECT opening, count(*) FROM game GROUP BY 1").fetchall() == [("", 2)]
    else:
        assert "2 games" in result.stdout
        assert "from the standard start" in result.stdout


@pytest.mark.slow
def test_games_that_are_played_again_move_for_move_are_told() -> None:
    words = "search:depth=1", "search:depth=2", "--openings", "0", "--repeat", "3"
    assert "games     6 from the standard start" in (text := run(match.command, *words).stdout)
    assert "different 2 of them; the others are the same, move for move" in text
    assert json.loads(run(match.command, *words, "--json").stdout)["unlike_games"] == 2


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
