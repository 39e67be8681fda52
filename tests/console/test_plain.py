import os
import shlex
import subprocess
import sys

import pytest
from click.testing import CliRunner

from othello_lab.commands.play import command
from othello_lab.game import PASS, Board, Game
from othello_lab.game.notation import square_name
from tests.cases import cases
from tests.console.conftest import FORCED, OPTIMAL, ScriptPlayer
from tests.game.engine_programs import FAKE as PROGRAM
from tests.game.engine_programs import ROOT

DRAW = "a2a3a4c1d1a1d3d4c4d2b1b4"
FAKE = shlex.join([sys.executable, str(PROGRAM)])


def play(opponent: str, *entries: str | bytes, options: str = "", code: int = 0) -> str:
    typed = b"".join((entry if isinstance(entry, bytes) else entry.encode()) + b"\n" for entry in entries)
    arguments = [opponent, "--plain", "--size=4", "--hint=greedy", *options.split()]
    result = CliRunner().invoke(command, arguments, input=typed, catch_exceptions=False)
    assert result.exit_code == code
    return result.output


def squares(transcript: str) -> list[str]:
    return [transcript[i : i + 2] for i in range(0, len(transcript), 2)]


def test_a_game_from_start_to_result() -> None:
    shown = play(f"script:{OPTIMAL}", *squares(OPTIMAL)[::2])
    assert "script:b1a1a2c1d4a3d1b4a4c4 (white) plays a1\n" in shown
    assert "You lose: white wins, 11 to 3.\n" in shown
    assert "Disc difference 8; final score 10, the empty squares going to the winner.\n" in shown
    assert f"Transcript: {OPTIMAL}\n" in shown
    assert shown.count("your move") == 5
    assert "○ white (script:b1a1a2c1d4a3d1b4a4c4) 11" in shown


def test_a_person_may_play_white() -> None:
    shown = play(f"script:{OPTIMAL}", *squares(OPTIMAL)[1::2], options="--colour=white")
    assert "your move (○ white): a1\n" in shown
    assert "You win: white wins, 11 to 3.\n" in shown


def test_one_convention_is_enough_when_they_agree() -> None:
    shown = play(f"script:{DRAW}", *squares(DRAW)[::2])
    assert "Draw, 8 to 8.\n" in shown
    assert "final score" not in shown


def mine(transcript: str, colour: str) -> list[str]:
    game = Game.from_transcript(transcript, 4)
    made = zip(game.boards, game.moves, strict=False)
    return [square_name(move, 4) for board, move in made if board.turn.value == colour and move != PASS]


@pytest.mark.parametrize("colour", ["black", "white"])
def test_forced_passes_are_made_and_said_for_both_sides(colour: str) -> None:
    shown = play(f"script:{FORCED}", *mine(FORCED, colour), options=f"--colour={colour}")
    other = "white" if colour == "black" else "black"
    name = f"script:{FORCED}"
    assert f"You ({colour}) have no legal move: you pass.\n" in shown
    assert f"{name} ({other}) has no legal move: it passes, and you move again.\n" in shown
    assert f"Transcript: {FORCED}\n" in shown


def test_the_board_is_shown_after_ones_own_move_too() -> None:
    shown = play(f"script:{OPTIMAL}", "b1", "quit")
    mine, theirs = shown.index("\n 1  · [●] ·  · "), shown.index("\n 1 [○]")
    assert shown.index("your move (● black): b1") < mine < theirs
    assert "\n 2  · (●) ●  · " in shown[mine:theirs]


def test_a_terminal_sees_that_somebody_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "is thinking" in play(f"script:{OPTIMAL}", "b1", "quit")
    monkeypatch.delenv("FORCE_COLOR")
    assert "is thinking" not in play(f"script:{OPTIMAL}", "b1", "quit")


def test_a_hint_does_not_change_what_the_opponent_does() -> None:
    def replies(entries: list[str]) -> str:
        output = play("random", *entries, options="--seed=5")
        return output[output.index("Transcript") :]

    assert replies(["b1", "quit"]) == replies(["hint", "b1", "hint", "quit"])


def test_the_seed_decides_a_random_colour_and_the_game() -> None:
    once, again = (
        [play("random", "quit", options=f"--colour=random --seed={seed}") for seed in range(8)]
        for _ in range(2)
    )
    assert once == again
    assert {"your move (●" in game for game in once} == {True, False}
    assert len({game for game in once if "your move (●" not in game}) > 1


def test_moves_board_and_help() -> None:
    shown = play("greedy", "moves", "board", "help", "quit")
    assert "legal: b1 a2 d3 c4\n" in shown
    assert shown.count(" 1  ·  +  ·  · ") == 2
    assert "undo          take back your last move\n" in shown


@pytest.mark.parametrize(("entries", "line"), [(["quit"], "You left the game."), ([], "End of input")])
def test_leaving_tells_how_to_go_on(scripts: list[ScriptPlayer], entries: list[str], line: str) -> None:
    shown = play(f"script:{OPTIMAL}", "b1", *entries)
    assert line in shown
    assert "Transcript: b1a1\n" in shown
    assert scripts[0].closed
    words = shown.splitlines()[-1].partition("othello play ")[2].split()
    assert "Transcript: b1a1a2c1\n" in CliRunner().invoke(command, words, input="a2\nquit\n").output


def test_ctrl_c_leaves_with_a_line(monkeypatch: pytest.MonkeyPatch, scripts: list[ScriptPlayer]) -> None:
    def interrupt(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    shown = play(f"script:{OPTIMAL}", code=130)
    assert "Interrupted: the game stops here.\n" in shown
    assert scripts[0].closed


def test_an_ascii_output_gets_letters_and_survives_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["\u2192", "quit"])
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    options = ["greedy", "--size", "4"]
    shown = CliRunner(charset="ascii").invoke(command, options, catch_exceptions=False).output
    assert " 2  +  O  X  . \n" in shown
    assert r"'\u2192' is no square" in shown


def test_an_opening_is_named_once_as_it_comes_up() -> None:
    shown = play("human", *squares("f5d6c3d3c4f4"), "undo", "undo", options="--size=8")
    reply = [line for line in shown.splitlines() if line.startswith("opening: ")]
    assert reply == ["opening: Perpendicular", "opening: Tiger", "opening: Perpendicular"]


@pytest.mark.parametrize("entries", [["goto 1", "quit"], ["goto 0"]])
def test_leaving_while_one_looks_back_gives_the_whole_game(entries: list[str]) -> None:
    shown = play("human", *squares(OPTIMAL[:8]), *entries)
    assert f"Transcript: {OPTIMAL[:8]}\n" in shown
    assert f" --load={OPTIMAL[:8]}\n" in shown
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
    *cases("plain_words_refused"),
    "x" * 10_000,
    "d3" * 5_000,
    "opponent " + "y" * 10_000,
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


@pytest.mark.slow
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


def test_the_end_says_what_cost_most_and_what_can_come_next() -> None:
    over = play("level:3", "quit", options=f"--load={FORCED}")
    assert "What cost you most: move 7, black d3 lost 14 discs, won -> lost; better d4.\n" in over
    assert "Next: review, new, save FILE" in over
    again = over.splitlines()[-1]
    assert again.startswith("Learn from your mistakes: ")
    assert again.endswith(f" review {FORCED} --size=4")


@pytest.mark.parametrize(("typed", "level"), [(["new"], 3), (["opponent level:4", "new"], 4)])
def test_after_the_end_others_play_anew(typed: list[str], level: int) -> None:
    shown = play("level:3", *typed, "quit", options=f"--load={FORCED}")
    assert f"You have ● (black), level {level} has ○ (white)." in shown.partition("): new\n")[2]
    assert FORCED not in shown.partition("): new\n")[2]


def test_a_review_says_what_was_lost_and_the_game_goes_on() -> None:
    output = play(f"script:{OPTIMAL}", "b1", "a2", "review", *squares(OPTIMAL)[4::2], "review", "quit")
    assert output.count("\n   3  black  a2       -8\n") == 2
    assert "\nblack: 2 decisions, 0 mistakes; lost 0 discs in the last 2 moves\n" in output
    assert "\nblack: 5 decisions, 0 mistakes; lost 0 discs in the last 5 moves\n" in output


@pytest.mark.slow
def test_a_program_that_fails_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    shown = play(f"engine:{FAKE} dies,name=fake", "b1", "go", "opponent greedy")
    assert shown.count("fake ended with exit status 1: out of memory, out of luck") == 2
    assert shown.count("The game stays as it is. `go` asks it again, `opponent WHO` has another") == 2
    assert "You have ● (black), greedy has ○ (white)." in shown
    assert shown.count("greedy (white) plays ") == 1
    assert " greedy --size=4 --colour=black --hint=greedy --load=b1" in shown
