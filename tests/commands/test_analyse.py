import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.analyse import command
from othello_lab.game import Game
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.records import Record, write
from tests.calling import add_player, caller

pytestmark = pytest.mark.slow

QUICK = ("--size", "4", "--games", "30")

analyse = caller(command)


def test_random_games_as_a_person_reads_them() -> None:
    lines = analyse(*QUICK).output.splitlines()
    assert lines[0] == "random against itself, 4x4: 30 games from the standard start, seed 0"
    for title in ("In short", "Results", "By turn", "Size of the game tree", "Corners owned"):
        assert any(line.startswith(title) for line in lines), title
    assert max(map(len, lines)) <= 80


def test_everything_as_json_and_as_tables(tmp_path: Path) -> None:
    found = json.loads(analyse(*QUICK, "--json", "--tables", tmp_path / "tables").stdout)
    assert (found["games"], found["size"], found["seed"]) == (30, 4, 0)
    for name, table in found["tables"].items():
        text = (tmp_path / "tables" / f"{name}.csv").read_text("utf-8")
        rows = list(csv.reader(io.StringIO(text)))
        assert rows[0] == table["columns"]
        assert len(rows) == 1 + len(table["rows"])
    about = json.loads((tmp_path / "tables" / "analysis.json").read_text("utf-8"))
    assert about["tables"].keys() == found["tables"].keys()


def test_players_of_one_game_at_a_time_make_the_same_games_on_any_number_of_processes() -> None:
    words = ("search:depth=1", "random", *QUICK, "--games", "4", "--json")
    one, two = (json.loads(analyse(*words, "--jobs", jobs).output)["tables"] for jobs in ("1", "2"))
    assert one == two


def test_a_player_that_meets_itself_plays_no_game_twice() -> None:
    found = json.loads(analyse("dqn:pretrained", *QUICK, "--json").output)
    assert (found["games"], found["openings"], found["unlike_games"]) == (30, 30, 30)


def test_a_player_that_gives_up_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Player):
        def choose(self, game: Game, rng: np.random.Generator) -> int:
            raise Forfeit("out of ideas")

    add_player(monkeypatch, "silent", Silent)
    result = analyse("silent", *QUICK, "--games", "2")
    assert (result.exit_code, result.output) == (1, "Error: no game has a move: out of ideas\n")
    lines = analyse("silent", "random", *QUICK, "--games", "4").output.splitlines()
    assert "0 to an end on the board" in lines[0]


def test_a_file_without_such_games_is_told_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for records, told in (
        ([], f"there is no game in {path}"),
        ([Record(Game.from_transcript("d3", 8))], f"there is no game on 6x6 in {path}"),
    ):
        write(path, records)
        result = analyse(path, "--size", "6") if records else analyse(path)
        assert (result.exit_code, told in result.output) == (2, True)
    path.write_text("{}\n")
    assert "line 1" in analyse(path).output


def test_files_of_games_may_stand_in_the_place_of_players(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5d6c3\nf5f5\nf5d6c5f4e3f6g5e6e7\n")
    result = CliRunner().invoke(command, [str(path), "--json"])
    assert json.loads(result.stdout)["games"] == 2
    assert result.stderr == f"left out: {path}: line 2: move 2: f5 is not legal here: it is occupied\n"
