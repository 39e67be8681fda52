"""`othello solve` at the command line."""

import json
from pathlib import Path

from othello_lab.commands.solve import command
from tests.calling import caller

ENDGAME = "-XXX---OXX---OOXXX-OXOXO--XX-----X--"
"""A position of 6x6 from a published line, White to move and ahead by 4; it begins with a dash."""

solve = caller(command)


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
