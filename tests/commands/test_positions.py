import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from othello_lab.commands.cli import cli
from othello_lab.game import Game
from othello_lab.game.records import Record, write
from tests.calling import add_player, caller
from tests.game.sampling import Knowing

draw, review, solve, truth = (caller(cli, name) for name in ("draw", "review", "solve", "truth"))
# 4x4. With perfect play on both sides, White wins 11 to 3 with two squares empty.
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"
# A 6x6 position that begins with a dash, from a published line. White is to move and ahead by 4.
ENDGAME = "-XXX---OXX---OOXXX-OXOXO--XX-----X--"


def texts(path: Path) -> list[str]:
    root = ElementTree.parse(path)  # noqa: S314  our own
    return [(element.text or "").strip() for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_position_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    assert draw("d3", "--size", "4", "--output", str(path)).output == f"{path}\n"
    assert "4 black, 11 empty, 1 white: white to move" in texts(path)


def test_a_whole_game_of_a_file_is_drawn(tmp_path: Path) -> None:
    records, path = tmp_path / "games.jsonl", tmp_path / "a.svg"
    records.write_text(
        '{"size": 4, "moves": "d3", "black": "one", "white": "two"}\n'
        '{"size": 4, "moves": "d3 d4 c4", "black": "$three$", "white": "four"}\n'
    )
    assert draw(str(records), "--game", "--number", "2", "--output", str(path)).exit_code == 0
    found = texts(path)
    assert "$three$ against four" in found
    assert [text for text in found if text.startswith(("1. ", "2. ", "3. "))] == [
        "1. black d3",
        "2. white d4",
        "3. black c4",
    ]


def test_a_game_without_a_move_is_one_board(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    result = draw("standard", "--size", "4", "--game", "--output", str(path))
    assert result.exit_code == 0, result.output
    assert path.exists()


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


def test_a_game_of_a_file_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = [Game.from_transcript(moves, 4) for moves in ("b1", OPTIMAL)]
    write(path, [Record(game, black="Ann", white="Bob") for game in games])
    answers = json.loads(review(str(path), "--number", "2", "--json").stdout)
    assert (answers["size"], answers["black"], answers["white"]) == (4, "Ann", "Bob")
    assert {abs(each["value"]) for each in answers["decisions"]} == {8}
    assert not any(each["mistake"] for each in answers["decisions"])


def test_the_opening_is_named() -> None:
    tiger = ["f5d6c3d3c4f4", "--nodes", "50", "--exact", "0"]
    assert review(*tiger).stdout.startswith("opening: Tiger\n")
    assert json.loads(review(*tiger, "--json").stdout)["opening"] == "Tiger"
    assert json.loads(review("b1a1", "--size", "4", "--json").stdout)["opening"] == ""


@pytest.mark.slow
def test_where_it_is_solved_and_how_far_is_looked_before_can_be_chosen() -> None:
    moves = ["f5d6c3d3c4f4f6", "--nodes", "50"]
    assert "discs at the end, exactly" not in review(*moves, "--exact", "0").stdout
    decisions = json.loads(review(OPTIMAL, "--size", "4", "--exact", "6", "--json").stdout)["decisions"]
    assert [each["exact"] for each in decisions] == [False] * 6 + [True] * 4


def test_a_person_reads_both_values_the_move_and_the_line() -> None:
    lines = solve("start", "--size", "4").output.splitlines()
    assert lines[0] == "4x4, 12 empty squares, black to move"
    assert "difference of discs: -8, white wins" in lines
    assert "empties to the winner: -10, white wins" in lines
    assert "  best move  b1" in lines
    assert any(line.startswith("  nodes ") and line.endswith("million a second") for line in lines)


def test_a_position_may_begin_with_dashes() -> None:
    assert "difference of discs: +4, white wins" in solve(ENDGAME, "O").output


def test_the_positions_of_a_file_are_solved(tmp_path: Path) -> None:
    path = tmp_path / "endgames.txt"
    path.write_text(f"% two of 4x4 and 6x6\n{'X' * 15}- X\n{ENDGAME} O  % 2\n")
    assert "difference of discs: +4, white wins" in solve(str(path), "--number", "2").output
    assert "4x4, 1 empty square" in solve(str(path)).output
    assert "there is no game 3: its games are 1 to 2" in solve(str(path), "--number", "3").output


def test_a_program_reads_json() -> None:
    answer = json.loads(solve(ENDGAME, "O", "--json", "--all", "--score", "final_score").output)
    assert answer["position"] == ENDGAME + " O"
    assert "disc_diff" not in answer
    found = answer["final_score"]
    assert found["value"] == 4
    assert found["moves"][found["best"]] == 4 == max(found["moves"].values())
    assert found["variation"][0] == found["best"]
    assert found["nodes"] > 0


def test_all_moves_are_listed_best_first() -> None:
    output = solve("start", "--size", "4", "--all", "--score", "disc_diff").output
    assert "  all moves  b1:-8 a2:-8 d3:-8 c4:-8" in output.splitlines()


def test_a_finished_game_has_a_value_and_no_move() -> None:
    output = solve("X" * 16, "O").output
    assert "difference of discs: -16, black wins" in output
    assert "best move" not in output


@pytest.mark.slow
def test_perfect_play_keeps_everything_on_4x4(monkeypatch: pytest.MonkeyPatch) -> None:
    add_player(monkeypatch, "knowing", lambda: Knowing(min))
    found = json.loads(truth("knowing", "--size", "4", "--json").stdout)
    for kind, matters in (("outcome", 7_996), ("discs", 18_468)):
        everywhere, where_it_matters = found[kind]["everywhere"], found[kind]["where_it_matters"]
        assert everywhere == {"positions": 47_633, "kept": 47_633, "share": 1.0}
        assert (where_it_matters["positions"], where_it_matters["share"]) == (matters, 1.0)
    assert found["faults"] == []
    white, black = found["as_white"], found["as_black"]
    assert (white["games"], white["draw"] + white["loss"], white["least_discs"]) == (white["win"], 0, 8)
    assert black["least_discs"] == -8, "the value of the start"


def test_a_sample_of_a_larger_board() -> None:
    few = ("--size", "6", "--positions", "20", "--empties", "6", "--seed", "2")
    lines = truth("greedy", *few, "--worst", "1").output.splitlines()
    assert lines[0] == "greedy on 6x6, 20 positions with 6 empty squares, played by random, seed 2"
    assert lines[1].endswith("95 %")
    assert truth("greedy", *few, "--worst", "1").output.splitlines() == lines
    perfect = json.loads(truth("search:depth=1", *few, "--json").output)
    assert (perfect["by"], perfect["empties"], perfect["positions"]) == ("random", 6, 20)
    assert perfect["discs"]["everywhere"]["share"] == 1
    assert perfect["discs"]["everywhere"]["interval"][1] == 1
    mixed = truth("greedy", *few, "--by", "noisy:positional,share=0.3").output
    assert mixed.splitlines()[0].endswith("played by noisy:positional,share=0.3, seed 2")
