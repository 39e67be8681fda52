"""The plain mode: its commands, and whatever else may come in from a pipe."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.play import command
from othello_lab.game import Board

ROOT = Path(__file__).parent.parent.parent
# 4x4; white wins 11 to 3 with two squares empty.
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"
# 4x4; white has to pass after a3, black after d2.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"


def play(opponent: str, *entries: str | bytes, options: str = "") -> str:
    typed = b"".join((entry if isinstance(entry, bytes) else entry.encode()) + b"\n" for entry in entries)
    arguments = [opponent, "--plain", "--size=4", *options.split()]
    result = CliRunner().invoke(command, arguments, input=typed, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def squares(transcript: str) -> list[str]:
    return [transcript[i : i + 2] for i in range(0, len(transcript), 2)]


def test_two_persons_play_on_one_board() -> None:
    shown = play("human", *squares(FORCED))
    assert "person has ● (black), person has ○ (white). Type a square such as d3, or help.\n" in shown
    assert "a move (● black): b1\n" in shown
    assert "a move (○ white): c1\n" in shown
    assert "person (white) has no legal move: it passes, and black moves again.\n" in shown
    assert "Person wins: " in shown
    assert f"Transcript: {FORCED}\n" in shown
    assert " play human --size=4 --colour=" in shown


def test_an_opening_is_named_once_as_it_comes_up() -> None:
    shown = play("human", *squares("f5d6c3d3c4f4"), "undo", "undo", options="--size=8")
    said = [line for line in shown.splitlines() if line.startswith("opening: ")]
    assert said == ["opening: Perpendicular", "opening: Tiger", "opening: Perpendicular"]


def test_what_was_taken_back_is_made_again() -> None:
    shown = play(f"script:{OPTIMAL}", "b1", "a2", "undo", "undo", "redo", "redo", "redo")
    assert "made again: b1 a1\n" in shown
    assert "made again: a2 c1\n" in shown
    assert "There is nothing to make again.\n" in shown
    assert "Transcript: b1a1a2c1\n" in shown


def test_one_looks_at_any_point_and_plays_on_from_there() -> None:
    shown = play("human", *squares(OPTIMAL), "goto 2", "goto 99", "goto x", "a2")
    assert "a move (● black): goto 99\nthere is no ply 99: expected 0 to 10\n" in shown
    assert "expected a number of moves, got 'x'\n" in shown
    assert f"left: {' '.join(squares(OPTIMAL))}\n" in shown
    assert "Transcript: b1a1a2\n" in shown


@pytest.mark.parametrize("entries", [["goto 1", "quit"], ["goto 1"], ["goto 0"]])
def test_leaving_while_one_looks_back_gives_the_whole_game(entries: list[str]) -> None:
    shown = play("human", *squares(OPTIMAL[:8]), *entries)
    assert f"Transcript: {OPTIMAL[:8]}\n" in shown
    assert f" --transcript={OPTIMAL[:8]}\n" in shown
    assert "left: " not in shown
    shown = play(f"script:{OPTIMAL}", *squares(OPTIMAL)[::2], *entries)
    assert f"review {OPTIMAL} " in shown


def test_what_was_left_can_be_loaded_again() -> None:
    shown = play("human", *squares("b1a1a2c1"), "goto 0", "c4", "load b1 a1 a2 c1", "d4", "goto 1", "resign")
    assert shown.count("left: b1 a1 a2 c1\n") == 1
    assert "left: c4\n" in shown
    assert "left: b1 a1 a2 c1 d4\n" in shown


def test_a_position_that_was_set_up_is_left_with_its_moves() -> None:
    position = "-----XO--OX-----X"
    shown = play("human", f"load {position}", f"load {position[:-1]}O", "b1", "new")
    assert f"left: {Board.parse(position)}\n" in shown
    assert f"left: {Board.parse(position[:-1] + 'O')}, then: b1\n" in shown


def test_a_player_waits_while_one_looks_back() -> None:
    shown = play(f"script:{OPTIMAL}", "b1", "goto 1", "c1", "go")
    prompt = f"script:{OPTIMAL} is to move (○ white; go, undo, redo, quit; help): "
    assert f"{prompt}c1\nIt is the turn of script:{OPTIMAL}: `go` has it move" in shown
    assert f"{prompt}go\nleft: b1 a1\n" in shown
    assert shown.count("(white) plays a1\n") == 2


def test_one_plays_on_from_ones_own_move_where_something_comes_after_it() -> None:
    shown = play(f"script:{OPTIMAL}", "b1", "a2", "go", "goto 2", "go", "redo")
    assert "): go\nThere is nothing after this position.\n" in shown
    assert "): go\nleft: b1 a1 a2 c1\n" in shown
    assert "There is nothing to make again.\n" in shown
    assert "Transcript: b1a1\n" in shown


def test_a_resignation_ends_the_game_until_it_is_taken_back() -> None:
    shown = play(f"script:{OPTIMAL}", "b1", "resign", "a2", "undo", "a2")
    assert "You lose: black resigned.\n" in shown
    assert "The game is over: `new` begins another, `undo` takes back.\n" in shown
    assert "Transcript: b1a1a2c1\n" in shown


def test_a_new_game_begins_after_the_end_or_before() -> None:
    shown = play(f"script:{OPTIMAL}", *squares(OPTIMAL)[::2], "new", "b1")
    assert "the game is over (review, new, undo, quit; help): new\n" in shown
    assert "Transcript: b1a1\n" in shown


def test_the_opponent_is_changed_in_the_middle_of_a_game() -> None:
    shown = play("greedy", "b1", "opponent nobody", f"opponent script:{OPTIMAL[:2]}a2a2c1", "opponent human")
    assert "there is no player, run or checkpoint 'nobody'" in shown
    assert "You have ● (black), script:b1a2a2c1 has ○ (white)." in shown
    assert "person has ● (black), person has ○ (white)." in shown


def test_a_hint_that_fails_is_a_line() -> None:
    shown = play("greedy", "hint", "b1", options="--hint=engine:false")
    assert "false ended with exit status 1" in shown
    assert "greedy (white) plays" in shown


WRONG: list[str | bytes] = [
    "z9",
    "b2",
    "a1",
    "",
    " ",
    "x" * 10_000,
    "d3" * 5_000,
    "\x1b[2J\x07\x00",
    "\u202e\u0661",
    b"\xff\xfe\x80",
    "goto",
    "goto -1",
    "goto 1e9",
    "undo undo",
    "opponent " + "y" * 10_000,
    "opponent \x1b[31m",
    "opponent search:depth=",
    "opponent dqn:nowhere.safetensors",
]


@pytest.mark.parametrize("after_the_end", [False, True])
def test_every_wrong_entry_is_one_friendly_line(after_the_end: bool) -> None:
    moves: list[str | bytes] = [*squares(OPTIMAL)[::2]] if after_the_end else []
    shown = play(f"script:{OPTIMAL}", *[*moves, *WRONG])
    assert "Traceback" not in shown
    assert not {character for character in shown if character < " "} - {"\n"}
    prompt = (
        "the game is over (review, new, undo, quit; help): " if after_the_end else "your move (● black): "
    )
    answers = [answer.splitlines()[1:] for answer in shown.split(prompt)[-1 - len(WRONG) : -1]]
    assert {len([line for line in lines if not line.startswith("legal: ")]) for lines in answers} == {1}
    assert max(len(line) for lines in answers for line in lines) < 400


def test_a_real_pipe_with_bytes_that_are_no_text_and_no_last_line_end() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "othello_lab", "play", "human", "--size=4", "--hint=greedy"],
        cwd=ROOT,
        input=b"\xff\xfe\nb1\n\x80a1\na1",
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert b"Transcript: b1a1\n" in done.stdout.replace(b"\r", b"")
    assert b"is no square" in done.stdout
    assert not done.stderr
