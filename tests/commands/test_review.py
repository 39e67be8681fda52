"""`othello review`."""

import json
from pathlib import Path

from othello_lab.commands.review import command
from othello_lab.game import Game
from othello_lab.game.records import Record, write
from tests.calling import caller

# 4x4; perfect play on both sides, and White wins 11 to 3 with two squares empty.
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"

review = caller(command)


def test_a_perfect_game_has_no_mistakes() -> None:
    output = review(OPTIMAL, "--size", "4").stdout
    assert "   1  black  b1       -8\n" in output
    assert "white: 5 decisions, 0 mistakes; lost 0 discs in the last 5 moves\n" in output
    assert "biggest mistakes" not in output
    assert "reviewed: black, white\n" in output


def test_one_side_is_reviewed_and_named(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write(path, [Record(Game.from_transcript(OPTIMAL, 4), black="Ann")])
    output = review(str(path), "--side", "black").stdout
    assert output.startswith("reviewed: black (Ann)\n")
    assert "white" not in output


def test_a_game_of_a_file_in_the_other_convention_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = [Game.from_transcript(moves, 4) for moves in ("b1", OPTIMAL)]
    write(path, [Record(game, black="Ann", white="Bob") for game in games])
    said = json.loads(review(str(path), "--number", "2", "--score", "final_score", "--json").stdout)
    assert (said["size"], said["black"], said["white"]) == (4, "Ann", "Bob")
    assert {abs(each["value"]) for each in said["decisions"]} == {10}
    assert not any(each["mistake"] for each in said["decisions"])


def test_the_opening_is_named() -> None:
    tiger = ["f5d6c3d3c4f4", "--nodes", "50", "--exact", "0"]
    assert review(*tiger).stdout.startswith("opening: Tiger\n")
    assert json.loads(review(*tiger, "--json").stdout)["opening"] == "Tiger"
    assert json.loads(review("b1a1", "--size", "4", "--json").stdout)["opening"] == ""


def test_where_it_is_solved_and_how_far_is_looked_before_can_be_chosen() -> None:
    moves = ["f5d6c3d3c4f4f6", "--nodes", "50"]
    assert "discs at the end, exactly" not in review(*moves, "--exact", "0").stdout
    decisions = json.loads(review(OPTIMAL, "--size", "4", "--exact", "6", "--json").stdout)["decisions"]
    assert [each["exact"] for each in decisions] == [False] * 6 + [True] * 4
